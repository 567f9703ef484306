//! How the games of a run begin.

use std::fmt;

/// What is played before the bots are asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Openings {
    /// So many random plies from the game's seed.
    Random {
        /// Fewer where the game would end.
        plies: u32,
    },
}

impl Default for Openings {
    fn default() -> Self {
        Self::Random { plies: 0 }
    }
}

impl fmt::Display for Openings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random { plies } => write!(f, "{plies} random plies"),
        }
    }
}
