//! How the bot thinks: the engine's Monte Carlo tree search.

use coppice::search::{Mcts, MctsOptions};

use super::board::Board;

crate::tunables! {
    /// What can be tuned of it.
    pub struct Numbers {
        /// The constant C of UCB1, with rewards in 0 to 1. Both numbers were found by `arena tune` in 4,000 games at
        /// 2,000 nodes a move; against 0.9 and 1.1 they score 59 % there, and 60.1 ± 4.5 % (326 games) at 20,000.
        exploration: f32 = 0.83 in 0.05..=2.5,
        /// The value of a move that has not been tried, in place of its UCB1.
        first_play_urgency: f32 = 2.7 in 0.2..=3.0,
    }
}

/// What the bot takes.
pub const BYTES: usize = 128 << 20;

/// The search with these numbers, in so many bytes.
pub fn search(numbers: &Numbers, bytes: usize, seed: u64) -> Mcts<Board> {
    let Numbers { exploration, first_play_urgency } = *numbers;
    Mcts::new(bytes, seed, MctsOptions { exploration, first_play_urgency, ..MctsOptions::default() })
}
