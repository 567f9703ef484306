//! The ending of a game, and the report of a bot's fault.

use std::fmt;
use std::time::Duration;

use contest::{self, Referee, Seat};
use serde::{Deserialize, Serialize};

use crate::bot::excess::Excess;
use crate::bot::exit::Exit;
use crate::bot::{Reply, MAX_ANSWER_BYTES};
use crate::game::debugging;
use crate::text::{millis, quoted};

/// Lines of standard error in a message.
const SHOWN_STDERR_LINES: usize = 10;

/// The ending of a game, or of one bot's part in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// By the rules.
    Normal,
    /// A well-formed but illegal move.
    IllegalMove,
    /// No answer, or a late one, on the bot's first turn.
    TimeOutFirst,
    /// No answer, or a late one, on a later turn.
    TimeOutLater,
    /// The process ended with an exit code other than 0 or by a signal.
    Crash,
    /// The bot closed its output, or exited with 0, before answering.
    NoOutput,
    /// An answer that is malformed, too long or unrequested.
    Protocol,
    /// The processor time limit of the game was exceeded.
    CpuLimit,
    /// The memory limit was exceeded.
    MemoryLimit,
    /// An external referee says so.
    Failed,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Normal => "normal",
            Self::IllegalMove => "illegal move",
            Self::TimeOutFirst => "time-out on the first turn",
            Self::TimeOutLater => "time-out on a later turn",
            Self::Crash => "crash",
            Self::NoOutput => "no output",
            Self::Protocol => "protocol",
            Self::CpuLimit => "processor time limit",
            Self::MemoryLimit => "memory limit",
            Self::Failed => "failed",
        })
    }
}

/// A bot's fault, without the bot's identity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// How this ends the bot's game.
    pub ending: Ending,
    /// The expected behaviour.
    pub expected: String,
    /// The actual behaviour; bytes are escaped and shortened.
    pub received: String,
    /// Whether it came before the judged turn was sent: in the turn before, whose answer counts.
    pub is_early: bool,
    /// Whether it is a time-out of a bot that used little of the time: it waited, or the machine kept it waiting.
    pub is_idle: bool,
}

/// A time-out within less than this share of the limit, in processor time, isn't for thinking too long.
const IDLE_SHARE: f64 = 0.25;

impl Verdict {
    /// A fault of the judged turn.
    pub fn new(ending: Ending, expected: impl Into<String>, received: impl Into<String>) -> Self {
        Self { ending, expected: expected.into(), received: received.into(), is_early: false, is_idle: false }
    }

    /// Notes the processor time that the bot used in a turn with this limit, if it used so little that its thinking can't have
    /// caused the time-out.
    pub fn with_cpu(mut self, used: Option<Duration>, limit: Duration) -> Self {
        let idle = used.filter(|_| self.is_time_out()).and_then(|used| idle(used, limit, "this"));
        if let Some(words) = idle {
            self.received += &format!("; {words}");
            self.is_idle = true;
        }
        self
    }

    /// Adds a hint if one of these texts, which the bot wrote, looks like debugging output.
    fn with_hint<'a>(mut self, texts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        if texts.into_iter().any(debugging::is_likely) {
            self.received += debugging::HINT;
        }
        self
    }

    /// The verdict on a bot that exceeded a resource limit.
    pub fn excess(excess: &Excess) -> Self {
        let ending = match excess {
            Excess::Cpu { .. } => Ending::CpuLimit,
            Excess::Memory { .. } => Ending::MemoryLimit,
        };
        Self::new(ending, excess.expected(), excess.to_string())
    }

    /// Whether the bot was too slow.
    pub fn is_time_out(&self) -> bool {
        matches!(self.ending, Ending::TimeOutFirst | Ending::TimeOutLater)
    }

    /// The verdict on an answer that the contest refused.
    pub fn refused(fault: contest::Fault, answer: &str) -> Self {
        let ending = match fault.kind {
            contest::FaultKind::Protocol => Ending::Protocol,
            contest::FaultKind::Illegal => Ending::IllegalMove,
        };
        Self::new(ending, fault.expected, quoted(answer.as_bytes())).with_hint([answer.as_bytes()])
    }
}

