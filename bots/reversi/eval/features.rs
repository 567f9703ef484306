//! Features of a position: cheap counts, own minus the opponent's.

use crate::reversi::board::mobility;
use crate::reversi::Board;

const CORNERS: u64 = 0x8100_0000_0000_0081;
const EDGES: u64 = 0xff81_8181_8181_81ff;
const LEFT: u64 = 0x0101_0101_0101_0101;
const RIGHT: u64 = 0x8080_8080_8080_8080;
const TOP_AND_BOTTOM: u64 = 0xff00_0000_0000_00ff;

/// The number of features.
pub const FEATURES: usize = 12;

/// The features of a position, for the player to move:
///
/// 0. legal moves;
/// 1. legal moves, at most four counted: the first few matter more;
/// 2. corners that can be taken now;
/// 3. empty cells next to the opponent's discs: potential mobility;
/// 4. corners;
/// 5. discs diagonally next to an empty corner (X-squares);
/// 6. discs next to an empty corner on the edge (C-squares);
/// 7. discs connected to a corner along an edge, which can never flip;
/// 8. other discs on edges;
/// 9. discs;
/// 10. 1: the value of having the move;
/// 11. 1 if the number of empty cells is odd, else -1: parity, who has the last move.
#[inline(always)]
pub fn features(board: &Board) -> [i32; FEATURES] {
    let (own, opponent, empty) = (board.own(), board.opponent(), board.empty());
    let count = |mask: u64| (own & mask).count_ones() as i32 - (opponent & mask).count_ones() as i32;
    let ones = |bits: u64| bits.count_ones() as i32;
    let (moves, answers) = (mobility(own, opponent), mobility(opponent, own));
    let around = |discs: u64| ones(spread(discs) & empty);
    // Next to each empty corner: along both edges, and diagonally.
    let open = empty & CORNERS;
    let sideways = (open & LEFT) << 1 | (open & RIGHT) >> 1;
    let beside = sideways | open << 8 | open >> 8;
    let diagonal = sideways << 8 | sideways >> 8;
    let (own_safe, opponent_safe) = (safe_edges(own), safe_edges(opponent));
    [
        ones(moves) - ones(answers),
        ones(moves).min(4) - ones(answers).min(4),
        ones(moves & CORNERS) - ones(answers & CORNERS),
        around(opponent) - around(own),
        count(CORNERS),
        count(diagonal),
        count(beside),
        ones(own_safe) - ones(opponent_safe),
        count(EDGES & !CORNERS & !beside & !own_safe & !opponent_safe),
        board.disc_difference(),
        1,
        ones(empty) % 2 * 2 - 1,
    ]
}

/// All cells with a neighbour among `discs`.
#[inline(always)]
pub fn spread(discs: u64) -> u64 {
    let row = discs | (discs & !RIGHT) << 1 | (discs & !LEFT) >> 1;
    row | row << 8 | row >> 8
}

/// Discs on an edge that are connected to a corner of the same colour.
#[inline(always)]
fn safe_edges(discs: u64) -> u64 {
    let mut safe = discs & CORNERS;
    if safe == 0 {
        return 0;
    }
    let (across, down) = (discs & TOP_AND_BOTTOM, discs & (LEFT | RIGHT));
    for _ in 0..6 {
        safe |= across & ((safe & !RIGHT) << 1 | (safe & !LEFT) >> 1);
        safe |= down & (safe << 8 | safe >> 8);
    }
    safe
}
