//! Tests both sides of the protocol, the referee, and malformed lines.

use coppice::input::Input;
use coppice::{Game, Rng};

use super::contest::game;
use super::protocol::{read_answer, read_turn, write_answer, write_opening, write_turn};
use super::Grid;
use crate::{tictactoe, uttt};
use contest::notation::GameNotation;
use contest::Referee;

/// Plays random games in which each turn and each answer is written and read.
fn round_trips<G: Grid + GameNotation>(games: u64) {
    for seed in 0..games {
        let mut rng = Rng::new(seed);
        let mut referee = game::<G>(seed, (seed % 4) as u32);
        let mut last = None;
        while let [seat] = referee.asked()[..] {
            let text = referee.turn(seat);
            let turn = read_turn::<G, _>(&mut Input::new(text.as_bytes())).expect("a turn");
            let mut list = G::Moves::default();
            referee.game().moves(&mut list);
            assert_eq!(turn.actions[..], list[..]);
            if last.is_some() {
                assert_eq!(turn.opponent, last);
            }
            let m = referee.game().random_move(&mut rng).expect("a move");
            assert_eq!(read_answer::<G>(&(write_answer::<G>(m) + " hello 9")), Some(m));
            referee.answer(seat, &write_answer::<G>(m)).expect("a legal move");
            last = Some(m);
        }
        assert_eq!(referee.scores(), [0, 1].map(|i| referee.game().points(coppice::Player::new(i))));
    }
}

#[test]
fn turns_and_answers_go_through_both_sides() {
    round_trips::<uttt::Board>(40);
    round_trips::<tictactoe::Board>(100);
}

/// Each bot knows the whole game from its input, whichever player moves first after the opening.
#[test]
fn an_opening_is_told_to_both() {
    for plies in 0..12 {
        let mut referee = game::<uttt::Board>(5, plies);
        let mut known = [uttt::Board::START; 2];
        for turn in 0..4 {
            let seat = referee.asked()[0];
            let mut text = if turn < 2 { referee.init(seat) } else { String::new() };
            text.push_str(&referee.turn(seat));
            let told = read_turn::<uttt::Board, _>(&mut Input::new(text.as_bytes())).expect("a turn");
            told.opening.iter().chain(&told.opponent).for_each(|&cell| known[seat].play(cell));
            assert!(known[seat] == *referee.game(), "{plies} plies, turn {turn}, {text}");
            known[seat].play(told.actions[0]);
            referee.answer(seat, &write_answer::<uttt::Board>(told.actions[0])).expect("a legal move");
        }
    }
    assert_eq!(write_opening::<uttt::Board>(&[]), "");
}

/// Answers that the platform's referee was seen to accept and to refuse.
#[test]
fn answers_are_read_as_the_platform_reads_them() {
    let at = |row, column| Some(<uttt::Board as Grid>::at(row, column));
    for (line, cell) in
        [("4 4", at(4, 4)), ("-0 4", at(0, 4)), ("8 0 hello 9", at(8, 0)), ("1 -0 !", at(1, 0))]
    {
        assert_eq!(read_answer::<uttt::Board>(line), cell, "{line:?}");
    }
    let invalid = [
        "4 4 ", " 4 4", "4\t4", "4  4", "04 4", "+4 4", "4 +4", "4 04", "-1 4", "4 9", "4", "", "4 4x",
        "a b", "4 4\tx", "٤ 4",
    ];
    for line in invalid {
        assert_eq!(read_answer::<uttt::Board>(line), None, "{line:?}");
    }
    for line in ["3 0", "0 -1"] {
        assert_eq!(read_answer::<tictactoe::Board>(line), None, "{line:?}");
    }
}

#[test]
fn what_is_wrong_is_named() {
    let good = write_turn::<tictactoe::Board>(Some(4), &[0, 8]);
    assert_eq!(good, "1 1\n2\n0 0\n2 2\n");
    for (from, to, expected) in [
        ("1 1", "1 3", "input line 1: expected the opponent's row and column, or -1 -1, found \"1 3\""),
        ("1 1", "-1 0", "input line 1: expected the opponent's row and column, or -1 -1, found \"-1 0\""),
        ("1 1", "opening 0\n1 1", "input line 1: expected an opening of rows and columns"),
        ("\n2\n", "\n0\n", "input line 2: expected the number of moves, found \"0\""),
        ("\n2\n", "\n10\n", "input line 2: expected the number of moves, found \"10\""),
        ("2 2", "2", "input line 4: expected the row and the column of a move, found \"2\""),
        ("2 2\n", "2 2", "the input ended"),
    ] {
        let text = good.replace(from, to);
        let error =
            read_turn::<tictactoe::Board, _>(&mut Input::new(text.as_bytes())).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}
