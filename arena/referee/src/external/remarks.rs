//! Remarks about a bot from the wrapper's recordings, which the referee's verdict lacks: how the process ended, and output
//! that the referee didn't ask for.

use super::failures;
use crate::bot::exit::Exit;
use crate::game::{debugging, fault};
use crate::process::recording::{BotRecording, End, Recorded, Stream, Work};
use crate::text::quoted;

/// Answers of the same number of lines before one of more lines is noticed, if no other bot answers.
const SAME_ANSWERS: usize = 3;

/// Signals by which programs are asked to end, or are killed by the one that has started them: SIGHUP, SIGINT, SIGKILL and
/// SIGTERM.
const ENDED_BY_OTHERS: [i32; 4] = [1, 2, 9, 15];

/// Remarks about one bot.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Remarks {
    /// How its process ended, unless the referee has ended it.
    pub end: Option<String>,
    /// Output that the referee didn't ask for.
    pub output: Option<String>,
    /// A longer answer than others. By some protocols it depends on the position how long an answer is.
    pub longer: Option<String>,
    /// Output that looks like debugging.
    pub debugging: Option<String>,
    /// How little processor time it used in its last turn, if that wasn't answered soon.
    pub idle: Option<String>,
    /// Whether the process ended by itself, while its input was open, with another status than 0.
    pub has_crashed: bool,
    /// Whether the process ended by itself, while its input was open.
    pub has_ended_early: bool,
    /// Whether it didn't answer what it was sent last.
    pub owes_an_answer: bool,
}

impl Remarks {
    /// The remarks on a seat, from the recordings of all seats.
    pub fn of(seats: &[Option<&BotRecording>], seat: usize) -> Self {
        let Some(recording) = seats[seat] else { return Self::default() };
        let others = seats.iter().enumerate().filter(|&(other, _)| other != seat);
        let others = others.filter_map(|(_, recording)| *recording).collect::<Vec<_>>();
        let output = unread(recording).or_else(|| too_early(recording, &others));
        let from_bot = recording.lines.iter().filter(|line| line.stream == Stream::FromBot);
        let likely = from_bot.map(|line| &line.text).find(|text| debugging::is_likely(text.as_bytes()));
        let ended = recording.end.filter(|end| {
            !matches!(end.exit, Exit::Signal(signal) if ENDED_BY_OTHERS.contains(&signal))
                && end.exit != Exit::Running
        });
        Self {
            end: ended.and_then(end_text),
            longer: too_long(recording, &others).filter(|_| output.is_none()),
            output,
            debugging: likely.map(|text| format!("it wrote {}{}", quoted(text.as_bytes()), debugging::HINT)),
            idle: recording.work.and_then(|Work { used, after }| fault::idle(used, after, "its last")),
            has_crashed: ended.is_some_and(|end| end.exit.is_crash() && !end.was_closed),
            has_ended_early: ended.is_some_and(|end| !end.was_closed),
            owes_an_answer: owes_an_answer(&recording.lines),
        }
    }

    /// All of them, for the report of a failure.
    pub fn of_failure(&self) -> Vec<&str> {
        [&self.end, &self.output, &self.longer, &self.debugging]
            .into_iter()
            .flatten()
            .map(String::as_str)
            .collect()
    }

    /// How little processor time it used, if its failure is a time-out: by the referee's words, or since it was silent.
    pub fn of_time_out(&self, words: &str) -> Option<&str> {
        let is_time_out = failures::is_time_out(words) || self.owes_an_answer && !failures::is_failure(words);
        self.idle.as_deref().filter(|_| is_time_out && !self.has_ended_early)
    }

    /// The remarks about a fault that the referee doesn't report.
    pub fn of_success(&self) -> Vec<&str> {
        let end = self.end.as_ref().filter(|_| self.has_crashed);
        [end, self.output.as_ref()].into_iter().flatten().map(String::as_str).collect()
    }
}

fn end_text(End { exit, was_closed }: End) -> Option<String> {
    let status = match exit {
        Exit::Running => return None,
        Exit::Code(code) => format!("exit status {code}"),
        Exit::Signal(_) => exit.to_string().trim_start_matches("its process was ended by ").to_owned(),
    };
    match (exit.is_crash(), was_closed) {
        (true, false) => Some(format!("it crashed ({status})")),
        (true, true) => Some(format!("its process ended after its input was closed ({status})")),
        (false, false) => Some(format!("its process ended while its input was open ({status})")),
        (false, true) => None,
    }
}

