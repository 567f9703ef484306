//! Why a study can't be repeated.

use std::io;

use super::plan::error::PlanError;
use coppice_referee::atomic::FileError;
use coppice_referee::contests::ContestError;
use coppice_referee::failure::FailureKind;
use coppice_referee::game::in_process::InProcessError;
use coppice_referee::game::GameError;
use coppice_referee::process::command_line::CommandLineError;
use coppice_referee::series::SeriesError;

/// A study can't be read, measured or stored.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// No study has this name.
    #[error("unknown study `{name}`; available: {}, or the path of a study's TOML file", .known.join(", "))]
    Unknown {
        /// The requested name.
        name: String,
        /// The available names.
        known: Vec<String>,
    },
    /// A file is not a valid study.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A row of a study can't be measured.
    #[error("{place}: {error}")]
    Row {
        /// The study and the row.
        place: String,
        /// The error.
        error: Box<StudyError>,
    },
    /// A study's file, document or picture can't be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// No contest has this name.
    #[error(transparent)]
    Contest(#[from] ContestError),
    /// A game can't be played or stored.
    #[error(transparent)]
    Series(#[from] SeriesError),
    /// Rows can't be written as JSON.
    #[error("can't write the rows: {0}")]
    Json(#[from] serde_json::Error),
    /// The results can't be written.
    #[error("can't write the results to the standard output: {0}")]
    Output(#[from] io::Error),
}

impl StudyError {
    /// The kind of failure, which decides the exit status.
    pub fn kind(&self) -> FailureKind {
        match self {
            Self::Row { error, .. } => error.kind(),
            Self::Series(error) => error.kind(),
            Self::Unknown { .. } | Self::Plan(_) | Self::Contest(_) => FailureKind::Usage,
            _ => FailureKind::Other,
        }
    }
}

impl From<GameError> for StudyError {
    fn from(error: GameError) -> Self {
        Self::Series(error.into())
    }
}

impl From<InProcessError> for StudyError {
    fn from(error: InProcessError) -> Self {
        Self::Series(error.into())
    }
}

impl From<CommandLineError> for StudyError {
    fn from(error: CommandLineError) -> Self {
        Self::Series(error.into())
    }
}
