//! The program's failure: an error of one of its modules, and its exit status.

use std::error::Error;
use std::fmt;
use std::io;

use crate::game_files::sample::UnknownBot;
use crate::game_files::GameFilesError;
use crate::pool::PoolError;
use crate::project::ProjectError;
use crate::tune::ask::AskError;
use crate::tune::log::LogError;
use coppice_referee::atomic::FileError;
use coppice_referee::cluster::ClusterError;
use coppice_referee::contests::ContestError;
use coppice_referee::external::{BestError, RefereeError};
use coppice_referee::failure::FailureKind;
use coppice_referee::game::in_process::InProcessError;
use coppice_referee::game::GameError;
use coppice_referee::process::command_line::CommandLineError;
use coppice_referee::process::{is_closed_pipe, StartError, INTERRUPTED};
use coppice_referee::record::games::GamesError;
use coppice_referee::replay::loss::LossError;
use coppice_referee::series::SeriesError;
use coppice_scaffold::ScaffoldError;
use coppice_stats::{LikelihoodError, SprtError};

/// The exit status of a wrong command line.
const USAGE: u8 = 2;

/// The exit status of any other failure.
const FAILED: u8 = 1;

/// Why a command of the program has failed. A bot's fault is a result, not a failure.
///
/// Each error that a command can meet is converted into it once, here, together with its exit status.
pub struct Failure {
    status: u8,
    error: Box<dyn Error + Send + Sync>,
}

impl Failure {
    /// A failure with exit status 1.
    pub fn new(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { status: FAILED, error: error.into() }
    }

    /// A wrong command line: exit status 2.
    pub fn usage(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { status: USAGE, error: error.into() }
    }

    /// A failure with the exit status of its kind.
    pub fn of_kind(kind: FailureKind, error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        let status = match kind {
            FailureKind::Interrupt => INTERRUPTED,
            FailureKind::Usage => USAGE,
            FailureKind::Other => FAILED,
        };
        Self { status, error: error.into() }
    }

    /// The program's exit status, as `--help` documents it.
    pub fn status(&self) -> u8 {
        self.status
    }

    /// The error.
    pub fn error(&self) -> &(dyn Error + Send + Sync + 'static) {
        &*self.error
    }

    /// Whether the reader of the results has closed the pipe.
    pub(crate) fn is_closed_output(&self) -> bool {
        matches!(self.error.downcast_ref(), Some(Output(error)) if is_closed_pipe(error))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "exit status {}: {:?}", self.status, self.error)
    }
}

/// The results can't be written.
#[derive(Debug, thiserror::Error)]
#[error("can't write the results to the standard output: {0}")]
struct Output(#[source] io::Error);

/// Ctrl-C can't be caught.
#[derive(Debug, thiserror::Error)]
#[error("can't install the interrupt handler, so bots might be left running: {0}")]
struct Handler(#[source] ctrlc::Error);

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::new(Output(error))
    }
}

impl From<ctrlc::Error> for Failure {
    fn from(error: ctrlc::Error) -> Self {
        Self::new(Handler(error))
    }
}

/// Conversions of errors that are never the command line's, of those that always are, and of those that say so.
macro_rules! conversions {
    ($(failed $failed:ty;)* $(usage $usage:ty;)* $(says $says:ty;)*) => {
        $(impl From<$failed> for Failure {
            fn from(error: $failed) -> Self {
                Self::new(error)
            }
        })*
        $(impl From<$usage> for Failure {
            fn from(error: $usage) -> Self {
                Self::usage(error)
            }
        })*
        $(impl From<$says> for Failure {
            fn from(error: $says) -> Self {
                let kind = error.kind();
                Self::of_kind(kind, error)
            }
        })*
    };
}

conversions! {
    failed FileError;
    failed GamesError;
    failed LikelihoodError;
    failed LogError;
    failed GameFilesError;
    failed StartError;
    usage BestError;
    usage CommandLineError;
    usage ContestError;
    usage SprtError;
    usage UnknownBot;
    says AskError;
    says ClusterError;
    says GameError;
    says LossError;
    says InProcessError;
    says PoolError;
    says ProjectError;
    says RefereeError;
    says SeriesError;
}

impl From<ScaffoldError> for Failure {
    fn from(error: ScaffoldError) -> Self {
        let status = if error.is_usage() { USAGE } else { FAILED };
        Self { status, error: error.into() }
    }
}
