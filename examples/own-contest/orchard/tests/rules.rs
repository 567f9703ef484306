//! The rules in a game played by hand, and against the laws of every contest.

use coppice::{Choices, Joint, Player};

use orchard::game::{State, Step};

fn turn(first: Step, second: Step) -> Choices<Step> {
    Choices::NONE.with(Player::FIRST, first).with(Player::SECOND, second)
}

#[test]
fn two_who_meet_take_nothing() {
    // An apple between the players.
    let mut state = State { apples: 1 << 1, cells: [0, 2], ..State::new(0) };
    state.play(&turn(Step::Right, Step::Left));
    assert_eq!((state.cells, state.picked, state.apples), ([1, 1], [0, 0], 1 << 1));
    state.play(&turn(Step::Wait, Step::Right));
    assert_eq!((state.cells, state.picked, state.apples), ([1, 2], [1, 0], 0));
}

/// The end, the moves, the hash; the referee; both sides of the protocol.
#[test]
fn laws_hold() {
    contest::laws::check_lines::<State>();
}
