//! Why a tuning run ends early.

use crate::failure::Failure;
use crate::tune::log::LogError;
use coppice_referee::cluster::ClusterError;
use coppice_referee::failure::FailureKind;
use coppice_referee::game::GameError;
use coppice_referee::series::SeriesError;

/// The rest of a tuning run can't be played.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TuneError {
    /// A game can't be played.
    #[error(transparent)]
    Series(#[from] SeriesError),
    /// Machines can't share the run.
    #[error(transparent)]
    Cluster(#[from] ClusterError),
    /// The log can't be used.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The tuned bot keeps failing.
    #[error(
        "stopped: the bot failed {failures} times in the first {games} games, the last time by {fault}\n\
         run `arena check {contest} {command}` to test it"
    )]
    Fails {
        /// The number of failures.
        failures: usize,
        /// The number of games played.
        games: u32,
        /// The last fault.
        fault: String,
        /// The contest.
        contest: String,
        /// Command line of the bot, quoted.
        command: String,
    },
}

impl TuneError {
    /// The kind of failure, which decides the exit status.
    pub fn kind(&self) -> FailureKind {
        match self {
            Self::Series(error) => error.kind(),
            Self::Cluster(error) => error.kind(),
            _ => FailureKind::Other,
        }
    }
}

impl From<GameError> for TuneError {
    fn from(error: GameError) -> Self {
        Self::Series(error.into())
    }
}

impl From<TuneError> for Failure {
    fn from(error: TuneError) -> Self {
        let kind = error.kind();
        Self::of_kind(kind, error)
    }
}
