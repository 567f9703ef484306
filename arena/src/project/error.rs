//! Errors of `arena.toml` and of the bots that it names.

use std::path::PathBuf;

use crate::pool::PoolError;
use coppice_referee::failure::FailureKind;
use coppice_referee::game::GameError;

/// The reasons why a project's file or bot can't be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ProjectError {
    /// The file can't be read.
    #[error("can't read {}: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// A key or value makes no sense.
    #[error("{}, line {line}: {reason}", .path.display())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The mistake.
        reason: String,
    },
    /// A word is neither a bot nor anything that can be started.
    #[error("`{word}` is no bot of {}{bots}, no contest, and no program that can be started{hint}", .path.display())]
    NoBot {
        /// The word.
        word: String,
        /// The file.
        path: PathBuf,
        /// The bots, in parentheses.
        bots: String,
        /// A question, if a name is near.
        hint: String,
    },
    /// Nothing has been submitted.
    #[error(
        "nothing has been submitted yet, so there is no bot `site` in {}: submit one with `arena submit NAME`, or name two \
         bots", .folder.display()
    )]
    NotSubmitted {
        /// The pool's folder.
        folder: PathBuf,
    },
    /// The pool can't be used.
    #[error(transparent)]
    Pool(#[from] PoolError),
    /// A program that makes a bot can't be started.
    #[error("bot {bot}: can't start `{command}`: {source}{hint}")]
    Start {
        /// The bot.
        bot: String,
        /// The command line.
        command: String,
        /// The system's error.
        source: std::io::Error,
        /// Advice.
        hint: &'static str,
    },
    /// A program that makes a bot has failed.
    #[error("bot {bot}: `{command}` failed ({status}):\n{said}")]
    Failed {
        /// The bot.
        bot: String,
        /// The command line.
        command: String,
        /// The exit status.
        status: String,
        /// The end of its standard error.
        said: String,
    },
    /// A program that makes a bot prints more than any bot's text.
    #[error("bot {bot}: `{command}` printed more than {most} bytes, which can't be a bot's text")]
    TooLong {
        /// The bot.
        bot: String,
        /// The command line.
        command: String,
        /// The most bytes.
        most: usize,
    },
    /// The user has interrupted what makes a bot.
    #[error(transparent)]
    Interrupted(GameError),
    /// A file can't be written.
    #[error("can't write {}: {source}", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// A command line can't be split.
    #[error("bot {bot}: `{command}`: {reason}")]
    Line {
        /// The bot.
        bot: String,
        /// The command line.
        command: String,
        /// The mistake.
        reason: String,
    },
}

impl ProjectError {
    /// The kind of failure, which decides the exit status.
    pub(crate) fn kind(&self) -> FailureKind {
        match self {
            Self::Wrong { .. } | Self::NoBot { .. } | Self::NotSubmitted { .. } | Self::Line { .. } => {
                FailureKind::Usage
            }
            Self::Interrupted(_) => FailureKind::Interrupt,
            Self::Pool(error) => error.kind(),
            _ => FailureKind::Other,
        }
    }
}
