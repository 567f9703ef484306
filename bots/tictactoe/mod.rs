//! Tic-tac-toe: rules, evaluation, contest, a perfect player.

pub mod board;
pub mod eval;
pub mod perfect;
pub mod protocol;
#[cfg(not(bundled))]
pub mod tools;

pub use board::Board;
