//! Errors of `arena.toml` and of the bots that it names.

use std::path::PathBuf;

use crate::pool::PoolError;
use coppice_referee::failure::FailureKind;

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
    /// The tester's paths start elsewhere.
    #[error("{} is the file of this folder, and the tester's paths start there: give the command in {}", .path.display(), .folder.display())]
    Elsewhere {
        /// The file.
        path: PathBuf,
        /// The folder of the file.
        folder: PathBuf,
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
    /// The pool can't be used, or a bot can't be built.
    #[error(transparent)]
    Pool(#[from] PoolError),
    /// A file can't be written.
    #[error("can't write {}: {source}", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// The file that is to be pasted into the site doesn't exist.
    #[error("bot {bot}: there is no file {}; correct the bot's `source` in arena.toml", .path.display())]
    NoSource {
        /// The bot.
        bot: String,
        /// The file.
        path: PathBuf,
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
            Self::Wrong { .. }
            | Self::NoBot { .. }
            | Self::NotSubmitted { .. }
            | Self::NoSource { .. }
            | Self::Line { .. } => FailureKind::Usage,
            Self::Pool(error) => error.kind(),
            _ => FailureKind::Other,
        }
    }
}
