//! Tic-tac-toe: rules, evaluation, contest, a perfect player.

pub mod board;
#[cfg(not(bundled))]
pub mod contest;
#[cfg(not(bundled))]
mod drawing;
pub mod eval;
pub mod perfect;
pub mod protocol;

pub use board::Board;
