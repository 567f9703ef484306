//! Tests real bots as processes with impossible games: they continue with a listed move.

use contest::laws::cases;

use crate::piped::{run, Ended};

const UTTT: &str = env!("CARGO_BIN_EXE_uttt");
const UCT: &str = env!("CARGO_BIN_EXE_uttt-uct");
const TICTACTOE: &str = env!("CARGO_BIN_EXE_tictactoe");

fn play(program: &str, input: &[u8]) -> Ended {
    run(program, &["--nodes", "300"], input)
}

/// A turn: the opponent's move, and the listed moves.
type TurnText<'a> = (&'a str, &'a [&'a str]);

fn written(turns: &[TurnText]) -> String {
    let turn =
        |(opponent, listed): &TurnText| format!("{opponent}\n{}\n{}\n", listed.len(), listed.join("\n"));
    turns.iter().map(turn).collect()
}

/// Checks that each turn gets a listed move and that the input's end is no error; returns the bot's stderr.
fn is_answered(program: &str, turns: &[TurnText]) -> String {
    let played = play(program, written(turns).as_bytes());
    assert_eq!(played.status, Some(0), "{}", played.said);
    assert_eq!(played.answers.len(), turns.len(), "{}", played.said);
    for ((_, listed), answer) in turns.iter().zip(&played.answers) {
        assert!(listed.contains(&&**answer), "{answer} isn't in {listed:?}");
    }
    played.said
}

const UNSURE: &str = "breaks the rules; continuing with an uncertain position";
const UNLISTED: &str = "the listed moves differ from the rules; playing the first";

#[test]
fn a_move_into_the_wrong_board_is_taken_for_what_it_is() {
    // The bot has sent the opponent to the middle board. The opponent plays at the top left and sends the bot to the
    // board right of the middle, then from an arbitrary board to the middle.
    let right = ["3 6", "3 7", "3 8", "4 6", "4 7", "4 8", "5 6", "5 7", "5 8"];
    let middle = ["3 3", "3 4", "3 5", "4 3", "4 5", "5 3", "5 4", "5 5"];
    for bot in [UTTT, UCT] {
        let said = is_answered(bot, &[("-1 -1", &["4 4"]), ("1 2", &right), ("4 1", &middle)]);
        assert!(said.contains(UNSURE) && !said.contains(UNLISTED), "{said}");
    }
}

#[test]
fn moves_onto_marks_and_out_of_turn_are_survived() {
    let any: &[&str] = &["0 0", "4 4", "8 8", "4 3", "2 7"];
    for bot in [UTTT, UCT] {
        // A move onto the bot's own mark; no move, twice; the same move again.
        let turns = [("-1 -1", &any[..1]), ("0 0", any), ("-1 -1", any), ("-1 -1", any), ("4 4", any)];
        let said = is_answered(bot, &[&turns[..], &[("4 4", any), ("4 4", any)]].concat());
        assert!(said.contains(UNSURE) && said.contains("it is the opponent's turn"), "{said}");
    }
    let any: &[&str] = &["0 0", "1 1", "2 2"];
    let said = is_answered(TICTACTOE, &[("-1 -1", any), ("0 0", any), ("-1 -1", any), ("0 0", any)]);
    assert!(said.contains(UNSURE), "{said}");
}

/// The referee keeps asking long after the game is over by the rules.
#[test]
fn a_game_that_does_not_end_is_answered() {
    let cells: Vec<String> = (0..81).map(|i| format!("{} {}", i / 9, i % 9)).collect();
    let listed: Vec<&str> = cells.iter().map(String::as_str).collect();
    // The opponent marks every cell in order, whatever the rules say.
    let turns: Vec<TurnText> = listed.iter().chain(&listed).map(|&cell| (cell, &listed[..])).collect();
    is_answered(UTTT, &turns);
    let small: Vec<&str> = (0..81).filter(|i| i / 9 < 3 && i % 9 < 3).map(|i| listed[i]).collect();
    let turns: Vec<TurnText> = small.iter().chain(&small).map(|&cell| (cell, &small[..])).collect();
    is_answered(TICTACTOE, &turns);
}

#[test]
fn listed_moves_that_are_none_by_the_rules_are_answered() {
    // By the rules the bot must play in the middle board.
    let said = is_answered(UTTT, &[("1 1", &["8 8", "0 0"])]);
    assert!(said.contains(UNLISTED), "{said}");
    let said = is_answered(TICTACTOE, &[("1 1", &["1 1", "1 1"])]);
    assert!(said.contains(UNLISTED), "{said}");
}

#[test]
fn input_that_ends_anywhere_ends_the_bot_quietly() {
    let turns = [("-1 -1", &["1 1"][..]), ("1 2", &["0 0", "0 1"])];
    let input = "opening 0 1\n".to_owned() + &written(&turns);
    for bot in [UTTT, TICTACTOE] {
        for end in (0..=input.len()).step_by(input.len() / cases(input.len())) {
            let played = play(bot, &input.as_bytes()[..end]);
            assert_eq!(played.status, Some(0), "cut after {end} bytes: {}", played.said);
            assert!(!played.said.contains("input line"), "cut after {end} bytes: {}", played.said);
        }
    }
}

#[test]
fn a_line_that_makes_no_sense_is_named() {
    for (input, expected) in [
        ("9 0\n1\n0 0\n", "input line 1: expected the opponent's row and column, or -1 -1, found \"9 0\""),
        ("-1 0\n", "input line 1: expected the opponent's row and column, or -1 -1, found \"-1 0\""),
        ("99999999999999999999 0\n", "input line 1: expected the opponent's row and column"),
        ("-1 -1\n0\n", "input line 2: expected the number of moves, found \"0\""),
        ("-1 -1\n82\n", "input line 2: expected the number of moves, found \"82\""),
        ("-1 -1\n-1\n", "input line 2: expected the number of moves, found \"-1\""),
        ("-1 -1\n1\n0 9\n", "input line 3: expected the row and the column of a move, found \"0 9\""),
        ("-1 -1\n1\n\n", "input line 3: expected the row and the column of a move, found \"\""),
    ] {
        for bot in [UTTT, TICTACTOE] {
            let played = play(bot, input.as_bytes());
            assert_eq!((played.status, played.answers.len()), (Some(1), 0), "{}", played.said);
            assert!(played.said.starts_with(&format!("error: {expected}")), "{}", played.said);
        }
    }
}

/// Othello's referee sends whole boards: one that can't follow from the board before is searched without the old tree.
#[test]
fn a_board_that_does_not_follow_is_said() {
    let board = |middle: [&str; 2]| {
        let rows = ["........"; 8].map(String::from);
        let rows: Vec<String> = rows
            .iter()
            .enumerate()
            .map(|(y, row)| match y {
                3 => middle[0].to_owned(),
                4 => middle[1].to_owned(),
                _ => row.clone(),
            })
            .collect();
        rows.join("\n")
    };
    let start = board(["...10...", "...01..."]);
    let turn = |board: &str, moves: &str| format!("{board}\n2\n{moves}\n");
    let others = [(board(["...01...", "...10..."]), "c4\nd3", 1), (start.clone(), "d3\nc4", 0)];
    for (second, moves, count) in others {
        let input = format!("0\n8\n{}{}", turn(&start, "d3\nc4"), turn(&second, moves));
        let played = play(env!("CARGO_BIN_EXE_reversi-mcts"), input.as_bytes());
        assert_eq!(played.answers.len(), 2, "{}", played.said);
        let said =
            played.said.matches("the position doesn't follow from the last one: searched afresh").count();
        assert_eq!(said, count, "{}", played.said);
    }
}
