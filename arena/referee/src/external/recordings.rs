//! The recordings of a game's bots, and the comparison of two games by what the bots were sent.

use std::fmt;
use std::fs;
use std::path::PathBuf;

use super::remarks::Remarks;
use super::Dialogues;
use crate::process::recording::{self, BotRecording, Recorded, Stream};
use crate::text::quoted;

/// The recordings of a game, by seat.
#[derive(Debug, Default)]
pub(super) struct Recordings(Vec<Option<BotRecording>>);

/// The first line in which the bots of two games were sent something else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The bot's seat.
    pub seat: usize,
    /// The number of the line among those that the bot was sent, from 1.
    pub line: usize,
    /// The line in the first game.
    pub first: String,
    /// The line in the second game.
    pub second: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seat, line, first, second } = self;
        let [first, second] = [first, second].map(|text| quoted(text.as_bytes()));
        write!(f, "line {line} to the bot on seat {seat} is {first} in one and {second} in the other")
    }
}

impl Recordings {
    /// Reads the files and removes them. Of a bot that the referee has started several times, the start that gave most
    /// answers is the one that played.
    pub(super) fn take(files: &[PathBuf]) -> Self {
        let recorded = files.iter().map(|file| {
            let starts = (1..).map(|start| recording::path_of(file, start));
            let starts = starts.map_while(|file| {
                let bytes = fs::read(&file).ok()?;
                let _ = fs::remove_file(&file);
                Some(recording::read(&bytes))
            });
            // The first of several that are equally active.
            starts
                .flatten()
                .reduce(|best, other| if activity(&other) > activity(&best) { other } else { best })
        });
        Self(recorded.collect())
    }

    /// The dialogues; nothing if no bot was recorded.
    pub(super) fn dialogues(self) -> Dialogues {
        match self.0.iter().all(Option::is_none) {
            true => Dialogues::default(),
            false => Dialogues::of(self.0.into_iter().map(Option::unwrap_or_default).collect()),
        }
    }

    /// Remarks about each bot, by seat.
    pub(super) fn remarks(&self) -> Vec<Remarks> {
        let seats = self.0.iter().map(Option::as_ref).collect::<Vec<_>>();
        (0..seats.len()).map(|seat| Remarks::of(&seats, seat)).collect()
    }

    /// The first line in which the bots were sent something else than in another game of the same seed. Only lines that
    /// were sent before the first answer that differs are compared; a game may be cut off anywhere at its end.
    pub(super) fn difference(&self, other: &Self) -> Option<Difference> {
        let (end, other_end) = (self.first_answer_unlike(other), other.first_answer_unlike(self));
        (0..self.0.len().min(other.0.len())).find_map(|seat| {
            let (first, second) = (self.sent(seat, end), other.sent(seat, other_end));
            let at = first.iter().zip(&second).position(|(a, b)| a != b)?;
            Some(Difference {
                seat,
                line: at + 1,
                first: first[at].to_owned(),
                second: second[at].to_owned(),
            })
        })
    }

    fn lines(&self, seat: usize, stream: Stream) -> impl Iterator<Item = &Recorded> {
        let lines =
            self.0.get(seat).and_then(Option::as_ref).map_or(&[][..], |recording| &recording.lines[..]);
        lines.iter().filter(move |line| line.stream == stream)
    }

    /// The time of the first answer that another game lacks or has otherwise.
    fn first_answer_unlike(&self, other: &Self) -> u64 {
        let unlike = (0..self.0.len()).filter_map(|seat| {
            let mut others = other.lines(seat, Stream::FromBot);
            self.lines(seat, Stream::FromBot)
                .find(|answer| others.next().is_none_or(|other| other.text != answer.text))
                .map(|answer| answer.us)
        });
        unlike.min().unwrap_or(u64::MAX)
    }

    /// The lines that a bot was sent before a time.
    fn sent(&self, seat: usize, before: u64) -> Vec<&str> {
        let lines = self.lines(seat, Stream::ToBot).take_while(|line| line.us < before);
        lines.map(|line| line.text.as_str()).collect()
    }
}

/// How many lines a bot wrote, and how many it was sent.
fn activity(recording: &BotRecording) -> (usize, usize) {
    let count = |stream| recording.lines.iter().filter(|line| line.stream == stream).count();
    (count(Stream::FromBot), count(Stream::ToBot))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(seats: &[&str]) -> Recordings {
        let text = |seat: &&str| recording::read(format!("= 0\n{seat}").as_bytes());
        Recordings(seats.iter().map(text).collect())
    }

    fn difference(first: &[&str], second: &[&str]) -> Option<Difference> {
        let (first, second) = (game(first), game(second));
        let turned = second.difference(&first).map(|found| (found.seat, found.line));
        let found = first.difference(&second);
        assert_eq!(found.as_ref().map(|found| (found.seat, found.line)), turned);
        found
    }

    #[test]
    fn other_lines_are_found_whatever_their_times() {
        let first = ["> 1 3\n> 2 a b\n< 5 go\n", "> 3 3\n! 4 x\n"];
        assert_eq!(difference(&first, &["> 8 3\n> 9 a b\n< 11 go\n", "> 10 3\n"]), None);
        let found = difference(&first, &["> 8 3\n> 9 b a\n", "> 10 3\n"]).unwrap();
        assert_eq!(
            (found.seat, found.line, found.first.as_str(), found.second.as_str()),
            (0, 2, "a b", "b a")
        );
        assert_eq!(
            found.to_string(),
            "line 2 to the bot on seat 0 is \"a b\" in one and \"b a\" in the other"
        );
    }

    /// After another answer, of any bot, other lines say nothing about the referee.
    #[test]
    fn lines_after_another_answer_are_not_compared() {
        let first = ["> 1 a\n< 5 go\n> 7 b\n", "> 2 x\n> 8 y\n"];
        assert_eq!(difference(&first, &["> 1 a\n< 5 stay\n> 7 c\n", "> 2 x\n> 8 z\n"]), None);
        // One that didn't answer, and what seat 1 was sent before.
        assert_eq!(difference(&first, &["> 1 a\n", "> 2 x\n> 8 z\n"]), None);
        assert_eq!(difference(&first, &["> 1 a\n< 5 stay\n", "> 2 w\n"]).unwrap().seat, 1);
    }

    /// Some referees start their bots once to see that they can, and once to play.
    #[test]
    fn the_start_that_answered_is_the_one_that_played() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("game1.p0.rec");
        for lines in ["> 1 a\n", "> 2 a\n< 3 x\n> 4 b\n< 5 y\n", "> 6 a\n> 7 b\n> 8 c\n"] {
            recording::Recording::begin(&file).unwrap();
            let start =
                (1..).map(|start| recording::path_of(&file, start)).take_while(|path| path.exists()).last();
            fs::write(start.unwrap(), format!("= 0\n{lines}")).unwrap();
        }
        let taken = Recordings::take(&[file]);
        assert_eq!(
            taken.lines(0, Stream::FromBot).map(|line| line.text.as_str()).collect::<Vec<_>>(),
            ["x", "y"]
        );
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "all are removed");
    }

    #[test]
    fn games_without_recordings_do_not_differ() {
        assert_eq!(difference(&[], &[]), None);
        let none = Recordings::take(&[PathBuf::from("/nowhere/at/all")]);
        assert_eq!(none.difference(&game(&["> 1 a\n"])), None);
        assert_eq!(none.dialogues(), Dialogues::default());
    }
}
