//! Othello by Monte Carlo tree search: an opponent to measure against.

use coppice::search::{Mcts, MctsOptions};

use super::board::Board;

contest::tunables! {
    /// What can be tuned of it.
    pub struct Numbers {
        /// The constant C of UCB1, with rewards in 0 to 1.
        exploration: f32 = 0.9 in 0.05..=2.5,
        /// The value of a move that has not been tried, in place of its UCB1.
        first_play_urgency: f32 = 1.1 in 0.2..=3.0,
    }
}

/// What the bot takes.
pub const BYTES: usize = 64 << 20;

/// The search with these numbers, in so many bytes.
pub fn search(numbers: &Numbers, bytes: usize, seed: u64) -> Mcts<Board> {
    let Numbers { exploration, first_play_urgency } = *numbers;
    Mcts::new(bytes, seed, MctsOptions { exploration, first_play_urgency, ..MctsOptions::default() })
}
