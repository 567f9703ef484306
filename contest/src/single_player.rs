//! Single-player contests: tasks solved in this process, without a protocol, for studies.

use std::time::Duration;

use coppice::Budget;

use crate::session::{SearchInfo, SessionError, SessionSettings};

/// The players of a single-player contest.
pub trait SinglePlayer: Sync {
    /// The players that [`SinglePlayer::run`] accepts.
    fn players(&self) -> Vec<SearchInfo>;

    /// Solves the task of a seed (a terrain, a puzzle) with one of [`SinglePlayer::players`]. `budget` is
    /// called at the start of each turn.
    ///
    /// # Errors
    /// If the player or a parameter is unknown, or a value is invalid.
    fn run(
        &self,
        player: &str,
        settings: &SessionSettings,
        seed: u64,
        budget: &dyn Fn() -> Budget,
    ) -> Result<Run, SessionError>;
}

/// A player's result in a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// Whether the task was completed.
    pub completed: bool,
    /// The score as a referee would count it.
    pub score: i64,
    /// Duration of the longest turn.
    pub slowest_turn: Duration,
    /// The moves as in [`Referee::moves`](crate::Referee::moves); fewer than the game has if the player gave up.
    pub moves: String,
}
