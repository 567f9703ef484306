//! Features of a position other than patterns: mobility and parity.

use crate::reversi::board::mobility;
use crate::reversi::eval::spread;

/// How many numbers there are.
pub const NUMBERS: usize = 6;

const CORNERS: u64 = 0x8100_0000_0000_0081;

/// The numbers, each the mover's minus the opponent's unless said otherwise:
///
/// 0. legal moves;
/// 1. legal moves, at most 4;
/// 2. legal moves on corners;
/// 3. empty cells next to discs of the other player (potential mobility);
/// 4. 1: the value of having the move;
/// 5. 1 if the number of empty cells is odd, else -1: parity, who has the last move.
#[inline(always)]
pub fn numbers(own: u64, opponent: u64) -> [i32; NUMBERS] {
    let empty = !(own | opponent);
    let ones = |bits: u64| bits.count_ones() as i32;
    let (moves, answers) = (mobility(own, opponent), mobility(opponent, own));
    let around = |discs: u64| ones(spread(discs) & empty);
    [
        ones(moves) - ones(answers),
        ones(moves).min(4) - ones(answers).min(4),
        ones(moves & CORNERS) - ones(answers & CORNERS),
        around(opponent) - around(own),
        1,
        ones(empty) % 2 * 2 - 1,
    ]
}
