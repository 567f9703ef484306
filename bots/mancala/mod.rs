//! Mancala by the rules of Kalah: rules, evaluation, solver, contest.

pub mod board;
#[cfg(not(bundled))]
pub mod contest;
pub mod eval;
pub mod protocol;
#[cfg(not(bundled))]
pub mod solver;
mod sown;

#[cfg(test)]
mod tests;

pub use board::Board;
