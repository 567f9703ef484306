//! Mancala by the rules of Kalah: rules, evaluation, contest.

pub mod board;
pub mod contest;
pub mod eval;
mod sown;

pub use board::Board;
