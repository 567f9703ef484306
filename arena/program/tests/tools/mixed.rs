//! Tests games in which a program meets a search of the arena, which then plays as a process.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::{arena_in, first_bot};

const LIMITS: [&str; 4] = ["--first-ms", "20000", "--later-ms", "20000"];

/// The command line of a program that plays a search by the protocol: this arena itself.
fn program(contest: &str, search: &str) -> String {
    format!("{} as-bot {contest} {search}", shell_words::quote(env!("CARGO_BIN_EXE_arena")))
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The games of a match in a folder, without limits that a busy machine could miss.
fn games(folder: &Path, words: &[&str]) -> Vec<Value> {
    let output = arena_in(folder, &[&["match"], words, &["--dir", "run"], &LIMITS].concat());
    assert_eq!(output.status.code(), Some(0), "{words:?}: {}", said(&output));
    let text = std::fs::read_to_string(folder.join("run/games.jsonl")).expect("games");
    let mut games: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("a record")).collect();
    games.sort_by_key(|game| game["game"].as_u64());
    games
}

#[test]
fn a_program_meets_a_search() {
    let folder = tempfile::tempdir().unwrap();
    let bot = first_bot();
    let bot = shell_words::quote(&bot);
    let played = games(folder.path(), &["reversi", &bot, "in:greedy --nodes 50", "-n", "4"]);
    assert_eq!(played.len(), 4);
    for game in &played {
        assert_eq!(game["ending"], "normal", "{game}");
        // The record has the search as it was given.
        let commands: Vec<&str> =
            game["bots"].as_array().unwrap().iter().map(|bot| bot["command"].as_str().unwrap()).collect();
        assert!(commands.contains(&"in:greedy --nodes 50"), "{commands:?}");
    }
    // The same games once more, in another folder: random numbers follow from the games' seeds.
    let folder = tempfile::tempdir().unwrap();
    let again = games(folder.path(), &["reversi", &bot, "in:greedy --nodes 50", "-n", "4"]);
    let moves = |games: &[Value]| games.iter().map(|game| game["moves"].clone()).collect::<Vec<_>>();
    assert_eq!(moves(&played), moves(&again));
}

#[test]
fn searches_meet_programs_in_games_with_simultaneous_moves() {
    for contest in ["photosynthesis", "podracing", "tron:3"] {
        let search = match contest {
            "tron:3" => "in:random",
            _ => "in:rules",
        };
        let bots = [program(contest, &format!("{search} --nodes 20")), search.to_owned()];
        let folder = tempfile::tempdir().unwrap();
        let words = match contest {
            "tron:3" => vec!["rate", contest, &bots[0], &bots[1], search, "-n", "6"],
            _ => vec!["match", contest, &bots[0], &bots[1], "-n", "2"],
        };
        let output = arena_in(folder.path(), &[&words[..], &["--json"], &LIMITS].concat());
        assert_eq!(output.status.code(), Some(0), "{contest}: {}", said(&output));
        let summary: Value = serde_json::from_slice(&output.stdout).expect("a summary");
        assert_eq!(summary["games"], summary["normal"], "{contest}: {summary}");
    }
}

#[test]
fn a_search_is_checked_like_a_program() {
    let folder = tempfile::tempdir().unwrap();
    let words = [&["check", "photosynthesis", "in:rules", "--games", "2"][..], &LIMITS].concat();
    let output = arena_in(folder.path(), &words);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains(" 0 faults"), "{output:?}");
}

#[test]
fn a_search_as_a_bot_answers_until_its_input_ends_or_is_wrong() {
    let speak = |words: &[&str], input: &str| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_arena"))
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A program that has ended already closes its input.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        child.wait_with_output().unwrap()
    };
    let turn = "-1 -1\n2\n0 0\n1 1\n";
    let output = speak(&["as-bot", "tictactoe", "in:minimax", "--nodes", "100"], turn);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 4), "{output:?}");
    let last = |output: &Output| said(output).lines().last().unwrap_or_default().to_owned();
    for (words, input, code, expected) in [
        (&["as-bot", "tictactoe", "minimax"][..], "what\n", 1, "error: input line 1: expected "),
        (&["as-bot", "podracing", "in:rules"], "3\n0\n", 1, "error: input line 2: expected "),
        (
            &["as-bot", "tictactoe", "in:magic"],
            "",
            2,
            "error: tictactoe has no search \"magic\"; available: ",
        ),
        (&["as-bot", "sudoku", "in:minimax"], "", 2, "error: sudoku has no player by its protocol for "),
    ] {
        let output = speak(words, input);
        let last = last(&output);
        assert!(output.status.code() == Some(code) && last.starts_with(expected), "{words:?}: {output:?}");
    }
}
