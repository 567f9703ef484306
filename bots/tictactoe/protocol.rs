//! Implements the grid protocol for tic-tac-toe.

use super::board::Board;
use crate::shared::grid::Grid;

impl Grid for Board {
    const NAME: &'static str = "tictactoe";
    const SIZE: u8 = 3;
    const START: Board = Board::START;

    fn at(row: u8, column: u8) -> u8 {
        3 * row + column
    }

    fn place(cell: u8) -> (u8, u8) {
        (cell / 3, cell % 3)
    }

    fn force(&mut self, cell: Option<u8>) {
        Board::force(self, cell);
    }
}
