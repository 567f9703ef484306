//! Mancala by the rules of Kalah: rules, evaluation, solver, contest.

pub mod board;
pub mod eval;
pub mod net;
pub mod protocol;
mod sown;
pub mod strategy;
#[cfg(not(bundled))]
pub mod tools;

#[cfg(test)]
mod tests;

pub use board::Board;
