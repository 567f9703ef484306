//! The submitted bot: best-first minimax over an evaluation by tables of small-board patterns.
//!
//! The evaluation is a small neural network whose output is computed by adding up table rows. A small board has 32
//! features, each the positive part of a weighted sum of its marks. A hidden unit sums weighted features of all nine
//! boards; the board to play in counts a second time, with its own weights. Each unit occurs eight times in the
//! network, once for each symmetry of the grid, so the eight images of a position have exactly the same value. A unit is
//! cut to 0 to 1 and squared; the estimate is a weighted sum of the squares, with other weights for each board to play
//! in. A small board's contribution to the units depends only on its place and pattern: [`tables::Tables`] stores it
//! precomputed, in a byte.

pub mod code;
pub mod network;
pub mod tables;
#[cfg(test)]
mod tests;

use coppice::search::{BestFirst, BestFirstOptions};

use super::board::Board;
use tables::{Tables, SCALE};

contest::tunables! {
    /// Tunable parameters.
    pub struct Numbers {
        /// The constant C of UCB1, for averages in 0 to 1.
        exploration: f32 = 0.1 in 0.005..=1.0,
        /// The factor on exploration of a move that gives the opponent a free choice of board. See `NOTES.md`.
        free_exploration: f32 = 0.5 in 0.0..=1.0,
    }
}

/// Size of the bot's tree in bytes, in addition to about 45 million bytes of tables.
pub const BYTES: usize = 256 << 20;

/// The search with these parameters and a tree of `bytes` bytes.
pub fn search(numbers: &Numbers, bytes: usize) -> BestFirst<Board, Tables> {
    let mut tables = Tables::trained();
    tables.free_exploration = numbers.free_exploration;
    BestFirst::new(tables, options(numbers, bytes))
}

/// The options of a search with a tree of `memory` bytes.
pub fn options(numbers: &Numbers, memory: usize) -> BestFirstOptions {
    let exploration = numbers.exploration;
    BestFirstOptions { memory, exploration, scale: SCALE, average: true, keep_tree: true }
}

/// How much a move to `next` is explored: `free` if it gives the opponent a free choice of board, else 1.
#[inline(always)]
pub fn interest(next: &Board, free: f32) -> f32 {
    match next.next() {
        Some(_) => 1.0,
        None => free,
    }
}
