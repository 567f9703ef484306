//! Ultimate tic-tac-toe as the platform plays it: rules, evaluation, searches, contest.

pub mod board;
pub mod cell;
#[cfg(not(bundled))]
pub mod contest;
pub mod decisive;
#[cfg(not(bundled))]
mod drawing;
pub mod eval;
pub mod monte_carlo;
pub mod pattern;
pub mod protocol;
#[cfg(not(bundled))]
pub mod quiet;
pub mod uct;

pub use board::Board;
pub use cell::Cell;
