//! Contests in which a move is a row and a column of a square grid. Contains the protocol, the referee and the player
//! that all of them share.

#[cfg(not(bundled))]
pub mod contest;
pub mod player;
pub mod protocol;

#[cfg(test)]
mod tests;

use coppice::Game;

/// A game whose moves are cells of a square grid.
pub trait Grid: Game + Sync + 'static {
    /// The contest's name on the command line.
    const NAME: &'static str;

    /// The number of rows and columns, at most 9.
    const SIZE: u8;

    /// The empty grid.
    const START: Self;

    /// The move that marks a cell of the grid.
    fn at(row: u8, column: u8) -> Self::Move;

    /// The row and column of a move.
    fn place(m: Self::Move) -> (u8, u8);

    /// Makes a move that breaks the rules, as well as the grid allows, for a bot whose referee disagrees with the
    /// rules. It marks the cell if it is free; any other cell and `None` change nothing. Then it is the opponent's
    /// turn.
    fn force(&mut self, m: Option<Self::Move>);
}
