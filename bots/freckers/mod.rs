//! Freckers, from the course COMP30024 in 2025: rules, evaluations, players, contest.

pub mod board;
pub mod cell;
pub mod eval;
pub mod protocol;
pub mod strategy;
#[cfg(not(bundled))]
pub mod tools;
mod weights;

pub use board::Board;
