//! A cell of the board, which is also a move.

use std::fmt;

/// A cell by row and column, from 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Cell {
    /// The row, from the top.
    pub row: u8,
    /// The column, from the left.
    pub column: u8,
}

impl Cell {
    /// The cell in this row and column.
    #[inline(always)]
    pub const fn new(row: u8, column: u8) -> Cell {
        Cell { row, column }
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.row, self.column)
    }
}
