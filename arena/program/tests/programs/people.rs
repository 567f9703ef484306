//! Tests `arena play` with people, whose lines come through a pipe.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::outside::built;

fn run_program(program: &Path, arguments: &[&str], typed: &str) -> Output {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Ignored: the program may exit before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(typed.as_bytes());
    child.wait_with_output().unwrap()
}

fn run(arguments: &[&str], typed: &str) -> Output {
    run_program(Path::new(env!("CARGO_BIN_EXE_arena")), arguments, typed)
}

/// What people see, if all goes well.
fn seen(arguments: &[&str], typed: &str) -> String {
    let output = run(arguments, typed);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The lines between the first that contains `from` and the next that contains `to`.
fn between<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    let start = text.find(from).unwrap_or_else(|| panic!("no {from:?} in {text}"));
    let length = text[start..].find(to).unwrap_or_else(|| panic!("no {to:?} after {from:?} in {text}"));
    &text[start..start + length]
}

const WON: &str = "\
nonsense
0,0
1
undo
1,1
0,1
2 2
0 2
";

#[test]
fn two_people_play_a_game_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let logs = folder.path().join("logs");
    let words = ["play", "tictactoe", "human", "human", "--log-dir", logs.to_str().unwrap()];
    let text = seen(&words, WON);
    assert!(text.starts_with("tictactoe, game 1: seat 0 is A (human), seat 1 is B (human); "), "{text}");
    assert!(text.contains("\"nonsense\" is not a legal move; `moves` lists them"), "{text}");
    // Nine cells, then eight; the first of the eight is 0,1.
    assert!(text.contains("A, seat 0, to move:\n1 0,0   2 0,1 "), "{text}");
    assert!(text.contains("B, seat 1, to move:\n1 0,1 "), "{text}");
    assert!(text.contains("xxx\n.o.\n..o\n"), "{text}");
    let last = text.lines().last().unwrap();
    assert_eq!(last, "game 1: A v B, opening none, 5 moves, scores 1-0, normal");
    // The record and the dialogues are those of bots.
    let replayed = run(&["replay", logs.to_str().unwrap()], "");
    assert_eq!(replayed.status.code(), Some(0), "{replayed:?}");
    let record: Value = serde_json::from_slice(&fs::read(logs.join("1.json")).unwrap()).unwrap();
    assert_eq!(record["moves"], "0,0 1,1 0,1 2,2 0,2");
    assert_eq!(record["times_ms"][0].as_array().unwrap().len(), 3);
}

#[test]
fn a_search_answers_gives_hints_and_takes_its_moves_back() {
    let words =
        ["play", "reversi", "human", "in:alpha-beta --nodes 300", "--hint", "in:alpha-beta --nodes 500"];
    let text = seen(&words, "hint\nd3\nundo\nhint\nd3\nboard\nturn\nhelp\nquit\n1\n");
    let hints: Vec<&str> = text.lines().filter(|line| line.starts_with("in:alpha-beta")).collect();
    assert_eq!(hints.len(), 2, "{text}");
    let said =
        |hint: &&str| hint.starts_with("in:alpha-beta --nodes 500 plays ") && hint.contains(": score ");
    assert!(hints.iter().all(said), "{text}");
    let answers: Vec<&str> = text.lines().filter(|line| line.starts_with("alpha-beta plays ")).collect();
    assert_eq!(answers.len(), 2, "{text}");
    // Drawn before each of the four turns, and by the word; the start before two of them.
    let (start, drawn) = ("black 2, white 2; black (0) to move", "black (0) to move");
    assert_eq!((text.matches(start).count(), text.matches(drawn).count()), (2, 5), "{text}");
    assert!(text.contains("\n...0....\n...00...\n"), "the lines of a turn: {text}");
    assert!(text.contains("undo [N]") && text.ends_with("the game is left unfinished\n"), "{text}");
}

#[test]
fn the_second_game_has_the_seats_changed_and_json_stays_apart() {
    let words = ["play", "tictactoe", "human", "in:random", "--games", "2", "--seed", "3", "--json"];
    // By number, as often as may be needed: the rest is not read.
    let output = run(&words, &"1\n".repeat(20));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let screen = String::from_utf8(output.stderr).unwrap();
    assert!(screen.contains("game 1: seat 0 is you (human), seat 1 is random"), "{screen}");
    assert!(screen.contains("game 2: seat 0 is random (in:random), seat 1 is you"), "{screen}");
    let lines = String::from_utf8(output.stdout).unwrap();
    let values: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(values.len(), 3, "two games and their summary: {lines}");
    assert_eq!(values[2]["games"], 2);
}

