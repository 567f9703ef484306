//! The reasons that a command of the console, or its first position, is refused.

use std::borrow::Cow;

use contest::session::NotPruning;
use contest::IllegalMove;

use coppice_referee::game::log::LogError;
use coppice_referee::record::games::GamesError;

/// A command can't be executed, or the first position can't be set up.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConsoleError {
    /// A move isn't legal, or a path leads nowhere.
    #[error(transparent)]
    Move(#[from] IllegalMove),
    /// The search has no threshold.
    #[error(transparent)]
    Pruning(#[from] NotPruning),
    /// A file of games can't be used.
    #[error(transparent)]
    Games(#[from] GamesError),
    /// A dialogue can't be used.
    #[error(transparent)]
    Log(#[from] LogError),
    /// Anything else, as a sentence.
    #[error("{0}")]
    Refused(Cow<'static, str>),
}

impl From<&'static str> for ConsoleError {
    fn from(reason: &'static str) -> ConsoleError {
        ConsoleError::Refused(reason.into())
    }
}

impl From<String> for ConsoleError {
    fn from(reason: String) -> ConsoleError {
        ConsoleError::Refused(reason.into())
    }
}
