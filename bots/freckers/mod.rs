//! Freckers, from the course COMP30024 in 2025: rules, evaluations, players, contest.

pub mod board;
#[cfg(not(bundled))]
pub mod busy;
pub mod cell;
#[cfg(not(bundled))]
pub mod contest;
#[cfg(not(bundled))]
mod drawing;
pub mod eval;
#[cfg(not(bundled))]
pub mod greedy;
#[cfg(not(bundled))]
pub mod original;
pub mod protocol;
#[cfg(not(bundled))]
pub mod row_weights;
pub mod strategy;
mod weights;

pub use board::Board;
