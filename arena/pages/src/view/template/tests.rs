//! Tests of boards drawn by a template.

use super::*;
use crate::view::{ViewedBot, ViewedTurn};

fn list(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|&line| line.to_owned()).collect()
}

fn template(first: &[&str], turn: &[&str], paint: &[(&str, &str)]) -> Result<Template, TemplateError> {
    let paint = paint.iter().map(|&(value, look)| (value.to_owned(), look.to_owned())).collect::<Vec<_>>();
    Template::new(&list(first), &list(turn), &paint, None)
}

fn game(inputs: &[(Seat, &str)]) -> Viewed {
    let turn = |&(seat, sent): &(Seat, &str)| ViewedTurn {
        seat,
        sent: sent.to_owned(),
        answer: "go".to_owned(),
        ..ViewedTurn::default()
    };
    Viewed {
        bots: vec![ViewedBot::default(); 2],
        turns: inputs.iter().map(turn).collect(),
        ..Viewed::default()
    }
}

fn shapes(viewed: &Viewed, turn: usize) -> &[Shape] {
    &viewed.turns[turn].position.as_ref().expect("a board").shapes
}

#[test]
fn rows_and_units_are_painted_for_the_seat_that_was_asked() {
    let lines = ["units", "units * _ owner x y text ..."];
    let paint = [("#", "wall"), ("1", "me"), ("0", "other")];
    let template = template(&["width height", "height * row"], &lines, &paint).unwrap();
    let mut viewed = game(&[
        (0, "3 2\n#..\n..b\n2\n7 1 0 1 A 5 5\n8 0 2 0 B"),
        (1, "3 2\n#..\n..b\n1\n7 1 1 1 A"),
        (0, "1\n7 1 2 1 A"),
    ]);
    template.add_boards(&mut viewed);
    assert_eq!(viewed.notes, Vec::<String>::new());
    let disc = |row: usize, column: usize, seat: u8| {
        let [x, y] = Drawing::cell(row, column);
        Shape::Disc([x, y, 0.38], Paint::Player(player(seat.into())))
    };
    assert!(shapes(&viewed, 0).contains(&disc(1, 0, 0)) && shapes(&viewed, 0).contains(&disc(0, 2, 1)));
    assert!(shapes(&viewed, 1).contains(&disc(1, 1, 1)), "its own unit is of seat 1");
    assert!(shapes(&viewed, 2).contains(&disc(1, 2, 0)) && !shapes(&viewed, 2).contains(&disc(1, 0, 0)));
    for turn in 0..3 {
        let walls = shapes(&viewed, turn).iter().filter(|shape| shape.paint() == Some(Paint::Shade)).count();
        let letters = shapes(&viewed, turn)
            .iter()
            .filter(|shape| matches!(shape, Shape::Text(_, _, text, _) if text == "b"));
        assert_eq!((walls, letters.count()), (1, 1), "the rows of the first input stay: turn {turn}");
    }
}

#[test]
fn a_large_board_is_a_field() {
    let size = Some([16_000, 9_000]);
    let template = Template::new(&[], &list(&["3 * x y vx ..."]), &[], size).unwrap();
    let mut viewed = game(&[(0, "8000 4500 1\n-1 -1 0\n16000 9000 3 4")]);
    template.add_boards(&mut viewed);
    let drawing = viewed.turns[0].position.as_ref().expect("a board");
    assert_eq!((drawing.width, drawing.height), (32.0, 18.0));
    let discs = drawing.shapes.iter().filter(|shape| matches!(shape, Shape::Disc(..))).collect::<Vec<_>>();
    assert_eq!(discs, [&Shape::Disc([16.0, 9.0, 0.38], Paint::Faint)], "others aren't on it");
}

#[test]
fn the_first_misfit_is_noted() {
    let template = template(&[], &["n", "n * x y", "2 * cells"], &[]).unwrap();
    let good = "1\n0 0\na b\nc d";
    let noted = |bad: &str| {
        let mut viewed = game(&[(0, good), (1, bad), (0, bad)]);
        template.add_boards(&mut viewed);
        assert!(viewed.turns[0].position.is_some() && viewed.turns[1].position.is_none());
        let [note] = &viewed.notes[..] else { panic!("{:?}", viewed.notes) };
        let begin = "turn 2 (nor 1 more) has no board: its input doesn't fit [board] of arena.toml: ";
        note.strip_prefix(begin).expect(note).to_owned()
    };
    assert_eq!(noted("1\n0 z\na b\nc d"), "line 2: expected a number `y`, found `z`");
    assert_eq!(noted("1\n0 0 0\na b\nc d"), "line 2: expected `n * x y`, found `0 0 0`");
    assert_eq!(noted("many"), "expected a count `n`, found `many`");
    assert_eq!(noted("1\n0 0\na b"), "the input ends before `2 * cells`");
    assert_eq!(noted("0\na b\nc d\ne f"), "line 4: expected no more, found `e f`");
}

#[test]
fn a_mistake_has_its_key_and_place() {
    let wrong = |first: &[&str], turn: &[&str], paint: &[(&str, &str)]| {
        let error = template(first, turn, paint).unwrap_err();
        format!("{} {}: {error}", error.key, error.entry)
    };
    assert_eq!(
        wrong(&["h"], &["_", "w * row"], &[]),
        "turn 1: `w * row`: `w` is neither a number nor a name read before"
    );
    assert_eq!(wrong(&["h", "id row"], &[], &[]), "first 1: `id row`: `row` and `cells` are whole lines");
    assert_eq!(wrong(&[], &["id x"], &[]), "turn 0: `id x`: a unit has both `x` and `y`");
    assert_eq!(
        wrong(&[], &["... id"], &[]),
        "turn 0: `... id`: `...` is the rest of a line, and stands last"
    );
    assert!(wrong(&[], &["3 *"], &[]).starts_with("turn 0: `3 *`: expected the names"));
    let paint = wrong(&[], &[], &[(".", "empty"), ("#", "player 8")]);
    assert_eq!(paint, format!("paint 1: `#`: expected {LOOKS}, found `player 8`"));
}
