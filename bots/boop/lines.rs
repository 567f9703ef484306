//! Scores lines of adjacent pieces: the part of the heuristic that looks along rows, columns and diagonals.

use super::board::each;
use super::side::{Side, GRID};

/// Values of two pieces in a line, by where they lie.
#[derive(Debug, Clone, Copy)]
pub struct Two {
    /// On one of the four corner diagonals that are two cells long.
    pub corner: i32,
    /// The cells at both ends are the opponent's or off the board.
    pub blocked: i32,
    /// Neither of these, on the edge of the board.
    pub border: i32,
    /// Neither of these, elsewhere.
    pub free: i32,
}

/// Line values of one player.
#[derive(Debug, Clone, Copy)]
pub struct Worth {
    /// Three large pieces.
    pub three_large: i32,
    /// Three small ones.
    pub three_small: i32,
    /// Each small piece in a three of mixed sizes.
    pub mixed: i32,
    /// Two pieces, indexed by how many are large: none, one, both.
    pub two: [Two; 3],
}

/// A scan direction. A step forward is a right shift, or a left shift if `is_upwards`.
struct Direction {
    shift: u32,
    is_upwards: bool,
    /// Cells where a two or three in this direction starts that lies on the edge of the board.
    border: u64,
    /// Cells where the two-cell diagonals begin.
    corner: u64,
}

const ROW: u64 = 0x7e;
const COLUMN: u64 = 0x0002_0202_0202_0200;

/// In the scan order of the paper's program: rising diagonals start from the bottom.
const SCANS: [Direction; 4] = [
    Direction { shift: 1, is_upwards: false, border: ROW << 8 | ROW << 48, corner: 0 },
    Direction { shift: 8, is_upwards: false, border: COLUMN | COLUMN << 5, corner: 0 },
    Direction { shift: 9, is_upwards: false, border: 0, corner: 1 << 13 | 1 << 41 },
    Direction { shift: 7, is_upwards: true, border: 0, corner: 1 << 17 | 1 << 53 },
];

impl Direction {
    /// For each cell, the bit of `set` that lies `n` cells ahead.
    #[inline(always)]
    fn ahead(&self, set: u64, n: u32) -> u64 {
        if self.is_upwards {
            set << (n * self.shift)
        } else {
            set >> (n * self.shift)
        }
    }

    /// For each cell, the bit of `set` that lies `n` cells behind.
    #[inline(always)]
    fn behind(&self, set: u64, n: u32) -> u64 {
        if self.is_upwards {
            set >> (n * self.shift)
        } else {
            set << (n * self.shift)
        }
    }

    /// Scores the lines of `side` in this direction. Each run of pieces is split into threes from its start; two
    /// remaining pieces count as a two.
    #[inline(always)]
    fn worth(&self, side: &Side, enemy: u64, worth: &Worth) -> i32 {
        let all = side.all();
        let pairs = all & self.ahead(all, 1);
        if pairs == 0 {
            return 0;
        }
        let first = pairs & !self.behind(all, 1);
        let mut threes = first & self.ahead(pairs, 1);
        let mut twos = first & !threes;
        if threes != 0 {
            let rest = self.behind(threes, 3) & pairs;
            let second = rest & self.ahead(pairs, 1);
            threes |= second;
            twos |= rest & !second;
        }
        let large = side.large;
        let closed = enemy | !GRID;
        let blocked = self.behind(closed, 1) & self.ahead(closed, 2);
        let mut sum = 0;
        each(twos, |cell| {
            let bit = 1 << cell;
            let kind = (large & bit != 0) as usize + (self.ahead(large, 1) & bit != 0) as usize;
            let two = &worth.two[kind];
            sum += match () {
                () if self.corner & bit != 0 => two.corner,
                () if blocked & bit != 0 => two.blocked,
                () if self.border & bit != 0 => two.border,
                () => two.free,
            };
        });
        if threes != 0 {
            sum += self.threes(threes, side, !(all | closed), worth);
        }
        sum
    }

    /// Scores the threes that begin on these cells.
    #[inline(always)]
    fn threes(&self, threes: u64, side: &Side, empty: u64, worth: &Worth) -> i32 {
        let large = side.large;
        let (second, third) = (self.ahead(large, 1), self.ahead(large, 2));
        // Two adjacent large pieces, in the middle and at an end, with an empty cell beyond that end.
        let open = second & (large & self.behind(empty, 1) | third & self.ahead(empty, 3));
        let mut sum = 0;
        each(threes, |cell| {
            let bit = 1 << cell;
            let larges = [large, second, third].iter().filter(|&set| set & bit != 0).count();
            sum += match larges {
                3 => worth.three_large,
                0 => worth.three_small,
                _ if open & self.border & bit != 0 => worth.two[2].border,
                _ if open & bit != 0 => worth.two[2].free,
                _ => worth.mixed * (3 - larges as i32),
            };
        });
        sum
    }
}

/// The value of all lines of a player.
#[inline(always)]
pub fn lines(side: &Side, enemy: u64, worth: &Worth) -> i32 {
    SCANS.iter().map(|direction| direction.worth(side, enemy, worth)).sum()
}
