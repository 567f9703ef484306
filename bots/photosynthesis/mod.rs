//! Photosynthesis (Spring Challenge 2021) as the platform plays it: rules, maps, protocol, players.

pub mod board;
pub mod cell;
#[cfg(not(bundled))]
pub mod map;

pub mod protocol;

pub use board::{Action, Board};
pub use cell::Cell;
