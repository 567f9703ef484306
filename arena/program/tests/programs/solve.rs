//! Tests `arena solve` as a program.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::outside::arena;
use crate::outside::processes::{interrupt, interruptible};

fn solve(arguments: &[&str]) -> Output {
    arena(Path::new("."), &[&["solve"], arguments].concat())
}

fn out(arguments: &[&str]) -> String {
    let output = solve(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn kalah_is_solved_by_both_rules() {
    let text = out(&["mancala", "4", "3", "--mb", "16", "--json"]);
    let solved: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let values: Vec<_> =
        solved.iter().map(|one| (one["contest"].as_str().unwrap(), one["margin"].as_i64())).collect();
    assert_eq!(values, [("mancala:4,3,0", Some(6)), ("mancala:4,3,1", Some(8))]);
    assert!(solved.iter().all(|one| one["winner"] == 0 && one["best"].is_string()), "{text}");
    let one = out(&["mancala:2,4,1", "--mb", "2"]);
    assert!(one.starts_with("mancala:2,4,1: the second player wins by 12; best "), "{one}");
}

#[test]
fn small_boards_of_mnk_are_solved() {
    let draw = out(&["mnk", "5", "4", "4", "--mb", "16"]);
    assert!(draw.starts_with("mnk:5,4,4: a draw; best "), "{draw}");
    let won = out(&["mnk", "6", "5", "4", "--mb", "16", "--json"]);
    let won: Value = serde_json::from_str(&won).unwrap();
    assert_eq!((&won["winner"], &won["plies"]), (&Value::from(0), &Value::from(11)), "{won}");
    // Its best move wins; after it the opponent is lost.
    let best = won["best"].as_str().unwrap();
    let lost = out(&["mnk", "6", "5", "4", "--moves", best, "--mb", "16"]);
    assert!(lost.starts_with("mnk:6,5,4: the first player wins in 10 plies; best "), "{lost}");
    // More cells than the solver supports: alpha-beta.
    let large = out(&["mnk", "1", "65", "1", "--mb", "16"]);
    assert!(large.starts_with("mnk:1,65,1: the first player wins in 1 ply; best "), "{large}");
}

/// Contests without a dedicated solver are solved by alpha-beta: winner and distance.
#[test]
fn other_contests_are_solved_by_alpha_beta() {
    let draw = out(&["tictactoe", "--mb", "16"]);
    assert!(draw.starts_with("tictactoe: a draw; best "), "{draw}");
    let lost = out(&["tictactoe", "--moves", "0,0 0,1 1,1 2,2 1,0", "--mb", "16"]);
    assert!(lost.starts_with("tictactoe: the first player wins in 2 plies; best "), "{lost}");
}

/// Position 40 of the FFO test suite, and the position after its only winning reply but one.
#[test]
fn endings_of_othello_are_solved_from_a_board() {
    let board = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X";
    let text = out(&["reversi", "--board", board, "--mb", "64"]);
    assert!(text.starts_with("reversi: the first player wins by 38; best a2; "), "{text}");
    let json = out(&["reversi", "--board", board, "--moves", "a2", "--mb", "64", "--json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["winner"], &json["margin"]), (&Value::from(0), &Value::from(38)), "{json}");
}

#[test]
fn errors_are_reported() {
    for (arguments, message) in [
        (&["mancala", "7", "4", "0"][..], "error: no such variant of mancala: expected 1 to 6 holes a side"),
        (&["mancala", "4"], "error: no such variant of mancala: expected M N EMPTY(0|1), found \"4\""),
        (&["tictactoe", "3"], "error: no such variant of tictactoe: "),
        (&["mancala", "--search", "magic"], "error: no search \"magic\"; available: bot, solver, "),
        (
            &["tictactoe", "--moves", "0,0 1,0 0,1 1,1 0,2"],
            "error: the game is over in this position (--moves)",
        ),
        (
            &["tictactoe", "--board", "XOX"],
            "error: no position of tictactoe: positions of this game have no text form",
        ),
        (
            &["reversi", "--board", "--X"],
            "error: no position of reversi: only 3 of 65 letters; expected the 64 cells",
        ),
        (&["tictactoe", "--moves", "9,9"], "error: --moves, move 1: \"9,9\" is not a legal move"),
    ] {
        let output = solve(arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(error.starts_with(message), "{arguments:?}: {error}");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{arguments:?}");
    }
}

#[test]
fn an_interrupt_ends_the_solver() {
    let mut child = interruptible(&mut Command::new(env!("CARGO_BIN_EXE_arena")))
        .args(["solve", "mancala", "6", "4", "0", "--mb", "4"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The first progress line shows that the solver is running.
    let mut progress = std::io::BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    std::io::BufRead::read_line(&mut progress, &mut line).unwrap();
    assert!(line.starts_with("mancala:6,4,0: depth "), "{line}");
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(130), 0));
}

#[test]
fn a_time_limit_ends_it() {
    let output = solve(&["mancala", "6", "4", "0", "--mb", "4", "--time-limit", "1"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(3), 0), "{output:?}");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.ends_with("mancala:6,4,0: not solved within 1 s\n"), "{error}");
}

#[cfg(unix)]
#[test]
fn it_ends_when_nobody_reads_its_output() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_arena"))
        .args(["solve", "mancala", "6", "4", "0", "--mb", "4"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    // Without an end it would search for hours; the reading ends with the process.
    let mut error = String::new();
    std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut error).unwrap();
    // A reader that leaves early is no failure.
    assert!(child.wait().unwrap().success(), "{error}");
    assert!(!error.contains("error:"), "{error}");
}
