//! The submitted bot's evaluation: tables of small-board patterns.
//!
//! It is a small neural network whose output is computed by adding up table rows. A small board has 64
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

use super::board::Board;

/// The default factor on exploration of a move that gives the opponent a free choice of board. See `NOTES.md`.
pub const FREE: f32 = 0.5;

/// How much a move to `next` is explored: `free` if it gives the opponent a free choice of board, else 1.
#[inline(always)]
pub fn interest(next: &Board, free: f32) -> f32 {
    match next.next() {
        Some(_) => 1.0,
        None => free,
    }
}
