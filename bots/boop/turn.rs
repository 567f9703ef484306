//! A move: a piece, a cell, and the pieces promoted afterwards.

use super::side::DIRECTIONS;

/// One player's turn, packed into 16 bits. It is only meaningful in the position it is played in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Turn(u16);

/// The pieces that return to the pool as large ones, packed into 16 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Group(u16);

impl Group {
    /// No pieces.
    pub const NONE: Group = Group(0);

    /// A single piece.
    #[inline(always)]
    pub const fn single(cell: u32) -> Group {
        Group(64 | cell as u16)
    }

    /// Three pieces starting at a cell, in a direction given by its index in [`DIRECTIONS`].
    #[inline(always)]
    pub const fn triple(direction: usize, cell: u32) -> Group {
        Group((2 + direction as u16) << 6 | cell as u16)
    }

    /// The group with these cells: none, one, or three in a line; `None` for any other set.
    pub fn of(cells: u64) -> Option<Group> {
        let first = cells.trailing_zeros();
        match cells.count_ones() {
            0 => Some(Group::NONE),
            1 => Some(Group::single(first)),
            _ => {
                let mut triples = (0..DIRECTIONS.len()).map(|direction| Group::triple(direction, first));
                triples.find(|triple| triple.cells() == cells)
            }
        }
    }

    /// The cells of the group.
    #[inline(always)]
    pub const fn cells(self) -> u64 {
        let first = 1u64 << (self.0 & 63);
        match self.0 >> 6 {
            0 => 0,
            1 => first,
            direction => {
                let shift = DIRECTIONS[direction as usize - 2];
                first | first << shift | first << (2 * shift)
            }
        }
    }
}

impl Turn {
    /// Places a piece on a cell, then promotes a group.
    #[inline(always)]
    pub const fn new(is_large: bool, cell: u32, group: Group) -> Turn {
        Turn(group.0 << 7 | (is_large as u16) << 6 | cell as u16)
    }

    /// Whether the piece is a large one.
    #[inline(always)]
    pub const fn is_large(self) -> bool {
        self.0 >> 6 & 1 == 1
    }

    /// The bit of the cell where the piece is placed.
    #[inline(always)]
    pub const fn cell(self) -> u32 {
        self.0 as u32 & 63
    }

    /// The promoted group.
    #[inline(always)]
    pub const fn group(self) -> Group {
        Group(self.0 >> 7)
    }

    /// The packed value.
    #[inline(always)]
    pub const fn code(self) -> u16 {
        self.0
    }
}
