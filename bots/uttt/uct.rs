//! Textbook UCT, a baseline to measure the bot against.

use std::f32::consts::SQRT_2;

use coppice::search::{Jump, Mcts, MctsOptions};

use super::board::Board;

/// UCT as in Kocsis and Szepesvári, *Bandit Based Monte-Carlo Planning*, 2006: C = √2, every move tried once before
/// any is tried twice, random playouts to the end, the most visited move as the answer. It proves nothing and keeps
/// nothing between turns. It uses as many bytes as the bot.
pub fn search(bytes: usize, seed: u64) -> Mcts<Board> {
    let options = MctsOptions {
        memory: bytes,
        seed,
        exploration: SQRT_2,
        first_play_urgency: f32::INFINITY,
        proofs: false,
        keep_tree: false,
        expand_after: 1,
        rollout_expand: 0,
        jump: Jump::Never,
    };
    Mcts::new(options)
}