/// An answer: the lines that a bot wrote until it was sent more.
struct Answer<'a> {
    lines: Vec<&'a str>,
    /// Whether the bot had been sent something.
    was_asked: bool,
}

fn answers(lines: &[Recorded]) -> Vec<Answer<'_>> {
    let mut answers = Vec::<Answer<'_>>::new();
    let (mut was_asked, mut is_new) = (false, true);
    for line in lines {
        match line.stream {
            Stream::ToBot => (was_asked, is_new) = (true, true),
            Stream::FromBot if is_new => {
                answers.push(Answer { lines: vec![&line.text], was_asked });
                is_new = false;
            }
            Stream::FromBot => {
                answers.last_mut().into_iter().for_each(|answer| answer.lines.push(&line.text))
            }
            Stream::Error => {}
        }
    }
    answers
}

/// Whether the last line to the bot or from it is one to it.
fn owes_an_answer(lines: &[Recorded]) -> bool {
    lines.iter().rfind(|line| line.stream != Stream::Error).is_some_and(|line| line.stream == Stream::ToBot)
}

/// Output that the referee hadn't read when it sent more.
fn unread(recording: &BotRecording) -> Option<String> {
    let answers = answers(&recording.lines[..recording.unread_at?]);
    let last = answers.last()?;
    let text = last.lines.last()?;
    Some(format!(
        "in turn {} it wrote {}, which the referee had not read when it sent the next turn",
        answers.len(),
        quoted(text.as_bytes())
    ))
}

/// Output before the first turn, if other bots have none.
fn too_early(recording: &BotRecording, others: &[&BotRecording]) -> Option<String> {
    let is_early =
        |recording: &BotRecording| answers(&recording.lines).first().is_some_and(|first| !first.was_asked);
    let is_usual =
        others.is_empty() || others.iter().any(|other| is_early(other) || answers(&other.lines).is_empty());
    if is_usual || !is_early(recording) {
        return None;
    }
    let answers = answers(&recording.lines);
    Some(format!("it wrote {} before its first turn", quoted(answers.first()?.lines.first()?.as_bytes())))
}

