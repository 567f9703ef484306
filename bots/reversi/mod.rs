//! Othello as the platform plays it: rules, evaluations, searches, protocol, players.

pub mod board;
pub mod cell;
pub mod cuts;
pub mod endgame;
pub mod eval;
mod lines;
pub mod monte_carlo;
pub mod player;
pub mod protocol;
pub mod strategy;
#[cfg(not(bundled))]
pub mod tools;

#[cfg(test)]
mod tests;

pub use board::Board;
pub use cell::Cell;
