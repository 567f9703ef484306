//! boop. by Scott Brady: rules, heuristic, the search of the paper, this project's search, contest.

pub mod board;
pub mod heuristic;
pub mod lines;
pub mod net;
pub mod promotion;
pub mod protocol;
pub mod side;
pub mod strategy;
#[cfg(not(bundled))]
pub mod tools;
pub mod turn;

pub use board::Board;
pub use side::Side;
pub use turn::Turn;
