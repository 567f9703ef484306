//! Monte Carlo tree search for Othello: an opponent to measure against.

use coppice::search::{Jump, Mcts, MctsOptions};

use super::board::Board;

contest::tunables! {
    /// Tunable parameters.
    pub struct Numbers {
        /// The constant C of UCB1, for rewards in 0 to 1.
        exploration: f32 = 0.9 in 0.05..=2.5,
        /// The value of an unvisited move, in place of its UCB1.
        first_play_urgency: f32 = 1.1 in 0.2..=3.0,
    }
}

/// Size of the bot's tree in bytes.
pub const BYTES: usize = 64 << 20;

/// The search with these parameters and a tree of `bytes` bytes.
pub fn search(numbers: &Numbers, bytes: usize, seed: u64) -> Mcts<Board> {
    let Numbers { exploration, first_play_urgency } = *numbers;
    Mcts::new(MctsOptions {
        memory: bytes,
        seed,
        exploration,
        first_play_urgency,
        proofs: true,
        keep_tree: true,
        expand_after: 1,
        rollout_expand: 0,
        jump: Jump::Never,
    })
}
