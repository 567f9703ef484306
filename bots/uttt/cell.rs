//! A cell of the 9x9 grid.

use std::fmt;

/// A cell by its small board and its place in it, both `3 * row + column`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Cell(u8);

impl Cell {
    /// A cell of a small board.
    ///
    /// # Panics
    /// In debug builds if either is not below 9.
    #[inline(always)]
    pub const fn new(board: u32, place: u32) -> Cell {
        debug_assert!(board < 9 && place < 9, "nine boards of nine cells");
        Cell((board << 4 | place) as u8)
    }

    /// The cell at a row and a column of the grid, 0 to 8 each.
    pub const fn at(row: u32, column: u32) -> Cell {
        Cell::new(row / 3 * 3 + column / 3, row % 3 * 3 + column % 3)
    }

    /// The cell's small board.
    #[inline(always)]
    pub const fn board(self) -> u32 {
        self.0 as u32 >> 4
    }

    /// The place in the small board: also the small board that a mark sends the opponent to.
    #[inline(always)]
    pub const fn place(self) -> u32 {
        self.0 as u32 & 15
    }

    /// The row in the grid.
    pub const fn row(self) -> u32 {
        self.board() / 3 * 3 + self.place() / 3
    }

    /// The column in the grid.
    pub const fn column(self) -> u32 {
        self.board() % 3 * 3 + self.place() % 3
    }

    /// A unique number below 144.
    #[inline(always)]
    pub const fn code(self) -> u16 {
        self.0 as u16
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.row(), self.column())
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
