//! The reasons that a session can't be had or changed.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

use crate::notation::Unreadable;
use crate::tunable::TunableError;

/// The reason that a search or a player can't start.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SessionError {
    /// None has this name.
    Unknown {
        /// `search` or `player`.
        role: &'static str,
        /// The name.
        name: String,
        /// The names there are.
        available: String,
    },
    /// A parameter of a search is unknown, or its value invalid.
    Parameter {
        /// The name of the search; `None` for a player of [`SinglePlayer`](crate::single_player::SinglePlayer).
        search: Option<String>,
        /// The fault.
        error: TunableError,
    },
    /// The position isn't one of the game.
    Position(Unreadable),
    /// Anything else, as a sentence.
    Other(Cow<'static, str>),
}

impl SessionError {
    /// None of the available searches or players, as `role` says, has this name.
    pub fn unknown<'a>(
        role: &'static str,
        name: &str,
        available: impl IntoIterator<Item = &'a str>,
    ) -> SessionError {
        let available = available.into_iter().collect::<Vec<_>>().join(", ");
        SessionError::Unknown { role, name: name.to_owned(), available }
    }

    pub(crate) fn parameter(search: &str, error: TunableError) -> SessionError {
        SessionError::Parameter { search: Some(search.to_owned()), error }
    }

    /// The size is given in nodes, but the search has no pool of them.
    pub(crate) fn no_pool(search: &str) -> SessionError {
        format!("the search {search} has no pool whose nodes are counted: give the size in megabytes").into()
    }
}

impl From<TunableError> for SessionError {
    fn from(error: TunableError) -> SessionError {
        SessionError::Parameter { search: None, error }
    }
}

impl From<Unreadable> for SessionError {
    fn from(error: Unreadable) -> SessionError {
        SessionError::Position(error)
    }
}

impl From<String> for SessionError {
    fn from(reason: String) -> SessionError {
        SessionError::Other(reason.into())
    }
}

impl fmt::Display for SessionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SessionError::Unknown { role, name, available } => {
                write!(f, "no {role} \"{name}\"; available: {available}")
            }
            SessionError::Parameter { search: Some(search), error } => {
                write!(f, "the search {search}: {error}")
            }
            SessionError::Parameter { search: None, error } => error.fmt(f),
            SessionError::Position(error) => error.fmt(f),
            SessionError::Other(reason) => f.write_str(reason),
        }
    }
}

impl Error for SessionError {}

/// [`Session::set_threshold`](super::Session::set_threshold) of a search that doesn't prune siblings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotPruning;

impl fmt::Display for NotPruning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this search doesn't prune siblings; minimax does")
    }
}

impl Error for NotPruning {}