/// The words for a bot that used so little processor time in a turn, of the time that it had, that its thinking can't have
/// caused a time-out.
pub fn idle(used: Duration, time: Duration, turn: &str) -> Option<String> {
    (used < time.mul_f64(IDLE_SHARE)).then(|| {
        let used = millis(used);
        format!("it used {used:.1} ms of processor time in {turn} turn: the machine kept it waiting, or it waited itself")
    })
}

/// The parts of a turn that the verdict depends on.
#[derive(Debug, Clone, Copy)]
pub struct Turn {
    /// The number of the seat's turn, from 1.
    pub number: u32,
    /// The requested number of lines.
    pub lines: usize,
    /// The limit, including grace.
    pub limit: Duration,
    /// Whether bytes that are no UTF-8 are replaced, and the site would take a line too many for the next turn's answer; see
    /// [`Referee::reads_as_platform`].
    pub is_platform: bool,
}

impl Turn {
    /// Turn number `number` of a seat, from 1.
    pub fn new(number: u32, referee: &dyn Referee, seat: Seat, limit: Duration) -> Self {
        let (lines, is_platform) = (referee.answer_lines(seat), referee.reads_as_platform());
        Self { number, lines, limit, is_platform }
    }

    /// The expectation that an extra line contradicts.
    fn no_more(&self, wanted: &str) -> String {
        let site =
            if self.is_platform { " (the site takes a further line for the next turn's answer)" } else { "" };
        format!("{wanted} and no more{site}")
    }
}

/// Extracts the answer from a reply that is valid and in time.
///
/// Time is checked first: a late answer is a time-out whatever its content.
///
/// # Errors
/// The verdict on an invalid or late reply.
pub fn judge(reply: &Reply, turn: Turn) -> Result<String, Verdict> {
    let wanted = match turn.lines {
        1 => "one line".to_owned(),
        lines => format!("{lines} lines"),
    };
    if reply.after() > turn.limit || matches!(reply, Reply::Silent { .. }) {
        let ending = if turn.number == 1 { Ending::TimeOutFirst } else { Ending::TimeOutLater };
        let received = match reply {
            Reply::Silent { bytes, .. } if bytes.is_empty() => "nothing".to_owned(),
            Reply::Silent { bytes, .. } => format!("only {}, not a whole answer", quoted(bytes)),
            _ => format!("{} after {:.3} ms", quoted(reply.bytes()), millis(reply.after())),
        };
        return Err(Verdict::new(ending, format!("{wanted} within {} ms", millis(turn.limit)), received));
    }
    match reply {
        Reply::Answer { bytes, extra: None, .. } => match std::str::from_utf8(bytes) {
            Err(_) if turn.is_platform => Ok(String::from_utf8_lossy(bytes).into_owned()),
            Ok(text) => Ok(text.to_owned()),
            Err(_) => Err(Verdict::new(Ending::Protocol, format!("{wanted} of UTF-8 text"), quoted(bytes))),
        },
        Reply::Answer { bytes, extra: Some(extra), .. } => {
            let received = format!("{} and after it {}", quoted(bytes), quoted(extra));
            let verdict = Verdict::new(Ending::Protocol, turn.no_more(&wanted), received);
            Err(verdict.with_hint([bytes.as_slice(), extra]))
        }
        Reply::Unasked { bytes } => {
            let (expected, when) = match turn.number {
                1 => ("no output before the first turn".to_owned(), "before its first turn".to_owned()),
                number => (turn.no_more("an answer"), format!("after its answer of turn {}", number - 1)),
            };
            let verdict = Verdict::new(Ending::Protocol, expected, format!("{} {when}", quoted(bytes)));
            Err(Verdict { is_early: true, ..verdict.with_hint([bytes.as_slice()]) })
        }
        Reply::TooLong { bytes, .. } => {
            let expected = format!("{wanted} of at most {MAX_ANSWER_BYTES} bytes");
            let verdict = Verdict::new(Ending::Protocol, expected, format!("more: {}", quoted(bytes)));
            Err(verdict.with_hint([bytes.as_slice()]))
        }
        Reply::Closed { bytes, exit, .. } => {
            let ending = if exit.is_crash() { Ending::Crash } else { Ending::NoOutput };
            let end = match exit {
                Exit::Running => "the end of its output, but not of its process".to_owned(),
                _ => format!("the end of its output: {exit}"),
            };
            let received = if bytes.is_empty() { end } else { format!("{}, then {end}", quoted(bytes)) };
            Err(Verdict::new(ending, wanted, received))
        }
        Reply::Silent { .. } => unreachable!("silence is a time-out"),
    }
}

