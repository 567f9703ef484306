//! A cell of the board and its name.

use std::fmt;
use std::str::FromStr;

/// One of the 64 cells, or a pass. Bit `8 * y + x` of a bitboard: a1 (top left) is bit 0, h1 is bit 7, h8 is bit 63.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Cell(u8);

impl Cell {
    /// The pass: the only move of a player without a legal one.
    pub const PASS: Cell = Cell(64);

    /// The cell with this bit number.
    ///
    /// # Panics
    /// In debug builds if `bit` is not below 64.
    #[inline(always)]
    pub const fn new(bit: u32) -> Cell {
        debug_assert!(bit < 64, "a board has 64 cells");
        Cell(bit as u8)
    }

    /// The cell with this [`move_index`](coppice::Game::move_index); the pass for an index without a cell.
    #[inline(always)]
    pub const fn code(code: u16) -> Cell {
        if code < 64 {
            Cell(code as u8)
        } else {
            Cell::PASS
        }
    }

    /// The bit number, 64 for the pass.
    #[inline(always)]
    pub const fn bit(self) -> u32 {
        self.0 as u32
    }

    /// The cell's bitboard; 0 for the pass.
    #[inline(always)]
    pub const fn board(self) -> u64 {
        if self.0 < 64 {
            1 << self.0
        } else {
            0
        }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Cell::PASS {
            return f.write_str("pass");
        }
        write!(f, "{}{}", (b'a' + self.0 % 8) as char, self.0 / 8 + 1)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Error: the text is not the name of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotACell;

impl FromStr for Cell {
    type Err = NotACell;

    /// Reads `a1` to `h8`; the pass has no name in the protocol.
    fn from_str(text: &str) -> Result<Cell, NotACell> {
        match text.as_bytes() {
            [x @ b'a'..=b'h', y @ b'1'..=b'8'] => Ok(Cell((y - b'1') * 8 + (x - b'a'))),
            _ => Err(NotACell),
        }
    }
}
