//! Tic-tac-toe: rules, evaluation.

pub mod board;
pub mod eval;

pub use board::Board;
