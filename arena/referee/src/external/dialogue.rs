//! The dialogues of a game, from the recordings of its bots.

use std::time::Duration;

use crate::game::log::{Direction, Log};
use crate::process::recording::{BotRecording, Recorded, Stream};

/// The recorded dialogues of a game.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Dialogues {
    /// The dialogues, by seat; empty for a bot that the referee did not start.
    pub logs: Vec<Log>,
    /// The time of each answer, by seat: from the first byte of the input after the answer before (or from the bot's
    /// start) to the end of the answer's last line.
    pub times: Vec<Vec<Duration>>,
    /// The seat of each answer, in the order in which they ended.
    pub turns: Vec<usize>,
}

impl Dialogues {
    /// The dialogues of recordings, by seat.
    pub fn of(recorded: Vec<BotRecording>) -> Self {
        let mut dialogues = Self::default();
        let mut ends = Vec::new();
        for (seat, BotRecording { begun_us, lines, .. }) in recorded.into_iter().enumerate() {
            let answers = answers(begun_us, &lines);
            ends.extend(answers.iter().map(|&(_, end)| (end, seat)));
            let time = |&(from, to): &(u64, u64)| Duration::from_micros(to.saturating_sub(from));
            dialogues.times.push(answers.iter().map(time).collect());
            dialogues.logs.push(log(&lines));
        }
        ends.sort_unstable();
        dialogues.turns = ends.into_iter().map(|(_, seat)| seat).collect();
        dialogues
    }
}

fn log(lines: &[Recorded]) -> Log {
    let mut log = Log::default();
    for line in lines {
        match line.stream {
            Stream::ToBot => log.push(Direction::ToBot, &format!("{}\n", line.text)),
            Stream::FromBot => log.push(Direction::FromBot, &format!("{}\n", line.text)),
            Stream::Error => log.push_said(format!("{}\n", line.text).as_bytes()),
        }
    }
    log
}

/// The beginning and the end of each answer. A turn is what is sent until the bot answers, and the answer all lines until
/// more is sent.
fn answers(begun: u64, lines: &[Recorded]) -> Vec<(u64, u64)> {
    let mut answers = Vec::new();
    let mut from = Some(begun);
    let mut last = None;
    for line in lines.iter().filter(|line| line.stream != Stream::Error) {
        match (line.stream, last) {
            (Stream::ToBot, Some(Stream::ToBot)) => {}
            (Stream::ToBot, _) => from = Some(line.us),
            (_, Some(Stream::FromBot)) => answers.last_mut().into_iter().for_each(|(_, end)| *end = line.us),
            (_, _) => answers.push((from.take().unwrap_or(line.us), line.us)),
        }
        last = Some(line.stream);
    }
    answers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::recording;

    #[test]
    fn turns_end_with_answers_and_are_ordered_among_the_bots() {
        let read = |text: &str| recording::read(text.as_bytes()).unwrap_or_default();
        let first =
            read("= 1000\n> 2000 8\n> 2001 a b\n! 2500 depth 3\n< 3000 go\n> 6000 9\n< 6500 x\n< 6600 y\n");
        let second = read("= 1000\n< 1500 hello\n> 4000 \n< 5000 \n> 7000 bye\n");
        let found = Dialogues::of(vec![first, second, read("")]);
        let texts = found.logs.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(texts, ["> 8\n> a b\n! depth 3\n< go\n> 9\n< x\n< y\n", "< hello\n> \n< \n> bye\n", ""]);
        let us = |times: &Vec<Duration>| times.iter().map(Duration::as_micros).collect::<Vec<_>>();
        assert_eq!(
            found.times.iter().map(us).collect::<Vec<_>>(),
            [vec![1000, 600], vec![500, 1000], vec![]]
        );
        assert_eq!(found.turns, [1, 0, 1, 0]);
    }
}
