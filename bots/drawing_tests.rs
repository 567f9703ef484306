//! Drawings of the contests' positions and moves.

use contest::drawing::{Drawing, Shape};
use contest::{Contest, Setup};
use coppice::Rng;

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

/// Pixels of a drawing's width on a phone's page, and the least height of text in them.
const PIXELS: f32 = 366.0;
const LEAST_TEXT: f32 = 11.0;

#[test]
fn texts_of_drawings_are_large_enough_apart_and_inside() {
    let variants = ["tron:4", "mnk:15,15,5", "mnk:3,3,3", "wondev:0", "lander:random"].map(|name| {
        let (name, words) = name.split_once(':').expect("a variant");
        crate::contest(name).expect("a contest").variant(words).expect("a variant")
    });
    let contests = crate::contests().iter().copied().chain(variants.iter().map(|variant| &**variant));
    for contest in contests {
        for seed in 1..3 {
            random_game(contest, seed, |drawing, turn| {
                check_texts(drawing, &format!("{}, seed {seed}, turn {turn}", contest.name()));
            });
        }
    }
}

/// Hands over drawings of a random game: the first, every tenth or so, the last.
fn random_game(contest: &dyn Contest, seed: u64, mut see: impl FnMut(&Drawing, usize)) {
    let setup = Setup { seed, opening_plies: 0, limits: contest.limits() };
    let (mut game, mut rng) = (contest.new_game(setup), Rng::new(seed));
    for turn in 0.. {
        let asked = game.asked();
        if turn % 11 == 0 || asked.is_empty() {
            see(&game.draw(), turn);
        }
        if asked.is_empty() || turn == 700 {
            break;
        }
        for seat in asked {
            let moves = game.legal_moves(seat);
            let text = &moves[rng.below(moves.len() as u32) as usize];
            let answer = game.answer_of(seat, text);
            game.answer(seat, &answer).unwrap_or_else(|fault| panic!("{}: {fault:?}", contest.name()));
        }
    }
}

/// A text's box: left, top, right, bottom. A letter is about 0.6 as wide as high.
fn text_box(shape: &Shape) -> Option<[f32; 4]> {
    let ([x, y], height, letters) = match shape {
        Shape::Text(middle, height, text, _) => (*middle, *height, text.chars().count()),
        Shape::Name(middle, height, _) => (*middle, *height, 1),
        _ => return None,
    };
    let half = 0.3 * height * letters as f32;
    // A font is higher than its letters.
    Some([x - half, y - 0.4 * height, x + half, y + 0.4 * height])
}

fn check_texts(drawing: &Drawing, place: &str) {
    let boxes = drawing.shapes.iter().filter_map(|shape| Some((shape, text_box(shape)?)));
    let boxes = boxes.collect::<Vec<_>>();
    for (nth, (shape, [left, top, right, bottom])) in boxes.iter().enumerate() {
        let (edge, told) = (drawing.edge + 1e-3, format!("{place}: {shape:?}"));
        assert!(*left >= -edge && *right <= drawing.width + 1e-3, "beyond the drawing's sides: {told}");
        assert!(*top >= -edge && *bottom <= drawing.height + 1e-3, "above or below the drawing: {told}");
        let (Shape::Text(_, height, ..) | Shape::Name(_, height, _)) = shape else { unreachable!("a text") };
        let pixels = height * PIXELS / (drawing.width + drawing.edge);
        assert!(pixels >= LEAST_TEXT, "{pixels:.1} pixels high: {told}");
        for (other, [l, t, r, b]) in &boxes[..nth] {
            assert!(!(left < r && l < right && top < b && t < bottom), "over {other:?}: {told}");
        }
    }
}
