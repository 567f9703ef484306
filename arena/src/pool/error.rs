//! The reasons why a pool can't be used.

use std::io;
use std::path::{Path, PathBuf};

use super::build::BuildError;
use super::member::InvalidName;
use coppice_referee::failure::FailureKind;
use coppice_referee::process::command_line::CommandLineError;

/// A pool can't be used or changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PoolError {
    /// The folder has no pool.
    #[error("there is no pool in {}: create one with `arena pool new {} CONTEST`, or name another with --pool", .folder.display(), .folder.display())]
    Missing {
        /// The folder.
        folder: PathBuf,
    },
    /// There is one already.
    #[error("there is a pool in {} already: add bots with `arena pool add`, or choose another folder", .folder.display())]
    Exists {
        /// The folder.
        folder: PathBuf,
    },
    /// A file can't be read.
    #[error("can't read {}: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A file can't be written.
    #[error("can't write {}: {source}\nmake room, or give --pool a writable folder", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The pool's file makes no sense.
    #[error("{}: not the file of a pool: {reason}\nmend it by hand, or restore it from a backup", .path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// The mistake.
        reason: String,
    },
    /// A name can't be used.
    #[error(transparent)]
    Name(#[from] InvalidName),
    /// A name is used.
    #[error("there is a bot {name} in the pool already, and its games are kept: choose another name")]
    Taken {
        /// The bot there.
        name: String,
    },
    /// No bot of the pool has this name.
    #[error("there is no bot {name} in the pool; it has {}", if .known.is_empty() { "none".to_owned() } else { .known.join(", ") })]
    Unknown {
        /// The name.
        name: String,
        /// The bots there.
        known: Vec<String>,
    },
    /// A date can't be read.
    #[error("expected a date such as 2025-11-24T18:30:00Z (UTC), found `{text}`")]
    Date {
        /// The text.
        text: String,
    },
    /// A command line can't be split.
    #[error(transparent)]
    CommandLine(#[from] CommandLineError),
    /// The program of a command line isn't there.
    #[error("`{program}` is neither a file nor a program on the PATH: build the bot, or correct the path")]
    NoProgram {
        /// The program.
        program: String,
    },
    /// A command that makes a bot has failed.
    #[error("bot {bot}: {error}")]
    Build {
        /// Name of the bot.
        bot: String,
        /// The failure.
        error: BuildError,
    },
    /// A bot's files have changed.
    #[error(
        "bot {name} has changed since it was added: {} the hash is {now}, and was {then}\nits results would mix two programs: \
         restore the file, or remove {name} and add the new one under another name",
        .place.as_ref().map_or_else(|| "this program was rebuilt, so".to_owned(), |place| format!("in {}", place.display()))
    )]
    Changed {
        /// Name of the bot.
        name: String,
        /// Folder of the bot's files; `None` for a search of this program.
        place: Option<PathBuf>,
        /// The hash when it was added.
        then: String,
        /// The hash now.
        now: String,
    },
}

impl PoolError {
    /// A file that can't be written.
    pub(super) fn write(path: &Path, source: io::Error) -> Self {
        Self::Write { path: path.to_owned(), source }
    }

    /// The kind of failure, which decides the exit status.
    pub fn kind(&self) -> FailureKind {
        match self {
            Self::Missing { .. }
            | Self::Exists { .. }
            | Self::Name(_)
            | Self::Taken { .. }
            | Self::Unknown { .. }
            | Self::Date { .. }
            | Self::CommandLine(_)
            | Self::NoProgram { .. } => FailureKind::Usage,
            Self::Build { error: BuildError::Interrupted(_), .. } => FailureKind::Interrupt,
            _ => FailureKind::Other,
        }
    }
}
