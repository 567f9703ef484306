//! The grid, and the pieces of one player.

/// The cells as bits of an 8x8 word: rows and columns 1 to 6. Pieces pushed over the edge land in the surrounding
/// ring, and shifts along a line stop there.
pub const GRID: u64 = 0x007e_7e7e_7e7e_7e00;

/// The cells on the edge.
pub const BORDER: u64 = GRID & !0x0000_3c3c_3c3c_0000;

/// The four cells in the middle.
pub const CENTRE: u64 = 0x0000_0018_1800_0000;

/// The directions of lines, as shifts: along a row, down a column, and down to the right and to the left.
pub const DIRECTIONS: [u32; 4] = [1, 8, 9, 7];

/// The number of pieces each player owns.
pub const PIECES: u32 = 8;

/// The bit of a cell. Rows and columns count from 0.
pub const fn bit(row: u32, column: u32) -> u32 {
    8 * (row + 1) + column + 1
}

/// The neighbours of each cell.
pub const NEIGHBOURS: [u64; 64] = {
    let mut table = [0; 64];
    let mut cell = 9;
    while cell < 55 {
        let mut d = 0;
        while d < 4 {
            table[cell] |= 1 << (cell + DIRECTIONS[d] as usize) | 1 << (cell - DIRECTIONS[d] as usize);
            d += 1;
        }
        table[cell] &= GRID;
        cell += 1;
    }
    table
};

/// The pieces of one player.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Side {
    /// The small pieces on the board.
    pub small: u64,
    /// The large pieces on the board.
    pub large: u64,
    /// The number of large pieces, on the board or in the pool.
    pub promoted: u32,
}

impl Side {
    /// All eight pieces small and in the pool.
    pub const START: Side = Side { small: 0, large: 0, promoted: 0 };

    /// The pieces on the board.
    #[inline(always)]
    pub const fn all(&self) -> u64 {
        self.small | self.large
    }

    /// The small pieces in the pool.
    #[inline(always)]
    pub const fn small_in_pool(&self) -> u32 {
        PIECES - self.promoted - self.small.count_ones()
    }

    /// The large pieces in the pool.
    #[inline(always)]
    pub const fn large_in_pool(&self) -> u32 {
        self.promoted - self.large.count_ones()
    }

    /// Whether three large pieces form a line, or all eight pieces are large and on the board.
    #[inline(always)]
    pub const fn has_won(&self) -> bool {
        let large = self.large;
        let in_line = large & large >> 1 & large >> 2
            | large & large >> 8 & large >> 16
            | large & large >> 9 & large >> 18
            | large & large >> 7 & large >> 14;
        in_line != 0 || large.count_ones() == PIECES
    }

    /// The cells where three own pieces in a row begin, for each of the [`DIRECTIONS`].
    #[inline(always)]
    pub fn threes(&self) -> [u64; 4] {
        let all = self.all();
        DIRECTIONS.map(|shift| all & all >> shift & all >> (2 * shift))
    }

    /// The side after these of its pieces on the board returned to the pool as large ones.
    #[inline(always)]
    pub const fn promoting(&self, cells: u64) -> Side {
        Side {
            small: self.small & !cells,
            large: self.large & !cells,
            promoted: self.promoted + (self.small & cells).count_ones(),
        }
    }
}
