//! Why machines can't share a run.

use std::error::Error;
use std::io;
use std::path::PathBuf;

use crate::failure::FailureKind;
use crate::game::GameError;
use crate::record::games::GamesError;
use crate::series::SeriesError;

/// A run can't be shared out, or one of its tasks failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClusterError {
    /// A game can't be played or stored.
    #[error(transparent)]
    Series(#[from] SeriesError),
    /// A task of another kind can't be done, or its result can't be taken.
    #[error(transparent)]
    Work(Box<dyn Error + Send + Sync>),
    /// The shared folder can't be written.
    #[error(
        "can't write {}: {source}\nall machines need the run's folder (--dir) under the same path, and must be able to \
         write to it",
        .path.display()
    )]
    Folder {
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A worker has found no coordinator.
    #[error(
        "no coordinator has begun a run in {}: give the same command without --worker there, and check that both see the \
         same folder",
        .folder.display()
    )]
    NoCoordinator {
        /// The shared folder.
        folder: PathBuf,
    },
    /// A worker was started with other options, files or another build than its coordinator.
    #[error(
        "this worker has another run than its coordinator: {difference}\nall machines need the same files"
    )]
    OtherRun {
        /// The first difference.
        difference: String,
    },
    /// All workers have failed.
    #[error("no worker is left; {worker} has failed: {reason}")]
    NobodyLeft {
        /// One of them.
        worker: String,
        /// Why it has failed.
        reason: String,
    },
    /// The engine lacks an argument.
    #[error("--cluster {engine} needs --cluster-arg {name}={what}")]
    Argument {
        /// The engine.
        engine: &'static str,
        /// The argument.
        name: String,
        /// The form and the meaning of its value.
        what: String,
    },
    /// A worker on this machine can't be started.
    #[error("can't start the worker `{line}`: {source}")]
    Start {
        /// The program's command line.
        line: String,
        /// The system's reason.
        source: io::Error,
    },
    /// Slurm refuses the workers' job.
    #[error(
        "sbatch doesn't take the job: {reason}\nit was asked for {arguments}; --cluster-arg gives it further options, such \
         as --cluster-arg=--partition=NAME"
    )]
    Refused {
        /// The standard error of sbatch.
        reason: String,
        /// The arguments.
        arguments: String,
    },
    /// All of Slurm's workers are gone.
    #[error(
        "all workers of Slurm's job {job} have ended, and the run hasn't: see {}\nafter a time limit, the same command goes \
         on with new ones",
        .logs.display()
    )]
    Ended {
        /// The job's number.
        job: String,
        /// The workers' logs, as a pattern.
        logs: PathBuf,
    },
}

impl ClusterError {
    /// The error of a task of another kind than a game.
    pub fn work(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Work(error.into())
    }

    /// The kind of failure, which decides the exit status.
    pub fn kind(&self) -> FailureKind {
        match self {
            Self::Series(error) => error.kind(),
            Self::Argument { .. } => FailureKind::Usage,
            _ => FailureKind::Other,
        }
    }
}

impl From<GameError> for ClusterError {
    fn from(error: GameError) -> Self {
        Self::Series(error.into())
    }
}

impl From<GamesError> for ClusterError {
    fn from(error: GamesError) -> Self {
        Self::Series(error.into())
    }
}

impl From<ClusterError> for SeriesError {
    fn from(error: ClusterError) -> Self {
        match error {
            ClusterError::Series(error) => error,
            error => Self::Machines { kind: error.kind(), error: Box::new(error) },
        }
    }
}
