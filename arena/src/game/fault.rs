//! The ending of a game, and the report of a bot's fault.

use std::fmt;
use std::time::Duration;

use contest::{self, Referee, Seat};
use serde::{Deserialize, Serialize};

use crate::bot::excess::Excess;
use crate::bot::exit::Exit;
use crate::bot::{Reply, MAX_ANSWER_BYTES};
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
}

impl Verdict {
    fn new(ending: Ending, expected: impl Into<String>, received: impl Into<String>) -> Self {
        Self { ending, expected: expected.into(), received: received.into() }
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
        Self::new(ending, fault.expected, quoted(answer.as_bytes()))
    }
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
    /// Whether a line too many is kept for the next turn; see [`Referee::reads_as_platform`].
    pub keeps_surplus: bool,
    /// Whether bytes that are no UTF-8 are replaced.
    pub replaces_bytes: bool,
}

impl Turn {
    /// Turn number `number` of a seat, from 1.
    pub fn new(number: u32, referee: &dyn Referee, seat: Seat, limit: Duration) -> Self {
        let (lines, is_platform) = (referee.answer_lines(seat), referee.reads_as_platform());
        Self { number, lines, limit, keeps_surplus: is_platform && lines == 1, replaces_bytes: is_platform }
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
            Err(_) if turn.replaces_bytes => Ok(String::from_utf8_lossy(bytes).into_owned()),
            Ok(text) => Ok(text.to_owned()),
            Err(_) => Err(Verdict::new(Ending::Protocol, format!("{wanted} of UTF-8 text"), quoted(bytes))),
        },
        Reply::Answer { bytes, extra: Some(extra), .. } => {
            let received = format!("{} and after it {}", quoted(bytes), quoted(extra));
            Err(Verdict::new(Ending::Protocol, format!("{wanted} and no more"), received))
        }
        Reply::Unasked { bytes } => {
            let received = format!("the line {} before the turn was sent", quoted(bytes));
            Err(Verdict::new(Ending::Protocol, "no line that isn't asked for", received))
        }
        Reply::TooLong { bytes, .. } => {
            let expected = format!("{wanted} of at most {MAX_ANSWER_BYTES} bytes");
            Err(Verdict::new(Ending::Protocol, expected, format!("more: {}", quoted(bytes))))
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
    /// Its seat.
    pub seat: Seat,
    /// Its turn, from 1; 0 if it isn't known.
    pub turn: u32,
    /// How its game ended.
    pub ending: Ending,
    /// The expected behaviour.
    pub expected: String,
    /// The actual behaviour.
    #[serde(rename = "came")]
    pub received: String,
    /// The last lines of its standard error.
    pub stderr: String,
}

impl fmt::Display for FaultReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // An external referee doesn't say in which turn.
        let turn = if self.turn == 0 { String::new() } else { format!(", turn {}", self.turn) };
        writeln!(f, "bot {} (seat {}){turn}: {}", self.bot, self.seat, self.ending)?;
        writeln!(f, "  expected: {}", self.expected)?;
        write!(f, "  received: {}", self.received)?;
        if self.stderr.is_empty() {
            return write!(f, "\n  its standard error is empty");
        }
        write!(f, "\n  last lines of its standard error:")?;
        self.stderr.lines().try_for_each(|line| write!(f, "\n    {line}"))
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
    const FIRST: Turn =
        Turn { number: 1, lines: 1, limit: LIMIT, keeps_surplus: false, replaces_bytes: false };
    const LATE: Duration = Duration::from_micros(100_001);

    fn ending(reply: Reply) -> Ending {
        let turn = Turn { number: 2, ..FIRST };
        judge(&reply, turn).map_or_else(|verdict| verdict.ending, |_| Ending::Normal)
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
    fn only_the_last_lines_of_stderr_are_shown() {
        let text = (0..50).map(|i| format!("{i}\n")).collect::<String>();
        assert_eq!(last_lines(&text), "40\n41\n42\n43\n44\n45\n46\n47\n48\n49");
    }
}
