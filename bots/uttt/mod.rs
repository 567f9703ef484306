//! Ultimate tic-tac-toe as the platform plays it: rules, evaluation, searches, contest.

pub mod board;
pub mod cell;
pub mod decisive;
pub mod ending;
pub mod eval;
pub mod monte_carlo;
pub mod pattern;
pub mod protocol;
pub mod strategy;
#[cfg(not(bundled))]
pub mod tools;
pub mod uct;

pub use board::Board;
pub use cell::Cell;
