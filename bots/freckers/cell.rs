//! Cells, sets of cells, and moves between them.

use std::fmt;

/// A set of cells: the bit of a cell is 8 times its row and its column.
pub type Cells = u64;

/// The leftmost column.
const LEFT: Cells = 0x0101_0101_0101_0101;
/// The rightmost column.
const RIGHT: Cells = LEFT << 7;
/// The row that a side comes from, as it sees the board.
pub const HOME: Cells = 0xff;
/// The row that it wants to reach.
pub const GOAL: Cells = HOME << 56;

/// Where a frog may go, as its side sees the board: rows grow forwards.
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
    /// All, in the order in which paths prefer them.
    pub const ALL: [Way; 5] = [Way::Right, Way::Left, Way::Forward, Way::ForwardRight, Way::ForwardLeft];

    /// The cells one step from these, as far as they are on the board.
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

/// The lowest cell of a set that isn't empty, by number.
#[inline(always)]
pub const fn lowest(cells: Cells) -> u8 {
    cells.trailing_zeros() as u8
}

/// What a side may do, as it sees the board: the whole board grows, or a frog goes from one cell to another.
/// Of a jump the path is not part of the move, only how many hops the shortest one has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Move(u16);

impl Move {
    /// The neighbours of all own frogs become pads.
    pub const GROW: Move = Move(0);

    /// A move that no position has: a frog that stays where it is.
    pub const NOWHERE: Move = Move(0xfff);

    /// A frog's move by so many hops; a step has none.
    #[inline(always)]
    pub const fn new(from: u8, to: u8, hops: u32) -> Move {
        Move((from as u16) << 6 | to as u16 | (hops as u16) << 12)
    }

    /// The frog's cell; 0 if the board grows.
    #[inline(always)]
    pub const fn from(self) -> u8 {
        (self.0 >> 6) as u8 & 63
    }

    /// The cell that it lands on.
    #[inline(always)]
    pub const fn to(self) -> u8 {
        self.0 as u8 & 63
    }

    /// How many hops it takes: 0 if it is no jump.
    #[inline(always)]
    pub const fn hops(self) -> u32 {
        (self.0 >> 12) as u32
    }

    /// How many rows a frog gains.
    #[inline(always)]
    pub const fn rows(self) -> u32 {
        (self.to() >> 3) as u32 - (self.from() >> 3) as u32
    }

    /// Whether the board grows.
    #[inline(always)]
    pub const fn is_grow(self) -> bool {
        self.0 == 0
    }

    /// Both cells in a number.
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
