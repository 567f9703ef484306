//! Sudoku: the puzzle as a game for one player, for the exhaustive searches; a dedicated solver; contest and bot.

pub mod bands;
#[cfg(not(bundled))]
pub mod contest;
pub mod filled;
pub mod grid;
pub mod player;
pub mod protocol;
#[cfg(not(bundled))]
pub mod puzzle;

#[cfg(test)]
mod tests;

pub use filled::Filled;
pub use grid::{Fill, Grid};
