//! Why a tuning run ends early.

use crate::failure::Failure;
use crate::tune::log::LogError;
use coppice_referee::cluster::ClusterError;
use coppice_referee::game::GameError;
use coppice_referee::series::SeriesError;

/// The rest of a tuning run can't be played.
#[derive(Debug, thiserror::Error)]
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
        /// Its command line, quoted.
        command: String,
    },
}

impl TuneError {
    /// Whether the command line is to blame.
    pub fn is_usage(&self) -> bool {
        match self {
            Self::Series(error) => error.is_usage(),
            Self::Cluster(error) => error.is_usage(),
            _ => false,
        }
    }

    /// Whether the program was interrupted.
    pub fn is_interrupt(&self) -> bool {
        match self {
            Self::Series(error) => error.is_interrupt(),
            Self::Cluster(error) => error.is_interrupt(),
            _ => false,
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
        let (is_interrupt, is_usage) = (error.is_interrupt(), error.is_usage());
        Self::of_run(error, is_interrupt, is_usage)
    }
}
