//! A game's data for the page's script: positions as shapes, moves, bots' drawings.

use contest::drawing::{Drawing, Shape};
use serde_json::{json, Value};

use super::lines::Share;
use super::look::Look;
use super::overlay::Overlay;
use super::packed::packed;
use super::{shapes, Viewed, ViewedTurn};

/// The turn at which a game's page opens: the first to look at; of one player who has none, the final position.
pub(super) fn opens(game: &Viewed, looks: &[Look]) -> usize {
    let usual = if game.bots.len() == 1 { game.turns.len() + 1 } else { 1 };
    looks.first().map_or(usual, |look| look.turn)
}

/// A game's data. `looks` are its turns to look at.
pub(super) fn data(game: &Viewed, looks: &[Look]) -> Value {
    let mut positions: Vec<Option<Vec<Value>>> =
        game.turns.iter().map(|turn| turn.position.as_ref().map(shapes::shapes)).collect();
    positions.push(game.end.as_ref().map(|(drawing, _)| shapes::shapes(drawing)));
    let steps = game.turns.iter().flat_map(|turn| turn.lines.iter().flat_map(|line| &line.positions));
    positions.extend(steps.map(|drawing| Some(shapes::shapes(drawing))));
    // The positions of lines follow those of the turns.
    let lines = |turn: &ViewedTurn| turn.lines.iter().map(|line| line.positions.len()).collect::<Vec<_>>();
    let drawings = game.turns.iter().filter_map(|turn| turn.position.as_ref());
    let drawings = drawings.chain(game.end.as_ref().map(|(drawing, _)| drawing));
    let size = drawings.clone().fold((0.0f32, 0.0f32), |size, drawing: &Drawing| {
        (size.0.max(drawing.width), size.1.max(drawing.height))
    });
    let mut overlays: Vec<Overlay> = game.bots.iter().map(|_| Overlay::default()).collect();
    let drawn: Vec<Vec<Value>> = game
        .turns
        .iter()
        .map(|turn| overlays.get_mut(turn.seat).map(|overlay| overlay.turn(&turn.said)).unwrap_or_default())
        .collect();
    let edge = drawings.clone().map(|drawing| drawing.edge).fold(0.0, f32::max);
    let extent = [size.0, size.1, edge].map(shapes::short);
    let flip = drawings.clone().find_map(|drawing| drawing.board);
    let marks = |marks: &[Shape]| marks.iter().map(shapes::shape).collect::<Vec<_>>();
    let shares = |turn: &ViewedTurn| {
        let share = |share: &Share| json!([share.part, marks(&share.marks)]);
        turn.shares.iter().map(share).collect::<Vec<_>>()
    };
    // Moves with their marks: the one played, and the one that the other bot would play.
    let moves = game.turns.iter().enumerate().map(|(at, turn)| {
        // A drawing after a round marks the moves of all its seats: null stands for the marks of the turn before.
        let before = at.checked_sub(1).map(|before| &game.turns[before]);
        let is_same = before.is_some_and(|before| !turn.marks.is_empty() && before.marks == turn.marks);
        let played = if is_same { Value::Null } else { json!(marks(&turn.marks)) };
        let mut moves = vec![json!([turn.shown_move(), played])];
        if let Some(other) = &turn.other {
            // The answer with the larger budget, as in the list of turns to look at.
            let drawn = other.checked.as_ref().map_or(&other.marks, |checked| &checked.marks);
            if Some(other.last().answer) != turn.played.as_deref() {
                moves.push(json!([other.last().words, marks(drawn)]));
            }
        }
        moves
    });
    json!({
        "turns": game.turns.len(),
        "opens": opens(game, looks),
        "moves": moves.collect::<Vec<_>>(),
        "names": game.short_names(),
        "size": extent,
        "drawn": packed(&positions),
        "lines": game.turns.iter().map(lines).collect::<Vec<_>>(),
        "shares": game.turns.iter().map(shares).collect::<Vec<_>>(),
        "rounds": game.turns.iter().map(|turn| turn.round).collect::<Vec<_>>(),
        "seats": game.turns.iter().map(|turn| turn.seat).collect::<Vec<_>>(),
        "viewpoint": game.viewpoint,
        "flip": flip.map(|size| size.map(shapes::short)),
        "overlays": drawn,
        "viewport": overlays.iter().find_map(Overlay::viewport),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::look::looks;
    use crate::view::{Other, ViewedBot, ViewedTurn};
    use contest::drawing::Paint;

    #[test]
    fn the_board_is_written_once_and_moves_with_their_marks() {
        let board = |at: usize| {
            let mut drawing = Drawing::board(8, 8, |row| row.to_string(), |column| column.to_string());
            drawing.fill(at % 8, at / 8 % 8, Paint::Last);
            drawing
        };
        let turn = |at: usize| ViewedTurn {
            position: Some(board(at)),
            marks: vec![Shape::Disc([1.0, 2.0, 0.5], Paint::Last)],
            played: Some("e6".to_owned()),
            ..ViewedTurn::default()
        };
        let mut viewed = Viewed {
            turns: (0..4).map(turn).collect(),
            end: Some((board(4), "end".to_owned())),
            ..Viewed::default()
        };
        viewed.turns[1].other = Some(Other {
            answer: "d3".to_owned(),
            marks: vec![Shape::Rect([0.0, 0.0, 1.0, 1.0], Paint::Last)],
            ..Other::default()
        });
        viewed.turns[2].failure = Some("crash: received nothing".to_owned());
        let data = data(&viewed, &looks(&viewed));
        let drawn = &data["drawn"];
        assert_eq!(drawn["shapes"].as_array().unwrap().len(), 1 + 9 + 9 + 8 + 8 + 5);
        assert_eq!(drawn["shapes"][35], json!(["r", 0.62, 0.62, 0.96, 0.96, "last"]));
        assert_eq!(drawn["positions"][1], json!([[0, 35], 36]), "the board, and another last move");
        assert_eq!(data["moves"][0], json!([["e6", [["d", 1, 2, 0.5, "last"]]]]));
        assert_eq!(data["moves"][3][0], json!(["e6", null]), "as in the turn before");
        assert_eq!(data["moves"][1][1], json!(["d3", [["r", 0, 0, 1, 1, "last"]]]));
        assert_eq!(data["opens"], 3, "at the failure");
    }

    #[test]
    fn names_on_a_board_are_short_and_differ() {
        let names = |names: &[&str]| {
            let bots = names.iter().map(|&name| ViewedBot { name: name.to_owned(), ..ViewedBot::default() });
            data(&Viewed { bots: bots.collect(), ..Viewed::default() }, &[])["names"].clone()
        };
        assert_eq!(names(&["B", "AA"]), json!(["B", "AA"]));
        assert_eq!(names(&["new one", "old"]), json!(["n", "o"]));
        assert_eq!(names(&["seat 0", "seat 1"]), json!(["0", "1"]));
    }
}
