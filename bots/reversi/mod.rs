//! Othello as the platform plays it: rules, evaluations, searches, protocol, players.

#[cfg(not(bundled))]
pub mod bench;
pub mod board;
pub mod cell;
pub mod cuts;
#[cfg(not(bundled))]
mod drawing;
pub mod endgame;
pub mod eval;
mod lines;
pub mod monte_carlo;
#[cfg(not(bundled))]
mod notation;
pub mod player;
pub mod protocol;
#[cfg(not(bundled))]
pub mod referee;
#[cfg(not(bundled))]
pub mod solver;
pub mod strategy;
#[cfg(not(bundled))]
mod text;

#[cfg(test)]
mod tests;

pub use board::Board;
pub use cell::Cell;
