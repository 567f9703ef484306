//! The bot: best-first minimax over an evaluation by tables of small boards' patterns.
//!
//! The evaluation is a small network, laid out so that nothing of it is left to compute but a sum of
//! table rows. A small board has 32 features, each the positive part of a weighted sum of its marks.
//! A hidden unit adds up weighted features of all nine boards, those of the board to play in a second
//! time with weights of their own, and stands eight times in the network, once for each symmetry of
//! the grid, so that the eight images of a position are worth exactly the same. The estimate is a
//! weighted sum of the units' positive parts. What a small board contributes to the units depends on
//! its place and its pattern alone: [`tables::Tables`] holds it ready.

pub mod code;
pub mod network;
pub mod tables;
#[cfg(test)]
mod tests;

use coppice::search::{BestFirst, BestFirstOptions};

use super::board::Board;
use tables::{Tables, SCALE};

contest::tunables! {
    /// What can be tuned of it.
    pub struct Numbers {
        /// The constant C of UCB1, with averages in 0 to 1.
        exploration: f32 = 0.1 in 0.005..=1.0,
    }
}

/// What the bot takes, beside some 45 million bytes of tables.
pub const BYTES: usize = 256 << 20;

/// The search with these numbers, in so many bytes.
pub fn search(numbers: &Numbers, bytes: usize) -> BestFirst<Board, Tables> {
    let Numbers { exploration } = *numbers;
    let options = BestFirstOptions { exploration, scale: SCALE, ..BestFirstOptions::default() };
    BestFirst::new(Tables::trained(), bytes, options)
}
