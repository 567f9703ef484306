//! Tic-tac-toe: rules, evaluation, contest, a perfect player.

pub mod board;
pub mod contest;
pub mod eval;
pub mod perfect;

pub use board::Board;
