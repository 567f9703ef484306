//! Why a run of games ends early.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use crate::external::RefereeError;
use crate::failure::FailureKind;
use crate::game::in_process::InProcessError;
use crate::game::GameError;
use crate::process::command_line::CommandLineError;
use crate::process::StartError;
use crate::record::games::GamesError;
use crate::series::failures::Failing;
use crate::series::openings::OpeningError;

/// A game of a run can't be played, judged or stored. A bot's fault is a result, not an error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SeriesError {
    /// A game has no result.
    #[error(transparent)]
    Game(#[from] GameError),
    /// The file of games can't be used.
    #[error(transparent)]
    Games(#[from] GamesError),
    /// A search of this program can't play.
    #[error(transparent)]
    InProcess(#[from] InProcessError),
    /// A bot's command line can't be split.
    #[error(transparent)]
    CommandLine(#[from] CommandLineError),
    /// A bot can't be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A bot's program isn't there or can't be run.
    #[error("bot {bot}, `{command}`, can't be started: {problem}")]
    Program {
        /// The bot's name.
        bot: String,
        /// Command line of the bot.
        command: String,
        /// Fault and advice, as a sentence.
        problem: String,
    },
    /// A bot failed repeatedly.
    #[error(
        "stopped: bot {bot} {failing}, {}\n\
         {advice}; --keep-going plays on regardless",
        .failing.fault
    )]
    KeepsFailing {
        /// Name of the bot.
        bot: String,
        /// Advice on looking into it, as a clause.
        advice: String,
        /// Counts and the last failure.
        failing: Box<Failing>,
    },
    /// An opening file can't be used.
    #[error("{}: {reason}", place(.path, *.line))]
    Openings {
        /// The file.
        path: PathBuf,
        /// The line number, from 1; 0 if the error concerns the whole file.
        line: usize,
        /// The mistake.
        reason: String,
    },
    /// A game's opening can't be set up.
    #[error("can't begin a game of {contest}: {reason}")]
    Opening {
        /// The contest.
        contest: String,
        /// The reason.
        reason: OpeningError,
    },
    /// The logs can't be written.
    #[error("can't write to the log folder {}: {source}\ngive --log-dir a writable folder", .path.display())]
    LogDir {
        /// The folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A worker thread can't be started.
    #[error("can't start a thread for another game: {0}\ngive a smaller -j")]
    Thread(#[source] io::Error),
    /// An external referee can't play a game.
    #[error(transparent)]
    Referee(RefereeError),
    /// The machines that were to play the games can't.
    #[error("{error}")]
    Machines {
        /// Why not.
        #[source]
        error: Box<dyn Error + Send + Sync>,
        /// The kind of the failure.
        kind: FailureKind,
    },
}

impl SeriesError {
    /// The bot that can't be started and is itself at fault.
    pub fn bot_at_fault(&self) -> Option<&str> {
        match self {
            Self::Start(error) => error.bot_at_fault(),
            Self::Program { bot, .. } => Some(bot),
            _ => None,
        }
    }

    /// The kind of failure, which decides the exit status.
    pub fn kind(&self) -> FailureKind {
        match self {
            Self::Game(error) => error.kind(),
            Self::InProcess(error) => error.kind(),
            Self::Referee(error) => error.kind(),
            Self::Machines { kind, .. } => *kind,
            Self::CommandLine(_) | Self::Openings { .. } => FailureKind::Usage,
            _ => FailureKind::Other,
        }
    }
}

impl From<RefereeError> for SeriesError {
    fn from(error: RefereeError) -> Self {
        match error {
            RefereeError::Interrupted => Self::Game(GameError::Interrupted),
            error => Self::Referee(error),
        }
    }
}

/// Formats a place in a file as `path:line`.
fn place(path: &Path, line: usize) -> String {
    match line {
        0 => path.display().to_string(),
        _ => format!("{}:{line}", path.display()),
    }
}
