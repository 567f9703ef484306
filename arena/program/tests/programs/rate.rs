//! Tests `arena rate` as a program, with the example `first` as the bots.

use std::path::Path;
use std::process::Output;

use serde_json::Value;

use crate::outside::{arena, first, PATIENT};

/// Rates two equal bots and one that fails in each game, with limits that even a busy machine keeps.
fn rate(folder: &Path, options: &[&str]) -> Output {
    let [good, bad, also_good] = ["", "zz", "again"].map(first);
    let words = ["rate", "reversi", &good, &bad, &also_good, "--keep-going", "--dir", "."];
    arena(folder, &[&words, &PATIENT[..], options].concat())
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn games(folder: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join("games.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The group and seats of each game, sorted.
fn seatings(folder: &Path) -> Vec<String> {
    let mut all = games(folder)
        .iter()
        .map(|game| {
            let name = |seat: usize| game["bots"][seat]["name"].as_str().unwrap();
            format!("{} {}-{}", game["group"], name(0), name(1))
        })
        .collect::<Vec<_>>();
    all.sort();
    all
}

#[test]
fn a_round_robin_uses_both_seats_and_ranks_the_bots() {
    let folder = tempfile::tempdir().unwrap();
    let output = rate(folder.path(), &["-n", "4"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let expected = ["0 A-B", "0 B-A", "1 A-C", "1 C-A", "2 B-C", "2 C-B", "3 A-B", "3 B-A", "4 A-C", "4 C-A"];
    assert_eq!(seatings(folder.path())[..10], expected);
    let text = text(&output);
    let lines = text.lines().collect::<Vec<_>>();
    assert!(lines[0].starts_with("rank  bot"), "{text}");
    assert!(lines[3].starts_with("   3  B  ") && lines[3].ends_with("zz"), "{text}");
    assert!(text.contains("endings: 4 of 12 normal\n"), "{text}");
    assert!(text.contains("  faults of B: protocol 8\n"), "{text}");
}

#[test]
fn the_same_command_resumes_and_a_longer_one_continues() {
    let folder = tempfile::tempdir().unwrap();
    let first = rate(folder.path(), &["-n", "2"]);
    let before = games(folder.path());
    assert_eq!(before.len(), 6);
    let again = rate(folder.path(), &["-n", "2"]);
    assert_eq!(text(&again), text(&first));
    assert_eq!(games(folder.path()), before);
    let on = rate(folder.path(), &["-n", "4", "--json"]);
    assert_eq!(on.status.code(), Some(0), "{on:?}");
    let after = games(folder.path());
    assert_eq!((after.len(), &after[..6]), (12, &before[..]));
    let report = serde_json::from_str::<Value>(&text(&on)).unwrap();
    assert_eq!(report["rows"][2]["name"], "B");
    assert_eq!(report["rows"][2]["meetings"], 8);
    assert_eq!(report["rows"][2]["against"][0]["losses"], 4);
    assert_eq!(report["summary"]["games"], 12);
    assert!(report["rows"][0]["rating"]["low"].as_f64() > report["rows"][2]["rating"]["high"].as_f64());
}

#[test]
fn in_a_gauntlet_only_the_first_meets_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let output = rate(folder.path(), &["-n", "2", "--gauntlet"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(seatings(folder.path()), ["0 A-B", "0 B-A", "1 A-C", "1 C-A"]);
}

#[test]
fn a_threshold_that_is_not_reached_is_undecided() {
    let folder = tempfile::tempdir().unwrap();
    let output = rate(folder.path(), &["-n", "2", "--stop-threshold", "0"]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert!(text(&output).contains("After 1 round no bot is surely more than 0 Elo better"), "{output:?}");
}

#[test]
fn a_threshold_that_is_reached_ends_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let [good, bad] = ["", "zz"].map(first);
    let words = ["rate", "reversi", &bad, &good, "-n", "400", "--keep-going", "-j", "1", "--dir", "."];
    let output = arena(folder.path(), &[&words, &PATIENT[..], &["--stop-threshold", "0"]].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(text(&output).contains("B is more than 0 Elo better than every other bot"), "{output:?}");
    assert!(games(folder.path()).len() < 100, "{}", games(folder.path()).len());
}

#[test]
fn invalid_options_are_usage_errors() {
    let cases = [
        (&["reversi", "./a"][..], "rating reversi needs at least 2 bots, but 1 command line was given"),
        (&["reversi", "./a", "./b", "-n", "3"], "so give -n 4"),
        (&["reversi", "./a", "./b", "./c", "-n", "4000000000"], "too many to count"),
        (&["reversi", "./a", "./b", "--stop-threshold=-1"], "expected a number from 0 to 1000"),
    ];
    for (arguments, expected) in cases {
        let folder = tempfile::tempdir().unwrap();
        let output = arena(folder.path(), &[&["rate"], arguments].concat());
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
}
