//! Mancala by the rules of Kalah: rules, evaluation.

pub mod board;
pub mod eval;
mod sown;

pub use board::Board;
