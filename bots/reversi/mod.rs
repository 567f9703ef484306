//! Othello, as the platform plays it: rules, evaluations, protocol, players.

pub mod behaviour;
pub mod board;
pub mod cell;
pub mod endgame;
pub mod eval;
pub mod monte_carlo;
pub mod player;
pub mod protocol;
pub mod referee;
pub mod strategy;
mod told;

#[cfg(test)]
mod tests;

pub use board::Board;
pub use cell::Cell;
