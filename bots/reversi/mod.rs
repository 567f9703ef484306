//! Othello as the platform plays it: rules, evaluations, searches, protocol, players.

#[cfg(not(bundled))]
pub mod bench;
pub mod board;
pub mod cell;
#[cfg(not(bundled))]
mod drawing;
pub mod endgame;
pub mod eval;
pub mod monte_carlo;
#[cfg(not(bundled))]
mod notation;
pub mod player;
pub mod protocol;
#[cfg(not(bundled))]
pub mod referee;
pub mod strategy;

#[cfg(test)]
mod tests;

pub use board::Board;
pub use cell::Cell;
