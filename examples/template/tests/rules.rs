//! The rules against numbers known to be right, and against the laws of every contest.

use coppice::{perft, Ended};

use template::game::Board;

/// The number of games of each length in plies, from a published table or a second, slow implementation.
const LEAVES: [u64; 9] = [9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872];

#[test]
fn perft_counts() {
    for (depth, leaves) in (1..).zip(LEAVES) {
        assert_eq!(perft(&Board::START, depth, Ended::Dropped), leaves, "depth {depth}");
    }
}

/// The end, the moves, the hash; the referee; both sides of the protocol.
#[test]
fn laws_hold() {
    contest::laws::check_lines::<Board>();
}
