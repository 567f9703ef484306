//! Ultimate tic-tac-toe, as the platform plays it: rules, evaluation, contest.

pub mod board;
pub mod cell;
pub mod contest;
pub mod eval;
pub mod monte_carlo;

pub use board::Board;
pub use cell::Cell;
