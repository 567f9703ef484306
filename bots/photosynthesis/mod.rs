//! Photosynthesis (Spring Challenge 2021) as the platform plays it: rules, maps, protocol, players.

pub mod board;
pub mod candidates;
pub mod cell;
pub mod habits;
#[cfg(not(bundled))]
pub mod map;

pub mod protocol;
pub mod strategy;
pub mod thrifty;

pub use board::{Action, Board};
pub use cell::Cell;
