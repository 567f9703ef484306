//! The game, its evaluation, its protocol and the bot, for the submission and for the arena.

pub mod eval;
pub mod game;
pub mod protocol;

use coppice::search::{AlphaBeta, AlphaBetaOptions};

use eval::{Eval, Numbers};
use game::State;

/// The memory of the bot's table of positions, in bytes.
pub const BYTES: usize = 64 << 20;

/// The submitted bot. `coppice::search` has other searches: for a game without a good evaluation take `Mcts`.
pub fn bot(numbers: &Numbers, bytes: usize) -> AlphaBeta<State, Eval> {
    AlphaBeta::new(Eval(*numbers), AlphaBetaOptions { memory: bytes, ..AlphaBetaOptions::default() })
}
