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

/// The most bytes one turn's answer may have, line ends not counted: the platform's limit.
pub const MAX_ANSWER_BYTES: usize = 10_000;

/// The first word of a line of standard error that is a plan of the bot's: somebody may want to draw it.
pub const PLAN: &str = "plan";

/// Somebody who is sent turns and answers them.
pub trait Bot {
    /// Sends `text` and waits for `lines` lines, a little longer than `limit`.
    ///
    /// The clock runs from just before the first byte is sent until the answer's last line has been read.
    /// Whether the answer came in time is the caller's to judge, by [`Reply::after`]: waiting
    /// past the limit lets it say by how much an answer was late.
    fn ask(&mut self, text: &str, lines: usize, limit: Duration) -> Reply;

    /// Says that no more turns will come. Doesn't wait.
    fn dismiss(&mut self);

    /// Ends the bot and everything it has started; before that, it has `grace` to leave by itself.
    /// After the first call this does nothing.
    fn stop(&mut self, grace: Duration);

    /// The end of what the bot has written to its standard error.
    fn stderr_tail(&mut self) -> String;

    /// What the bot has used of the machine: so far where the system says that of a running process, all
    /// of it once the bot was stopped.
    fn usage(&mut self) -> Usage {
        Usage::default()
    }

    /// What the bot took too much of, if it has a limit for a whole game. Known at once where the system says
    /// what a running process uses, and at its end elsewhere.
    fn excess(&mut self) -> Option<Excess> {
        None
    }

    /// The texts after `plan` in the lines of its standard error that begin with that word; complete once the bot was
    /// stopped.
    fn plans(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// The numbers that the bot has said on its standard error; complete once it was stopped.
    fn data(&mut self) -> BotData {
        BotData::default()
    }
}

/// A bot's reply to a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// As many lines as were asked for.
    Answer {
        /// When the last of them had been read.
        after: Duration,
        /// The lines, without the last line end.
        bytes: Vec<u8>,
        /// A further, unrequested line that had already arrived.
        extra: Option<Vec<u8>>,
    },
    /// A line had come before the turn was sent. Nothing or only the turn has been sent.
    Unasked {
        /// The line.
        bytes: Vec<u8>,
    },
    /// Not enough lines until somewhat after the limit.
    Silent {
        /// How long the referee waited.
        after: Duration,
        /// What had come until then.
        bytes: Vec<u8>,
    },
    /// More than [`MAX_ANSWER_BYTES`]. The rest was not read.
    TooLong {
        /// When the limit was crossed.
        after: Duration,
        /// How it begins.
        bytes: Vec<u8>,
    },
    /// The bot closed its output before it had answered.
    Closed {
        /// When it did.
        after: Duration,
        /// What had come until then.
        bytes: Vec<u8>,
        /// How its process ended.
        exit: Exit,
    },
}

impl Reply {
    /// An answer as a script gives it.
    pub fn line(after: Duration, text: &str) -> Self {
        Self::Answer { after, bytes: text.into(), extra: None }
    }

    /// The time on the turn's clock; zero for a line that came before it was started.
    pub fn after(&self) -> Duration {
        match self {
            Self::Answer { after, .. }
            | Self::Silent { after, .. }
            | Self::TooLong { after, .. }
            | Self::Closed { after, .. } => *after,
            Self::Unasked { .. } => Duration::ZERO,
        }
    }

    /// The bytes that came, without an extra line.
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
