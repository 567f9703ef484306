//! Tests `arena referee`, called as by cg-brutaltester.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::{first_bot, run, tests_folder, text};

const LIMITS: [&str; 4] = ["--first-ms", "20000", "--later-ms", "20000"];

/// Runs the referee with the arguments that the runner appends.
fn game(code: i32, words: &[&str]) -> (Vec<String>, String) {
    let (out, err) = run(code, &[&["referee", "reversi"], &LIMITS[..], words].concat());
    (out.lines().map(str::to_owned).collect(), err)
}

#[test]
fn scores_are_printed_first_and_stderr_is_empty() {
    let bot = first_bot();
    let (lines, err) = game(0, &["-p1", &bot, "-p2", &bot, "-d", "seed=1234"]);
    assert_eq!(err, "");
    assert!(["1 0", "0 1", "0 0"].contains(&lines[..2].join(" ").as_str()), "{lines:?}");
    assert_eq!(lines[2..], ["seed=1234"]);
    // Without a seed, a random one is drawn and printed.
    let (lines, err) = game(0, &["-p1", &bot, "-p2", &bot]);
    assert_eq!(err, "");
    lines[2].strip_prefix("seed=").unwrap().parse::<u64>().unwrap();
}

#[test]
fn a_failed_bot_has_a_negative_score_and_its_fault_follows_the_seed() {
    let (bot, bad) = (first_bot(), format!("{} zz", shell_words::quote(&first_bot())));
    let (lines, err) = game(0, &["-p1", &bot, "-p2", &bad, "-d", "seed=1"]);
    assert_eq!(err, "");
    assert_eq!(lines[..4], ["1", "-1", "seed=1", "# bot p2 (seat 1), turn 1: protocol"]);
    assert!(lines[4..].iter().all(|line| line.starts_with("# ")), "{lines:?}");
}

#[test]
fn a_bot_that_cannot_be_started_has_failed() {
    let bot = first_bot();
    let (lines, err) = game(1, &["-p1", &bot, "-p2", "./no/such/bot", "-d", "seed=1"]);
    assert_eq!(lines, ["0", "-1"]);
    assert!(err.starts_with("error: can't start bot -p2, `./no/such/bot`, from "), "{err}");
}

#[test]
fn openings_come_from_the_seed() {
    let bot = first_bot();
    let shown = |seed: &str| {
        let data = format!("{seed} league=3");
        let (lines, _) = game(0, &["-p1", &bot, "-p2", &bot, "-d", &data, "-s", "--openings", "8"]);
        assert_eq!(lines[2], seed);
        lines[4..14].join("\n")
    };
    assert_eq!(shown("seed=5"), shown("seed=5"));
    assert_ne!(shown("seed=5"), shown("seed=6"));
    // In the form in which cg-brutaltester prints the command for a rerun.
    let (lines, _) = game(0, &["-p1", &bot, "-p2", &bot, "-d", "seed=5", "-s", "-d"]);
    assert_eq!(lines[2], "seed=5");
    assert!(shown("seed=5").ends_with(" to move"));
}

#[test]
fn the_result_can_be_imported() {
    let (bot, folder) = (first_bot(), tempfile::tempdir().unwrap());
    let file = folder.path().join("game1.json");
    let words = ["-p1", &bot, "-p2", &bot, "-d", "seed=9\n", "-l", text(&file), "--openings", "5"];
    let (lines, _) = game(0, &words);
    let result: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    for seat in 0..2 {
        assert_eq!(result["scores"][seat.to_string()].to_string(), lines[seat]);
    }
    assert_eq!(result["outputs"]["0"].as_array().unwrap().len(), result["views"].as_array().unwrap().len());
    let out = folder.path().join("out");
    let (line, err) = run(0, &["import", text(&file), "-o", text(&out), "--json"]);
    assert_eq!(err, "");
    let line: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(line["opening"].as_str().unwrap().split(' ').count(), 5);
    assert_eq!((&line["contest"], &line["ending"]), (&"reversi".into(), &"normal".into()));
}

#[test]
fn a_wrong_call_is_a_usage_error() {
    let bot = first_bot();
    let (_, err) = game(2, &["-p1", &bot]);
    assert!(err.contains("a game of reversi has 2 bots, but 1 command line was given"), "{err}");
    let (_, err) = game(2, &["-p1", &bot, "-p2", &bot, "-d", "seed=x"]);
    assert!(err.contains("-d seed=x: expected words NAME=VALUE"), "{err}");
    let (_, err) = run(2, &["referee", "chess", "-p1", &bot, "-p2", &bot]);
    assert!(err.contains("unknown contest `chess`"), "{err}");
    // A file where the folder should be.
    let file = tests_folder("Cargo.toml");
    let log = Path::new(text(&file)).join("x.json");
    let (lines, err) = game(1, &["-p1", &bot, "-p2", &bot, "-l", text(&log)]);
    assert_eq!(lines.len(), 2, "the scores are printed nevertheless");
    assert!(err.contains("x.json"), "{err}");
}
