//! Photosynthesis (Spring Challenge 2021) as the platform plays it: rules, maps, protocol, players.

pub mod board;
pub mod candidates;
pub mod cell;
pub mod habits;
pub mod player;
pub mod protocol;
pub mod strategy;
#[cfg(not(bundled))]
pub mod tools;

pub use board::{Action, Board};
pub use cell::Cell;
