//! Contests for one player: tasks that a player does without a protocol in between, for studies.

use std::time::Duration;

use coppice::Budget;

use crate::session::{SearchInfo, SessionSettings};

/// The players of a contest for one.
pub trait SinglePlayer: Sync {
    /// The players that [`SinglePlayer::run`] knows.
    fn players(&self) -> Vec<SearchInfo>;

    /// Does the task of a seed, a terrain or a puzzle, with one of [`SinglePlayer::players`]; `budget` is called at
    /// the beginning of each turn.
    ///
    /// # Errors
    /// If there is no such player, or it doesn't have one of the parameters.
    fn run(
        &self,
        player: &str,
        settings: &SessionSettings,
        seed: u64,
        budget: &dyn Fn() -> Budget,
    ) -> Result<Run, String>;
}

/// How a player did a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// Whether it was done at all.
    pub completed: bool,
    /// The points that a referee would give.
    pub score: i64,
    /// The longest turn.
    pub slowest_turn: Duration,
}
