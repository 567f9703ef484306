//! The textbook's Monte Carlo tree search, for the bot to be measured against.

use std::f32::consts::SQRT_2;

use coppice::search::{Mcts, MctsOptions};

use super::board::Board;

/// UCT as Kocsis and Szepesvári wrote it (*Bandit Based Monte-Carlo Planning*, 2006): C = √2, every move tried
/// once before any twice, random playouts to the end, the most visited move. Nothing is proved, nothing kept from
/// one turn to the next. It takes as many bytes as the bot.
pub fn search(bytes: usize, seed: u64) -> Mcts<Board> {
    let options = MctsOptions {
        exploration: SQRT_2,
        first_play_urgency: f32::INFINITY,
        proofs: false,
        keep_tree: false,
        ..MctsOptions::default()
    };
    Mcts::new(bytes, seed, options)
}
