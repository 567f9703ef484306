//! boop. by Scott Brady: rules, heuristic, the search of the paper, this project's search, contest.

pub mod board;
#[cfg(not(bundled))]
pub mod contest;
#[cfg(not(bundled))]
mod drawing;
pub mod heuristic;
pub mod lines;
#[cfg(not(bundled))]
pub mod paper;
pub mod promotion;
pub mod protocol;
pub mod side;
#[cfg(not(bundled))]
pub mod solver;
pub mod strategy;
#[cfg(not(bundled))]
pub mod text;
pub mod turn;

pub use board::Board;
pub use side::Side;
pub use turn::Turn;
