//! How `uttt-mcts` thinks: the engine's Monte Carlo tree search.

use coppice::search::{Mcts, MctsOptions};

use super::board::Board;
use super::decisive::Decisive;

contest::tunables! {
    /// What can be tuned of it.
    pub struct Numbers {
        /// The constant C of UCB1, with rewards in 0 to 1. Before playouts knew decisive moves 0.83 was best; now
        /// 0.55 scores 67 ± 9 % against it, 0.4 46 ± 6 % against 0.55 (5,000 nodes, 84 and 200 games), 0.7 45 ± 8 %
        /// against 0.5 (20,000 nodes, 120 games). All of that before exploration knew free choices.
        exploration: f32 = 0.5 in 0.05..=2.5,
        /// The value of a move that has not been tried, in place of its UCB1: here each is tried once. 1.1 is as good
        /// (52.0 ± 3.8 % of 500 games), 0.7 is not (24 ± 8 % of 106).
        first_play_urgency: f32 = 2.7 in 0.2..=3.0,
        /// What exploration is multiplied by for a move after which the other may choose the board. Against 1 it scores
        /// 64.6 ± 6.3 % with 5,000 nodes (182 games), 60.9 ± 5.0 % with 20,000 (220 games); 0.3 is as good
        /// (52.3 ± 5.1 % of 302 games against 0.5).
        free_exploration: f32 = 0.5 in 0.0..=1.0,
    }
}

/// What the bot takes.
pub const BYTES: usize = 128 << 20;

/// The search with these numbers, in so many bytes.
pub fn search(numbers: &Numbers, bytes: usize, seed: u64) -> Mcts<Board, Decisive> {
    let Numbers { exploration, first_play_urgency, free_exploration } = *numbers;
    let options = MctsOptions { exploration, first_play_urgency, ..MctsOptions::default() };
    Mcts::with_policy(bytes, seed, options, Decisive { free_exploration })
}
