//! The interface between the referee and a player: a process, or a script in a test.

pub mod data;
pub mod excess;
pub mod exit;
pub mod scripted;
pub mod usage;

use std::time::Duration;

use crate::bot::data::BotData;
use crate::bot::excess::Excess;
use crate::bot::exit::Exit;
use crate::bot::usage::Usage;

/// The maximum length of a turn's answer in bytes, line ends not counted: the platform's limit.
pub const MAX_ANSWER_BYTES: usize = 10_000;

/// The first word of a standard error line that holds the bot's plan, for drawings.
pub const PLAN: &str = "plan";

/// A player that is sent turns and answers them.
pub trait Bot {
    /// Sends `text` and waits for `lines` lines, a little longer than `limit`; sends nothing if there is output that wasn't
    /// asked for.
    ///
    /// The clock runs from just before the first byte is sent until the answer's last line has been read.
    /// [`Reply::after`] tells the caller whether the answer came in time: waiting
    /// past the limit shows how late an answer was.
    fn ask(&mut self, text: &str, lines: usize, limit: Duration) -> Reply;

    /// Announces that no more turns will come. Doesn't wait.
    fn dismiss(&mut self);

    /// Ends the bot and everything that it has started, after giving it `grace` to exit by itself.
    /// Further calls do nothing.
    fn stop(&mut self, grace: Duration);

    /// The end of the bot's standard error.
    fn stderr_tail(&mut self) -> String;

    /// Takes the standard error written since the last call; after the bot's end, all that is left.
    fn stderr_news(&mut self) -> Vec<u8> {
        Vec::new()
    }

    /// The bot's resource usage: while it runs, as far as the system reports that of a running process; complete
    /// after its end.
    fn usage(&mut self) -> Usage {
        Usage::default()
    }

    /// The limit for a whole game that the bot exceeded, if any. Known at once where the system reports
    /// the usage of a running process, and at its end elsewhere.
    fn excess(&mut self) -> Option<Excess> {
        None
    }

    /// The texts after `plan` in the lines of its standard error that begin with that word; complete after its
    /// end.
    fn plans(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// Processor time since the last turn was sent; `None` where it isn't known.
    fn turn_cpu(&mut self) -> Option<Duration> {
        None
    }

    /// The numbers that the bot reported on its standard error; complete after its end.
    fn data(&mut self) -> BotData {
        BotData::default()
    }
}

/// A bot's reply to a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// The requested number of lines.
    Answer {
        /// When the last of them had been read.
        after: Duration,
        /// The lines, without the last line end.
        bytes: Vec<u8>,
        /// A further, unrequested line that had already arrived.
        extra: Option<Vec<u8>>,
    },
    /// Output that arrived before the turn was sent.
    Unasked {
        /// The output, without a last line end.
        bytes: Vec<u8>,
    },
    /// Not enough lines until shortly after the limit.
    Silent {
        /// How long the referee waited.
        after: Duration,
        /// The bytes received until then.
        bytes: Vec<u8>,
    },
    /// More than [`MAX_ANSWER_BYTES`]. The rest was not read.
    TooLong {
        /// When the maximum was exceeded.
        after: Duration,
        /// The beginning of the answer.
        bytes: Vec<u8>,
    },
    /// The bot closed its output before answering.
    Closed {
        /// The time of that.
        after: Duration,
        /// The bytes received until then.
        bytes: Vec<u8>,
        /// The end of its process.
        exit: Exit,
    },
}

impl Reply {
    /// An answer of a scripted bot.
    pub fn line(after: Duration, text: &str) -> Self {
        Self::Answer { after, bytes: text.into(), extra: None }
    }

    /// The time on the turn's clock; zero for output from before it started.
    pub fn after(&self) -> Duration {
        match self {
            Self::Answer { after, .. }
            | Self::Silent { after, .. }
            | Self::TooLong { after, .. }
            | Self::Closed { after, .. } => *after,
            Self::Unasked { .. } => Duration::ZERO,
        }
    }

    /// The received bytes, without an extra line.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Answer { bytes, .. }
            | Self::Unasked { bytes }
            | Self::Silent { bytes, .. }
            | Self::TooLong { bytes, .. }
            | Self::Closed { bytes, .. } => bytes,
        }
    }
}