#[test]
fn who_moves_at_the_same_time_as_others_does_not_see_their_moves() {
    let program = built("examples/simultaneous");
    let words = ["play", "goofspiel", "human", "human"];
    let output = run_program(&program, &words, "1\n2\nundo\n3\n5\nundo 2\n4\n4\n");
    let text = String::from_utf8(output.stdout).unwrap();
    // The first turn: A's move is shown only after B's.
    let first = between(&text, "A, seat 0, to move:", "B, seat 1, to move:");
    assert!(first.contains("A has chosen") && !first.contains("A plays"), "{text}");
    assert!(between(&text, "B, seat 1, to move:", "\n\n").contains("A plays 1\nB plays 2"), "{text}");
    // B takes its turn back; in the next one B takes back both.
    assert!(
        text.contains("A plays 4\nB plays 4") && text.ends_with("the game is left unfinished\n"),
        "{text}"
    );
}

#[test]
fn a_process_is_started_again_when_a_turn_is_taken_back() {
    let program = built("examples/simultaneous");
    let bot = format!("{} bot --nodes 200", shell_words::quote(program.to_str().unwrap()));
    let words = ["play", "goofspiel", "human", &bot, "--first-ms", "20000", "--later-ms", "20000"];
    let output = run_program(&program, &words, "1\n2\nundo\n3\n4\n5\n2\n");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("simultaneous is restarted, and answers its turns again"), "{text}");
    // With a number of nodes it answers as before, so the first turn stands.
    let answers: Vec<&str> = text.lines().filter(|line| line.starts_with("simultaneous plays ")).collect();
    assert_eq!(answers.len(), 6, "{text}");
    assert_eq!(answers[1], answers[2], "the same turn twice: {text}");
    assert!(text.lines().last().unwrap().contains("5 moves, scores "), "{text}");
}

#[test]
fn every_contest_can_be_played() {
    let listed = seen(&["contests", "--json"], "");
    let contests: Vec<Value> = listed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(contests.len() > 10, "{listed}");
    for contest in &contests {
        let name = contest["contest"].as_str().unwrap();
        let seats = contest["seats"].as_u64().unwrap() as usize;
        let words = [&["play", name][..], &vec!["human"; seats]].concat();
        let text = seen(&words, "turn\nmoves\nboard\nundo\nwhat is this\nundo\n");
        assert!(text.contains("there is nothing to take back"), "{name}: {text}");
        assert!(text.contains("\"what is this\" is not ") || text.contains("; expected "), "{name}: {text}");
        assert!(text.ends_with("the game is left unfinished\n"), "{name}: {text}");
    }
}

#[test]
fn moves_that_cannot_be_listed_are_typed_as_answers() {
    let words = ["play", "podracing", "human", "in:rules"];
    let text = seen(&words, "8000 4500 100\n8000 4500 100\n0 0 FULL\nundo\nmoves\n0 0 FULL\n1 1 0\n");
    assert!(text.contains("answer in 2 lines: "), "{text}");
    assert!(text.contains("the moves of this contest can't be listed"), "{text}");
    // The first line is said to be one; `undo` takes the second turn's back, not the first turn.
    assert!(text.contains("line 2 of 2; `undo` takes line 1 back"), "{text}");
    assert!(text.contains("the answer starts again: line 1 of 2"), "{text}");
    assert!(text.contains("not an answer of this protocol"), "{text}");
    assert_eq!(text.matches("rules plays ").count(), 1, "{text}");
    // A search of a puzzle hints at one digit, which isn't an answer.
    let text =
        seen(&["play", "sudoku", "human", "--hint", "in:minimax --nodes 2000"], "hint\n123456789\nundo 2\n");
    assert!(text.contains("in:minimax --nodes 2000 plays r") && !text.contains("\nr"), "{text}");
    assert!(text.contains("line 2 of 9; ") && text.contains("starts again: line 1 of 9"), "{text}");
    let text = seen(&["play", "lander", "human"], "0 3\n10 3\nundo\n-90 0\n");
    assert_eq!(text.matches("you, seat 0, to move").count(), 5, "{text}");
}

#[test]
fn nobody_sees_more_than_its_own_side() {
    let text = seen(&["play", "wondev", "human", "in:greedy", "--seed", "4"], "1\n1\n1\n");
    assert!(text.contains("your points ") && text.contains("greedy has played"), "{text}");
    assert!(!text.contains("(AB)") && !text.contains("greedy plays M/"), "{text}");
}

#[test]
fn people_play_nowhere_else() {
    for words in [
        &["match", "reversi", "human", "in:greedy"][..],
        &["play", "-r", "./referee", "human", "./bot"],
        &["play", "reversi", "human", "in:greedy", "--hint", "./bot"],
        &["play", "reversi", "human", "in:greedy", "--hint", "in:nothing"],
    ] {
        let output = run(words, "");
        assert_eq!(output.status.code(), Some(2), "{words:?}: {output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: "), "{output:?}");
    }
}
