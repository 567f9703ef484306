//! Sudoku: the puzzle as a game for one player, for the exhaustive searches; a dedicated solver; contest and bot.

pub mod bands;
pub mod filled;
pub mod grid;
pub mod player;
pub mod protocol;
#[cfg(not(bundled))]
pub mod tools;

#[cfg(test)]
mod tests;

pub use filled::Filled;
pub use grid::{Fill, Grid};
