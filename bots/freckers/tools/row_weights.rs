//! The original's evaluation: how far the frogs have advanced.

use coppice::{Evaluation, Score};

use crate::freckers::board::Board;
use crate::freckers::cell::{Cells, Move, GOAL, HOME};

/// The odd columns.
const ODD: Cells = 0xaaaa_aaaa_aaaa_aaaa;

/// The own sum of row weights minus the other side's. Rows weigh 0, 40, 50 and so on up to 90, and the far row 100 in
/// even columns and 101 in odd ones. The original gives 2^32 when all six have arrived; here that is a certain win.
#[derive(Debug, Clone, Copy, Default)]
pub struct RowWeights;

/// The weight of frogs whose home is row 0.
#[inline(always)]
pub fn weight(frogs: Cells) -> i32 {
    let count = |cells: Cells| (frogs & cells).count_ones() as i32;
    // The number of a row in binary, its lowest digit first.
    let ones = count(0xff00_ff00_ff00_ff00);
    let twos = count(0xffff_0000_ffff_0000);
    let fours = count(0xffff_ffff_0000_0000);
    10 * (ones + 2 * twos + 4 * fours) + 30 * count(!HOME) + count(GOAL & ODD)
}

impl Evaluation<Board> for RowWeights {
    #[inline(always)]
    fn evaluate(&self, board: &Board) -> Score {
        Score::estimate(weight(board.own()) - weight(board.other().swap_bytes()))
    }

    /// Ranks moves by rows gained, then by hops.
    #[inline(always)]
    fn rank(&self, _: &Board, m: Move) -> i32 {
        16 * m.rows() as i32 + m.hops() as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cell_has_its_published_weight() {
        const ROWS: [i32; 8] = [0, 40, 50, 60, 70, 80, 90, 100];
        for cell in 0..64 {
            let is_odd_goal = cell >= 56 && cell % 2 == 1;
            assert_eq!(weight(1 << cell), ROWS[cell / 8] + i32::from(is_odd_goal), "{cell}");
        }
    }
}
