//! Othello as the platform plays it: rules, evaluations, searches, protocol, players.

#[cfg(not(bundled))]
pub mod behaviour;
pub mod board;
pub mod cell;
pub mod endgame;
pub mod eval;
pub mod monte_carlo;
pub mod player;
pub mod protocol;
#[cfg(not(bundled))]
pub mod referee;
pub mod strategy;
#[cfg(not(bundled))]
mod told;

#[cfg(test)]
mod tests;

pub use board::Board;
pub use cell::Cell;
