//! Implements the grid protocol for ultimate tic-tac-toe.

use super::board::Board;
use super::cell::Cell;
use crate::shared::grid::Grid;

impl Grid for Board {
    const NAME: &'static str = "uttt";
    const SIZE: u8 = 9;
    const START: Board = Board::START;

    fn at(row: u8, column: u8) -> Cell {
        Cell::at(u32::from(row), u32::from(column))
    }

    fn place(cell: Cell) -> (u8, u8) {
        (cell.row() as u8, cell.column() as u8)
    }

    fn force(&mut self, cell: Option<Cell>) {
        Board::force(self, cell);
    }
}
