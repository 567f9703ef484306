//! The rules against numbers known to be right, and against the laws of every contest.

use coppice::{perft, Ended};

use connect_four::game::State;

/// The number of games of each length in plies, from a published table.
const LEAVES: [u64; 7] = [7, 49, 343, 2401, 16807, 117_649, 823_536];

#[test]
fn perft_counts() {
    for (depth, leaves) in (1..).zip(LEAVES) {
        assert_eq!(perft(&State::START, depth, Ended::Dropped), leaves, "depth {depth}");
    }
}

/// The end, the moves, the hash; the referee; both sides of the protocol.
#[test]
fn laws_hold() {
    contest::laws::check_lines::<State>();
}