/// The report of a bot's fault: bot, turn, and what was expected and received.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultReport {
    /// The bot's name in this run.
    pub bot: String,
    /// The seat that failed.
    pub seat: Seat,
    /// The seat's turn, from 1; 0 if unknown, or before the first one.
    pub turn: u32,
    /// Whether it came after the answer of that turn, which counts, or before the first turn; the next turn has no answer
    /// then.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub after_answer: bool,
    /// How its game ended.
    pub ending: Ending,
    /// The expected behaviour.
    pub expected: String,
    /// The actual behaviour.
    #[serde(rename = "came")]
    pub received: String,
    /// The last lines of its standard error.
    pub stderr: String,
    /// Whether it is a time-out of a bot that used little processor time in its turn.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_idle: bool,
}

impl FaultReport {
    /// The report of a verdict on a seat's turn, with that turn's number and the last lines of standard error.
    pub fn of(bot: String, seat: Seat, turn: u32, verdict: Verdict, stderr: String) -> Self {
        let Verdict { ending, expected, received, is_early, is_idle } = verdict;
        let turn = turn.saturating_sub(is_early.into());
        Self { bot, seat, turn, after_answer: is_early, ending, expected, received, stderr, is_idle }
    }

    /// The number of the seat's turn that has no answer because of it; 0 if it isn't known.
    pub fn forfeited_turn(&self) -> u32 {
        self.turn.saturating_add(self.after_answer.into())
    }

    /// The turn for the end of a message; empty if it isn't known, as an external referee doesn't say it.
    pub fn place(&self) -> String {
        match (self.turn, self.after_answer) {
            (0, true) => ", before its first turn".to_owned(),
            (0, false) => String::new(),
            (turn, _) => format!(", turn {turn}"),
        }
    }
}

impl fmt::Display for FaultReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "bot {} (seat {}){}: {}", self.bot, self.seat, self.place(), self.ending)?;
        f.write_str(&self.details())
    }
}

impl FaultReport {
    /// Expected, received, and the last lines of the standard error.
    fn details(&self) -> String {
        let Self { expected, received, stderr, .. } = self;
        let mut text = format!("  expected: {expected}\n  received: {received}");
        if stderr.is_empty() {
            return text + "\n  its standard error is empty";
        }
        text += "\n  last lines of its standard error:";
        stderr.lines().for_each(|line| text += &format!("\n    {line}"));
        text
    }

    /// The fault as text, of a bot that ran alone on a seed.
    pub fn of_case(&self, seed: u64) -> String {
        let ending = match self.ending {
            Ending::TimeOutFirst => "time-out".to_owned(),
            ending => ending.to_string(),
        };
        format!("seed {seed}, bot {}: {ending}\n{}", self.bot, self.details())
    }
}

/// The last lines of `stderr`, printable.
pub fn last_lines(stderr: &str) -> String {
    let lines = stderr.lines().collect::<Vec<_>>();
    let shown = &lines[lines.len().saturating_sub(SHOWN_STDERR_LINES)..];
    let printable = shown.iter().map(|line| crate::text::printable(line.as_bytes()));
    printable.collect::<Vec<_>>().join("\n")
}

