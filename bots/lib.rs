//! The contests, one module each: rules, evaluations, both sides of the protocol, players.
//!
//! What only referees, consoles and tuners need is in each folder's `tools`, which bundles leave out. The searches of
//! consoles and servers are a package of their own, `bots-searches`, with a file in each contest's folder.

#![forbid(unsafe_code)]

pub mod boop;
pub mod freckers;
pub mod lander;
pub mod mancala;
pub mod mnk;
pub mod oware;
pub mod photosynthesis;
pub mod podracing;
pub mod reversi;
pub mod shared;
pub mod sudoku;
pub mod tictactoe;
pub mod tron;
pub mod uttt;
pub mod wondev;

#[cfg(test)]
mod drawing_tests;

#[cfg(not(bundled))]
mod list;

#[cfg(not(bundled))]
pub use list::{contest, contests};
