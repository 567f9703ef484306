//! m,n,k games: two players mark cells of a board of M rows and N columns in turn; whoever has K in
//! a line wins. Rules, and a heuristic of the cells that is kept up to date as cells are marked; contest
//! and player.

pub mod board;
pub mod cell;
#[cfg(not(bundled))]
pub mod contest;
pub mod heuristic;
pub mod protocol;
pub mod strategy;

#[cfg(test)]
mod tests;

pub use board::Board;
pub use cell::Cell;
pub use heuristic::Heuristic;
