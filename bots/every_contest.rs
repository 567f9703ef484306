//! Drawings of the contests' positions.

use contest::Setup;

#[test]
fn positions_are_drawn() {
    let drawn = |name: &str| {
        let contest = crate::contest(name).expect("a contest");
        let setup = Setup { seed: 1, opening_plies: 0, limits: contest.limits() };
        contest.new_game(setup).show()
    };
    let reversi = drawn("reversi");
    assert_eq!(reversi.lines().nth(4), Some("4 . . * 1 0 . . ."));
    assert_eq!(reversi.lines().last(), Some("black 2, white 2; black (0) to move"));
    assert_eq!(drawn("tictactoe"), "...\n...\n...\nx to move");
    let mnk = drawn("mnk");
    assert_eq!((mnk.lines().next(), mnk.lines().nth(7)), (Some("  0 1 2 3 4 5 6"), Some("6 . . . . . . .")));
    assert_eq!(mnk.lines().last(), Some("5 in a line; x to move"));
    let photosynthesis = drawn("photosynthesis");
    assert_eq!(photosynthesis.lines().next(), Some("      ##  .1  A1  .1"));
    assert_eq!(
        photosynthesis.lines().last(),
        Some("day 0, nutrients 20; A: sun 2, score 0; B: sun 2, score 0")
    );
}
