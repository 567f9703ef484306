//! m,n,k games: two players in turn mark cells of a board of M rows and N columns; the first with K in a line wins.
//! Contains the rules; the heuristic and method of an earlier player, MNKGames; the bot's own position, forced-win
//! search and main search; contest and player.

pub mod board;
pub mod cell;
pub mod field;
pub mod heuristic;
pub mod protocol;
pub mod strategy;
pub mod threat_search;
pub mod threats;
#[cfg(not(bundled))]
pub mod tools;

#[cfg(test)]
mod tests;

pub use board::Board;
pub use cell::Cell;
pub use heuristic::Heuristic;
