//! Drawings of the contests' positions and moves.

use contest::drawing::Shape;
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
    assert_eq!(photosynthesis.lines().next(), Some("      .1  ##  .1  .1"));
    assert_eq!(
        photosynthesis.lines().last(),
        Some("day 0, nutrients 20; A: sun 2, score 0; B: sun 2, score 0")
    );
}

#[test]
fn moves_are_marked_where_they_play() {
    let first = |name: &str| {
        let contest = crate::contest(name).expect("a contest");
        let setup = Setup { seed: 1, opening_plies: 0, limits: contest.limits() };
        let game = contest.new_game(setup);
        let seat = game.asked()[0];
        let text = game.legal_moves(seat).swap_remove(0);
        assert!(game.mark(seat, "?").is_empty(), "{name}: what isn't accepted has no mark");
        (text.clone(), game.mark(seat, &game.answer_of(seat, &text)))
    };
    // Columns to the right and rows down, from a margin of 0.6: each of the first moves as (column, row).
    let cells = |name: &str| {
        let (text, marks) = first(name);
        let cell = |shape: &Shape| match shape {
            Shape::Rect([left, top, ..], _) => [(left - 0.62).round() as i32, (top - 0.62).round() as i32],
            other => panic!("{name}: {other:?}"),
        };
        (text, marks.iter().map(cell).collect::<Vec<_>>())
    };
    let told =
        |name: &str, text: &str, at: &[[i32; 2]]| assert_eq!(cells(name), (text.to_owned(), at.to_vec()));
    told("reversi", "d3", &[[3, 2]]);
    told("tictactoe", "0,0", &[[0, 0]]);
    told("mnk", "0,0", &[[0, 0]]);
    told("uttt", "0,0", &[[0, 0]]);
    // The hole is the mover's, whose turn may come again after it.
    assert!(matches!(first("mancala").1[..], [Shape::Disc([_, y, _], _)] if y > 1.4));
    assert!(matches!(first("oware").1[..], [Shape::Disc([_, y, _], _)] if y > 1.4));
    // A second of flight.
    assert!(
        matches!(&first("lander").1[..], [Shape::Line(path, ..)] if path.len() == 2 && path[0] != path[1])
    );
}
