//! m,n,k games: two players mark cells of a board of M rows and N columns in turn; whoever has K in
//! a line wins. Rules and the heuristic of an earlier player, MNKGames, with its method; our own position, forced
//! wins and search; contest and player.

pub mod board;
pub mod cell;
#[cfg(not(bundled))]
pub mod contest;
pub mod field;
pub mod heuristic;
pub mod hunt;
#[cfg(not(bundled))]
pub mod original;
pub mod protocol;
#[cfg(not(bundled))]
pub mod solver;
pub mod strategy;
pub mod threats;

#[cfg(test)]
mod tests;

pub use board::Board;
pub use cell::Cell;
pub use heuristic::Heuristic;
