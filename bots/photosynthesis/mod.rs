//! Photosynthesis (Spring Challenge 2021) as the platform plays it: rules, maps, protocol, players.

pub mod board;
pub mod candidates;
pub mod cell;
#[cfg(not(bundled))]
pub mod drawing;
#[cfg(not(bundled))]
pub mod greedy;
pub mod habits;
#[cfg(not(bundled))]
pub mod map;
pub mod player;
pub mod protocol;
#[cfg(not(bundled))]
pub mod referee;
#[cfg(not(bundled))]
pub mod serial;
pub mod strategy;
#[cfg(not(bundled))]
pub mod thrifty;

pub use board::{Action, Board};
pub use cell::Cell;
