//! Cells, sets of cells, and moves between them.

use std::fmt;

/// A set of cells: bit 8 * row + column.
pub type Cells = u64;

/// The leftmost column.
const LEFT: Cells = 0x0101_0101_0101_0101;
/// The rightmost column.
const RIGHT: Cells = LEFT << 7;
/// A side's home row, as it sees the board.
pub const HOME: Cells = 0xff;
/// A side's target row, as it sees the board.
pub const GOAL: Cells = HOME << 56;

/// A direction of movement, as the frog's side sees the board: forward is towards higher rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Towards higher columns.
    Right,
    /// Towards lower columns.
    Left,
    /// Towards the goal.
    Forward,
    /// Both at once.
    ForwardRight,
    /// Both at once.
    ForwardLeft,
}

impl Way {
    /// All directions, in the order in which paths prefer them.
    pub const ALL: [Way; 5] = [Way::Right, Way::Left, Way::Forward, Way::ForwardRight, Way::ForwardLeft];

    /// The cells one step away from these, within the board.
    #[inline(always)]
    pub const fn step(self, cells: Cells) -> Cells {
        match self {
            Way::Right => (cells & !RIGHT) << 1,
            Way::Left => (cells & !LEFT) >> 1,
            Way::Forward => cells << 8,
            Way::ForwardRight => (cells & !RIGHT) << 9,
            Way::ForwardLeft => (cells & !LEFT) << 7,
        }
    }

    /// The cells from which one step leads to these.
    #[inline(always)]
    pub const fn back(self, cells: Cells) -> Cells {
        match self {
            Way::Right => (cells & !LEFT) >> 1,
            Way::Left => (cells & !RIGHT) << 1,
            Way::Forward => cells >> 8,
            Way::ForwardRight => (cells & !LEFT) >> 9,
            Way::ForwardLeft => (cells & !RIGHT) >> 7,
        }
    }
}

/// The cells and their neighbours, in all eight directions.
#[inline(always)]
pub const fn around(cells: Cells) -> Cells {
    let row = cells | Way::Right.step(cells) | Way::Left.step(cells);
    row | row << 8 | row >> 8
}

/// The lowest cell number of a non-empty set.
#[inline(always)]
pub const fn lowest(cells: Cells) -> u8 {
    cells.trailing_zeros() as u8
}

/// A move as its side sees the board: the board grows, or a frog goes from one cell to another. A jump stores only
/// the number of hops of its shortest path, not the path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Move(u16);

impl Move {
    /// The neighbours of all own frogs become pads.
    pub const GROW: Move = Move(0);

    /// An impossible move: a frog that stays where it is.
    pub const NOWHERE: Move = Move(0xfff);

    /// A frog's move with this number of hops; 0 for a step.
    #[inline(always)]
    pub const fn new(from: u8, to: u8, hops: u32) -> Move {
        Move((from as u16) << 6 | to as u16 | (hops as u16) << 12)
    }

    /// The frog's starting cell; 0 if the board grows.
    #[inline(always)]
    pub const fn from(self) -> u8 {
        (self.0 >> 6) as u8 & 63
    }

    /// The frog's landing cell.
    #[inline(always)]
    pub const fn to(self) -> u8 {
        self.0 as u8 & 63
    }

    /// The number of hops; 0 unless it is a jump.
    #[inline(always)]
    pub const fn hops(self) -> u32 {
        (self.0 >> 12) as u32
    }

    /// The number of rows the frog advances.
    #[inline(always)]
    pub const fn rows(self) -> u32 {
        (self.to() >> 3) as u32 - (self.from() >> 3) as u32
    }

    /// Whether the board grows.
    #[inline(always)]
    pub const fn is_grow(self) -> bool {
        self.0 == 0
    }

    /// Both cells as one number.
    #[inline(always)]
    pub const fn code(self) -> u16 {
        self.0 & 0xfff
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_grow() {
            return f.write_str("grow");
        }
        let cell = |cell: u8| (cell >> 3, cell & 7);
        write!(f, "{:?} to {:?} in {} hops", cell(self.from()), cell(self.to()), self.hops())
    }
}
