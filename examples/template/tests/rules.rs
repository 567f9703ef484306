//! The rules against numbers known to be right, and against the laws of every contest.

use coppice::{perft, Ended, Game, Player};

use template::game::{State, PLAYERS};

/// The number of games of each length in plies, from a published table or a second, slow implementation. Here any of 24
/// lines comes first, any other second, and so on.
const LEAVES: [u64; 4] = [24, 24 * 23, 24 * 23 * 22, 24 * 23 * 22 * 21];

#[test]
fn perft_counts() {
    for (depth, leaves) in (1..).zip(LEAVES) {
        assert_eq!(perft(&State::START, depth, Ended::Dropped), leaves, "depth {depth}");
    }
}

#[test]
fn the_fourth_line_of_a_box_wins_it_and_another_move() {
    let mut state = State::START;
    [1, 7, 9].into_iter().for_each(|place| state.play(place));
    let mover = state.to_move();
    state.play(15);
    assert_eq!(state.to_move(), mover);
    assert_eq!(state.mark(8), char::from(b'0' + mover.index() as u8), "\n{state}");
    assert_eq!(state.lead(mover), 1);
    assert!((0..PLAYERS as u8)
        .map(Player::new)
        .filter(|player| *player != mover)
        .all(|player| state.lead(player) == -1));
}

/// The end, the moves, the hash; the referee; both sides of the protocol.
#[test]
fn laws_hold() {
    contest::laws::check_lines::<State>();
}
