//! Sudoku: a puzzle as a game for one player, for the searches that solve by looking at everything.

pub mod filled;
pub mod grid;

#[cfg(test)]
mod tests;

pub use filled::Filled;
pub use grid::{Fill, Grid};
