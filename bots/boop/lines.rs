//! What pieces next to each other are worth: the part of the heuristic that looks along rows, columns and diagonals.

use super::board::each;
use super::side::{Side, GRID};

/// What two pieces in a line are worth where they are.
#[derive(Debug, Clone, Copy)]
pub struct Two {
    /// On one of the four diagonals of two cells.
    pub corner: i32,
    /// The cells at both ends are the enemy's or off the board.
    pub blocked: i32,
    /// Neither, on the edge of the board.
    pub border: i32,
    /// Neither, elsewhere.
    pub free: i32,
}

/// What the lines of one player are worth.
#[derive(Debug, Clone, Copy)]
pub struct Worth {
    /// Three large pieces.
    pub three_large: i32,
    /// Three small ones.
    pub three_small: i32,
    /// Each small piece of three that are neither.
    pub mixed: i32,
    /// Two pieces of which none, one, or both are large.
    pub two: [Two; 3],
}

/// One of the four directions, for a scan that goes forwards by a shift to the right, or to the left.
struct Direction {
    shift: u32,
    is_upwards: bool,
    /// Cells from which two or three in this direction lie on the edge of the board.
    border: u64,
    /// Where the diagonals of two cells begin.
    corner: u64,
}

const ROW: u64 = 0x7e;
const COLUMN: u64 = 0x0002_0202_0202_0200;

/// In the order in which the paper's program scans: the rising diagonals from below.
const SCANS: [Direction; 4] = [
    Direction { shift: 1, is_upwards: false, border: ROW << 8 | ROW << 48, corner: 0 },
    Direction { shift: 8, is_upwards: false, border: COLUMN | COLUMN << 5, corner: 0 },
    Direction { shift: 9, is_upwards: false, border: 0, corner: 1 << 13 | 1 << 41 },
    Direction { shift: 7, is_upwards: true, border: 0, corner: 1 << 17 | 1 << 53 },
];

impl Direction {
    /// For each cell, what `set` has `n` cells further on.
    #[inline(always)]
    fn ahead(&self, set: u64, n: u32) -> u64 {
        if self.is_upwards {
            set << (n * self.shift)
        } else {
            set >> (n * self.shift)
        }
    }

    /// For each cell, what `set` has `n` cells before it.
    #[inline(always)]
    fn behind(&self, set: u64, n: u32) -> u64 {
        if self.is_upwards {
            set >> (n * self.shift)
        } else {
            set << (n * self.shift)
        }
    }

    /// The lines of `side` in this direction: each run of pieces is cut into threes from its beginning on, and if two are
    /// left over, they are a two.
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

    /// What threes are worth that begin on these cells.
    #[inline(always)]
    fn threes(&self, threes: u64, side: &Side, empty: u64, worth: &Worth) -> i32 {
        let large = side.large;
        let (second, third) = (self.ahead(large, 1), self.ahead(large, 2));
        // Two large pieces in the middle and at an end, beyond which there is room for the next.
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

/// What all lines of a player are worth.
#[inline(always)]
pub fn lines(side: &Side, enemy: u64, worth: &Worth) -> i32 {
    SCANS.iter().map(|direction| direction.worth(side, enemy, worth)).sum()
}
