//! Tron for two to four players: rules, evaluations, protocol, contest.

mod alone;
pub mod area;
pub mod board;
pub mod coalition;
pub mod eval;
pub mod field;
pub mod player;
pub mod protocol;
pub mod rule;
pub mod strategy;
#[cfg(not(bundled))]
pub mod tools;

#[cfg(test)]
mod tests;

pub use board::{Board, Move};