/// Removes the extra line if the rules allow it after the answer.
pub fn without_end(reply: Reply, referee: &dyn Referee, seat: Seat) -> Reply {
    match reply {
        Reply::Answer { after, bytes, extra: Some(extra) } => {
            let (answer, line) = (String::from_utf8_lossy(&bytes), String::from_utf8_lossy(&extra));
            let may_follow = referee.may_follow(seat, &answer, line.trim_end());
            Reply::Answer { after, bytes, extra: (!may_follow).then_some(extra) }
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_millis(100);
    const FIRST: Turn = Turn { number: 1, lines: 1, limit: LIMIT, is_platform: false };
    const LATE: Duration = Duration::from_micros(100_001);

    fn ending(reply: Reply) -> Ending {
        let turn = Turn { number: 2, ..FIRST };
        judge(&reply, turn).map_or_else(|verdict| verdict.ending, |_| Ending::Normal)
    }

    #[test]
    fn a_time_out_with_little_processor_time_is_not_for_thinking() {
        let (ms, limit) = (Duration::from_millis, Duration::from_millis(100));
        let time_out = || Verdict::new(Ending::TimeOutLater, "one line within 100 ms", "nothing");
        let waited = time_out().with_cpu(Some(ms(2)), limit);
        assert!(
            waited.is_idle && waited.received.starts_with("nothing; it used 2.0 ms of processor time"),
            "{waited:?}"
        );
        for thought in [Some(ms(25)), Some(ms(99)), None] {
            assert_eq!(time_out().with_cpu(thought, limit), time_out());
        }
        let crash = Verdict::new(Ending::Crash, "one line", "nothing");
        assert_eq!(crash.clone().with_cpu(Some(ms(2)), limit), crash);
    }

    #[test]
    fn the_limit_is_exact() {
        assert_eq!(ending(Reply::line(LIMIT, "a1")), Ending::Normal);
        assert_eq!(ending(Reply::line(LATE, "a1")), Ending::TimeOutLater);
    }

    #[test]
    fn whatever_comes_late_is_a_time_out() {
        let bytes = vec![0xff];
        for reply in [
            Reply::Answer { after: LATE, bytes: bytes.clone(), extra: Some(Vec::new()) },
            Reply::TooLong { after: LATE, bytes: bytes.clone() },
            Reply::Closed { after: LATE, bytes, exit: Exit::Code(1) },
        ] {
            assert_eq!(ending(reply), Ending::TimeOutLater);
        }
    }

    #[test]
    fn the_first_turn_has_its_own_time_out() {
        let turn = FIRST;
        let verdict = judge(&Reply::Silent { after: LATE, bytes: b"c".to_vec() }, turn).unwrap_err();
        assert_eq!(verdict.ending, Ending::TimeOutFirst);
        assert_eq!(verdict.expected, "one line within 100 ms");
        assert_eq!(verdict.received, "only \"c\", not a whole answer");
    }

    #[test]
    fn the_end_of_a_process_is_told_apart() {
        let closed = |exit| Reply::Closed { after: LIMIT, bytes: Vec::new(), exit };
        assert_eq!(ending(closed(Exit::Code(0))), Ending::NoOutput);
        assert_eq!(ending(closed(Exit::Running)), Ending::NoOutput);
        assert_eq!(ending(closed(Exit::Code(101))), Ending::Crash);
        assert_eq!(ending(closed(Exit::Signal(11))), Ending::Crash);
    }

    #[test]
    fn output_before_a_turn_belongs_to_the_turn_before() {
        let report = |number, bytes: &[u8]| {
            let turn = Turn { number, is_platform: true, ..FIRST };
            let verdict = judge(&Reply::Unasked { bytes: bytes.to_vec() }, turn).unwrap_err();
            FaultReport::of("A".to_owned(), 0, number, verdict, String::new())
        };
        let later = report(3, b"2 2");
        assert_eq!((later.turn, later.after_answer, later.forfeited_turn()), (2, true, 3));
        let text = later.to_string();
        assert!(text.starts_with(
            "bot A (seat 0), turn 2: protocol\n  expected: an answer and no more (the site takes"
        ));
        assert!(text.contains("\n  received: \"2 2\" after its answer of turn 2\n"), "{text}");
        let first = report(1, b"ready, depth=3");
        assert_eq!((first.turn, first.forfeited_turn()), (0, 1));
        let text = first.to_string();
        assert!(text.starts_with("bot A (seat 0), before its first turn: protocol\n"), "{text}");
        assert!(text.contains("standard error (eprintln!, cerr"), "{text}");
    }

    #[test]
    fn only_the_last_lines_of_stderr_are_shown() {
        let text = (0..50).map(|i| format!("{i}\n")).collect::<String>();
        assert_eq!(last_lines(&text), "40\n41\n42\n43\n44\n45\n46\n47\n48\n49");
    }
}