/// An answer of more lines than all answers of the others have, or, without others, than all before.
fn too_long(recording: &BotRecording, others: &[&BotRecording]) -> Option<String> {
    let own = answers(&recording.lines);
    let others = others.iter().flat_map(|other| answers(&other.lines)).map(|answer| answer.lines.len());
    let others = others.collect::<Vec<_>>();
    let (usual, of_whom) = match others.first() {
        Some(&usual) if others.iter().all(|&count| count == usual) => (usual, "the others'"),
        Some(_) => return None,
        None => {
            let first = own.first()?.lines.len();
            let same = own.iter().take_while(|answer| answer.lines.len() == first).count();
            (first, Some("those before").filter(|_| same >= SAME_ANSWERS)?)
        }
    };
    let (turn, answer) = (1..).zip(&own).find(|(_, answer)| answer.lines.len() > usual)?;
    let (count, noun) = (answer.lines.len(), if usual == 1 { "line" } else { "lines" });
    Some(format!(
        "its answer of turn {turn} has {count} lines, {of_whom} have {usual} {noun}: after it came {}",
        quoted(answer.lines[usual].as_bytes())
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::recording;

    fn remarks(seats: &[&str]) -> Remarks {
        let read = |text: &&str| recording::read(format!("= 0\n{text}").as_bytes());
        let recordings = seats.iter().map(read).collect::<Vec<_>>();
        Remarks::of(&recordings.iter().map(Option::as_ref).collect::<Vec<_>>(), 0)
    }

    fn output(seats: &[&str]) -> Option<String> {
        remarks(seats).output
    }

    fn longer(seats: &[&str]) -> Option<String> {
        remarks(seats).longer
    }

    #[test]
    fn ends_are_told_unless_the_referee_ended_the_process() {
        let end = |text: &str| remarks(&[&format!("> 1 a\n. 5 {text}\n")]);
        assert_eq!(end("code 101").end.as_deref(), Some("it crashed (exit status 101)"));
        assert!(end("code 101").has_crashed && end("signal 11").has_crashed);
        assert!(end("signal 11").end.unwrap().starts_with("it crashed (SIGSEGV"));
        let closed = end("code 1 closed");
        assert_eq!(
            closed.end.as_deref(),
            Some("its process ended after its input was closed (exit status 1)")
        );
        assert!(!closed.has_crashed && closed.of_success().is_empty());
        assert_eq!(
            end("code 0").end.as_deref(),
            Some("its process ended while its input was open (exit status 0)")
        );
        assert_eq!((end("code 0 closed").end, end("signal 15").end, end("signal 9").end), (None, None, None));
        assert_eq!(remarks(&["> 1 a\n< 2 x\n"]), Remarks::default());
        assert_eq!(remarks(&["> 1 a\n! 2 x\n"]), Remarks { owes_an_answer: true, ..Remarks::default() });
        assert!(end("code 0").has_ended_early && !closed.has_ended_early);
    }

    #[test]
    fn a_bot_that_used_little_processor_time_was_idle() {
        let idle = |text: &str, words: &str| {
            let remarks = remarks(&[&format!("> 1 a\n{text}\n")]);
            remarks.of_time_out(words).map(str::to_owned)
        };
        let words = "it used 2.0 ms of processor time in its last turn: the machine kept it waiting, or it waited itself";
        assert_eq!(idle("~ 9 2000 100000", "").as_deref(), Some(words));
        let late = "~ 9 2000 100000\n< 9 late";
        assert_eq!(idle(late, "$0 has not provided 1 lines in time").as_deref(), Some(words));
        // Another failure, an answer that was soon, and one that was thought about.
        for (text, words) in [
            (late, ""),
            ("~ 9 2000 100000", "$0: invalid input"),
            ("~ 9 2000 100000\n. 9 code 1", ""),
            ("~ 9 2000 100000\n< 9 x\n> 9 b", ""),
            ("~ 9 60000 100000", "$0 timeout"),
        ] {
            assert_eq!(idle(text, words), None, "{text} {words}");
        }
    }

    #[test]
    fn output_that_stood_in_the_pipe_is_named_with_its_turn() {
        let found = output(&["> 1 a\n< 2 x\n> 3 b\n< 4 y\n< 5 late\n? 6\n> 6 c\n< 7 z\n"]).unwrap();
        assert!(found.starts_with("in turn 2 it wrote \"late\", which the referee had not read"), "{found}");
    }

    #[test]
    fn a_longer_answer_than_all_others_is_noticed() {
        let two = "> 1 a\n< 2 0 0\n< 2 2 2\n> 5 b\n< 6 1 1\n< 6 2 1\n";
        let one = "> 3 a\n< 4 1 0\n> 7 b\n< 8 1 2\n";
        let found = longer(&[two, one]).unwrap();
        assert_eq!(found, "its answer of turn 1 has 2 lines, the others' have 1 line: after it came \"2 2\"");
        assert_eq!((longer(&[one, two]), longer(&[two, two])), (None, None));
        // Answers of the others differ: the number of lines depends on the position.
        assert_eq!(longer(&[two, "> 3 a\n< 4 x\n> 5 b\n< 6 x\n< 7 y\n"]), None);
        let alone = "> 1 a\n< 2 x\n> 3 b\n< 4 x\n> 5 c\n< 6 x\n> 7 d\n< 8 x\n< 8 y\n";
        let found = longer(&[alone]).unwrap();
        assert!(found.starts_with("its answer of turn 4 has 2 lines, those before have 1 line"), "{found}");
        assert_eq!(longer(&[two]), None);
        assert!(remarks(&[two, one]).of_success().is_empty() && remarks(&[two, one]).of_failure().len() == 1);
    }

    #[test]
    fn output_before_the_first_turn_is_noticed_unless_all_begin_so() {
        let (early, usual) = ("< 1 hello\n> 2 a\n< 3 x\n", "> 1 a\n< 3 x\n");
        assert_eq!(output(&[early, usual]).as_deref(), Some("it wrote \"hello\" before its first turn"));
        assert_eq!((output(&[usual, early]), output(&[early, early]), output(&[early])), (None, None, None));
    }

    #[test]
    fn debugging_is_told_of_failures_only() {
        let found = remarks(&["> 1 a\n< 2 depth=3\n", "> 1 a\n< 2 x\n"]);
        assert!(found.of_failure()[0].starts_with("it wrote \"depth=3\"; this looks like debugging output"));
        assert!(found.of_success().is_empty());
    }
}
