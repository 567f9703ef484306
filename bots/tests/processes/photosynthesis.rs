//! Tests the real bot as a process: recorded turns, truncated input, lines that make no sense.

use bots::photosynthesis::board::Board;
use bots::photosynthesis::protocol::{read_answer, write_init, write_turn};
use bots::photosynthesis::tools::map;
use coppice::Player;

use crate::piped::{run, Ended};

fn run_bot(input: &str) -> Ended {
    run(env!("CARGO_BIN_EXE_photosynthesis"), &["--nodes", "200"], input.as_bytes())
}

#[test]
fn each_turn_is_answered_by_a_legal_action() {
    let mut board = map::start(5);
    let mut input = write_init(&board);
    let mut asked = Vec::new();
    while board.day() < 6 {
        // Whatever the bot answers, the game goes on by other actions: each turn is news to it.
        let action = |player| bots::photosynthesis::protocol::legal(&board, player).last().copied();
        let actions = [Player::FIRST, Player::SECOND].map(action);
        if actions[0].is_some() {
            input += &write_turn(&board, Player::FIRST);
            asked.push(board);
        }
        board.turn(actions);
    }
    let Ended { answers, said, status } = run_bot(&input);
    assert_eq!((answers.len(), status), (asked.len(), Some(0)), "{said}");
    for (board, answer) in asked.iter().zip(&answers) {
        assert!(
            read_answer(answer).is_some_and(|action| board.is_legal(Player::FIRST, action)),
            "{answer} in {board}"
        );
    }
}

#[test]
fn input_may_end_anywhere() {
    let board: Board = map::start(1);
    let whole = write_init(&board) + &write_turn(&board, Player::FIRST);
    for end in (0..whole.len()).step_by(37).chain([whole.len() - 1, whole.len()]) {
        let Ended { answers, said, status } = run_bot(&whole[..end]);
        assert_eq!(
            (answers.len(), status),
            (usize::from(end == whole.len()), Some(0)),
            "after {end} bytes: {said}"
        );
    }
}

#[test]
fn a_line_that_makes_no_sense_is_named() {
    let board = map::start(1);
    let whole = write_init(&board) + &write_turn(&board, Player::FIRST);
    for (old, new, wrong) in [
        ("\n5 3 6 0 4", "\n5 3 6 0 40", "input line 7: expected cell 5"),
        ("\n0\n20\n", "\n-1\n20\n", "input line 39: expected the day, 0 to 23, found \"-1\""),
        ("\n26 1 1 0\n", "\n37 1 1 0\n", "input line 45: expected a tree"),
        ("\nWAIT\n", "\nSLEEP\n", "input line 49: expected a possible action"),
    ] {
        let text = whole.replacen(old, new, 1);
        assert_ne!(text, whole);
        let Ended { answers, said, status } = run_bot(&text);
        assert_eq!((answers.len(), status), (0, Some(1)), "{said}");
        assert!(said.starts_with(&format!("error: {wrong}")) && said.lines().count() == 1, "{said}");
    }
}
