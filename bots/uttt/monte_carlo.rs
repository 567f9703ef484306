//! The search of `uttt-mcts`: the engine's Monte Carlo tree search with decisive moves.

use coppice::search::{Jump, Mcts, MctsOptions};

use super::board::Board;
use super::decisive::Decisive;

contest::tunables! {
    /// Tunable parameters.
    pub struct Numbers {
        /// The constant C of UCB1, for rewards in 0 to 1. Before playouts used decisive moves 0.83 was best. With
        /// them, 0.55 scores 67 ± 9 % against 0.83, 0.4 scores 46 ± 6 % against 0.55 (5,000 nodes, 84 and 200 games),
        /// and 0.7 scores 45 ± 8 % against 0.5 (20,000 nodes, 120 games). All of this was measured before
        /// `free_exploration` existed.
        exploration: f32 = 0.5 in 0.05..=2.5,
        /// The value of an unvisited move, in place of its UCB1. With 2.7 each move is tried once. 1.1 is as good
        /// (52.0 ± 3.8 % of 500 games), 0.7 is worse (24 ± 8 % of 106).
        first_play_urgency: f32 = 2.7 in 0.2..=3.0,
        /// Factor on exploration for a move that gives the opponent a free choice of board. 0.5 scores 64.6 ± 6.3 %
        /// against 1 with 5,000 nodes (182 games) and 60.9 ± 5.0 % with 20,000 (220 games); 0.3 is as good (52.3 ±
        /// 5.1 % of 302 games against 0.5).
        free_exploration: f32 = 0.5 in 0.0..=1.0,
    }
}

/// Size of the bot's tree in bytes.
pub const BYTES: usize = 128 << 20;

/// The search with these parameters and a tree of `bytes` bytes.
pub fn search(numbers: &Numbers, bytes: usize, seed: u64) -> Mcts<Board, Decisive> {
    let Numbers { exploration, first_play_urgency, free_exploration } = *numbers;
    let options = MctsOptions {
        memory: bytes,
        seed,
        exploration,
        first_play_urgency,
        proofs: true,
        keep_tree: true,
        expand_after: 1,
        rollout_expand: 0,
        jump: Jump::Never,
    };
    Mcts::with_policy(Decisive { free_exploration }, options)
}
