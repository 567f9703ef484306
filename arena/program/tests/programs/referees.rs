//! Tests `-r` with what referees print, are given and leave out, and with every number of players.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{json, Value};

use crate::outside::{arena, built, digest, err, json as result, out, outside};

/// A referee that prints a text.
fn says(text: &str) -> String {
    outside(&format!("say --text {}", shell_words::quote(text)))
}

/// The record of a game played with a log.
fn record(folder: &Path, referee: &str, bots: &[&str]) -> Value {
    let words = [&["play", "-r", referee, "--log-dir", "logs"], bots].concat();
    out(&arena(folder, &words));
    serde_json::from_slice(&fs::read(folder.join("logs/1.json")).unwrap()).unwrap()
}

#[test]
fn what_is_no_result_is_the_referees_failure_and_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let bot = outside("bot 5");
    for (text, said) in [
        ("null\nnull", "null for a score"),
        ("3", "1 score for 2 players"),
        ("7\n8\n9", "3 scores for 2 players"),
        ("0.5\n0.5", "printed 0.5 for a score"),
        ("Usage: referee [options]", "no score"),
        (" ", "printed nothing"),
        ("{\"ranks\": [0], \"errors\": [0]}", "\"ranks\" must be a list of 2"),
        ("{\"ranks\": [0, 1], \"errors\": [0]}", "\"errors\" must be a list of 2"),
        ("{\"ranks\": [0,", "can't be read as JSON"),
        ("[]", "0 games"),
    ] {
        let words = ["match", "-r", &says(text), &bot, &bot, "-n", "2", "--seed-as", "d", "--dir", "run"];
        let output = arena(folder.path(), &words);
        let told = err(&output);
        assert_eq!(output.status.code(), Some(1), "{text}: {told}");
        assert!(told.contains("no result for game 1") && told.contains(said), "{text}: {told}");
        assert_eq!(told.matches("it is played again").count(), 1, "{text}: {told}");
        // What it printed, in its own words.
        let first = text.lines().next().unwrap().trim();
        assert!(told.lines().any(|line| line.trim() == first) || first.is_empty(), "{text}: {told}");
        assert_eq!(fs::read(folder.path().join("run/games.jsonl")).unwrap(), b"", "{text}");
        fs::remove_dir_all(folder.path().join("run")).unwrap();
    }
}

#[test]
fn results_of_psyleague_and_cgarena_are_read() {
    let bot = outside("bot 5");
    let psyleague = r#"{"ranks": [1, 0], "errors": [1, 0], "test_data": {"size": 9}, "player_data": [{"gold": 3}, {"gold": 4}]}"#;
    for text in [psyleague.to_owned(), format!("[{psyleague}]")] {
        let folder = tempfile::tempdir().unwrap();
        let record = record(folder.path(), &says(&text), &[&bot, &bot]);
        assert_eq!(record["scores"], json!([0, 1]), "{record}");
        assert_eq!((&record["faults"][0]["seat"], &record["faults"][1]), (&json!(0), &Value::Null));
        assert_eq!(record["data"][1]["pdata"], json!({"gold": 4.0, "size": 9.0}));
    }
    let cgarena = r#"{"ranks": [0, 0], "errors": [0, 0], "attributes": [
        {"name": "depth", "player": 0, "turn": 1, "value": "8"}, {"name": "depth", "player": 0, "turn": 2, "value": 10},
        {"name": "map", "player": null, "turn": null, "value": 6}, {"name": "word", "player": 1, "turn": null, "value": "x"}]}"#;
    let folder = tempfile::tempdir().unwrap();
    let record = record(folder.path(), &says(cgarena), &[&bot, &bot]);
    assert_eq!(record["scores"], json!([0, 0]));
    assert_eq!(
        record["data"][0]["tdata"]["depth"],
        json!({"count": 2, "mean": 9.0, "min": 8.0, "max": 10.0})
    );
    assert_eq!(record["data"][1], json!({"pdata": {"map": 6.0}}));
}

#[test]
fn numbers_on_the_bots_standard_error_come_from_the_referees_file() {
    let folder = tempfile::tempdir().unwrap();
    let record = record(folder.path(), &outside("d"), &[&outside("bot 5"), &outside("bot 6")]);
    assert_eq!(record["data"][1]["pdata"], json!({"strength": 6.0, "hits": 3.0}));
    assert_eq!(record["data"][1]["tdata"]["width"]["mean"], 7.0);
    assert_eq!(record["data"][1]["tdata"]["depth"]["mean"], 4.0);
    let file = fs::read(folder.path().join("logs/1.referee.json")).unwrap();
    assert!(serde_json::from_slice::<Value>(&file).unwrap()["errors"]["1"].is_array());
}

#[test]
fn much_on_its_standard_error_does_not_block_a_referee() {
    let folder = tempfile::tempdir().unwrap();
    let bot = outside("bot 5");
    let output = arena(folder.path(), &["play", "-r", &outside("loud"), &bot, &bot, "--referee-limit", "60"]);
    assert!(out(&output).contains("scores 5-5, normal"), "{output:?}");
}

#[test]
fn league_and_further_arguments_reach_the_referee() {
    let folder = tempfile::tempdir().unwrap();
    let bot = outside("bot 5");
    let words = ["play", "-r", &outside("words"), &bot, "--players", "1", "--seed-as", "seed", "--seed", "3"];
    let more = ["--league", "4", "--referee-arg", "-fast", "--referee-arg", "a b", "--seed-bits", "31"];
    let told = err(&arena(folder.path(), &[&words[..], &more].concat()));
    assert!(
        told.contains("|-league|4|-fast|a b") && told.contains("|-seed|") && !told.contains("|-seed|-"),
        "{told}"
    );
}

#[test]
fn one_to_eight_bots_play_a_game() {
    let folder = tempfile::tempdir().unwrap();
    let bots = (1..=8).map(|number| outside(&format!("bot {number}"))).collect::<Vec<_>>();
    for count in 1..=8 {
        let given = bots[..count].iter().map(String::as_str).collect::<Vec<_>>();
        let referee = outside("d");
        let words = [&["play", "-r", &referee, "--seed-as", "d"], &given[..]].concat();
        let scores = (1..=count).map(|score| score.to_string()).collect::<Vec<_>>().join("-");
        let text = out(&arena(folder.path(), &words));
        assert!(
            text.contains(&format!("scores {scores}, normal")) || count == 1 && text.contains("scores 1"),
            "{text}"
        );
    }
    let given = bots.iter().map(String::as_str).collect::<Vec<_>>();
    let words = ["match", "-r", &outside("d"), "-n", "8", "--dir", "run", "--json"];
    let found = result(&arena(folder.path(), &[&words[..], &given].concat()));
    assert_eq!(found["games"], 8);
    // Each bot sits on each seat once.
    let games = digest(&folder.path().join("run"));
    let seats =
        games.iter().map(|game| (0..8).map(|seat| game[3][seat]["name"].to_string()).collect::<Vec<_>>());
    let seats = seats.collect::<Vec<_>>();
    for seat in 0..8 {
        assert_eq!(seats.iter().map(|names| &names[seat]).collect::<BTreeSet<_>>().len(), 8);
    }
}

#[test]
fn shards_are_merged_to_the_whole_run() {
    let folder = tempfile::tempdir().unwrap();
    let (referee, a, b) = (outside("d"), outside("bot 5 by-seed"), outside("bot 6"));
    let play = |dir: &str, more: &[&str]| {
        let words = ["match", "-r", &referee, &a, &b, "-n", "8", "--seed", "5", "--dir", dir, "--json"];
        out(&arena(folder.path(), &[&words[..], more].concat()))
    };
    play("whole", &[]);
    play("first", &["--shard", "1/2"]);
    play("second", &["--shard", "2/2"]);
    let whole = result(&arena(folder.path(), &["merge", "whole", "--json"]));
    let merged = result(&arena(folder.path(), &["merge", "first", "second", "--json"]));
    assert_eq!((&whole["games"], &whole["comparison"]), (&merged["games"], &merged["comparison"]));
    assert_eq!(whole["games"], 8);
}

#[test]
fn another_build_of_the_referee_is_another_run() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("referee").with_extension(std::env::consts::EXE_EXTENSION);
    fs::copy(built("examples/outside"), &program).unwrap();
    let referee = format!("{} d", shell_words::quote(program.to_str().unwrap()));
    let bot = outside("bot 5");
    let play = |games: &str| {
        arena(folder.path(), &["match", "-r", &referee, &bot, &bot, "-n", games, "--dir", "run"])
    };
    out(&play("2"));
    out(&play("4"));
    // The same program with bytes appended, which the loader ignores.
    let mut bytes = fs::read(&program).unwrap();
    bytes.extend_from_slice(b"another build");
    fs::write(&program, bytes).unwrap();
    let output = play("6");
    assert!(
        output.status.code() != Some(0) && err(&output).contains("the external referee is"),
        "{output:?}"
    );
}

#[test]
fn one_player_is_tested_and_tuned_by_any_comparison() {
    let folder = tempfile::tempdir().unwrap();
    let referee = outside("json --seed {SEED} --bots {P1}");
    let (few, many) = (outside("bot 20 by-seed"), outside("bot 40"));
    for (compare, more, better, worse) in [
        ("ratio", &[][..], &many, &few),
        ("ratio", &["--lower-is-better"], &few, &many),
        ("difference", &["--lower-is-better"], &few, &many),
        ("rank", &[], &many, &few),
    ] {
        let words = ["sprt", "-r", &referee, "--players", "1", "--compare", compare, better, worse];
        let text = out(&arena(folder.path(), &[&words[..], more].concat()));
        assert!(text.contains("H1 accepted"), "{compare} {more:?}: {text}");
    }
    for (at, (compare, more)) in
        [("difference", &[][..]), ("ratio", &["--lower-is-better"])].iter().enumerate()
    {
        let (log, bot) = (format!("{at}.jsonl"), outside("bot 20"));
        let words = ["tune", "-r", &referee, "--players", "1", "--compare", compare, &bot, "--games", "120"];
        let found = result(&arena(folder.path(), &[&words[..], &["--json", "--log", &log], more].concat()));
        let tuned = found["parameters"][0]["tuned"].as_f64().unwrap();
        // It begins at 10.
        assert!(if more.is_empty() { tuned > 10.0 } else { tuned < 10.0 }, "{compare} {more:?}: {found}");
    }
}

#[test]
fn a_bot_that_no_referee_can_start_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let blank = folder.path().join("a folder");
    fs::create_dir(&blank).unwrap();
    let mut program = Command::new(env!("CARGO_BIN_EXE_arena"));
    program.args(["play", "-r", &outside("d"), &outside("bot 5"), &outside("bot ''")]);
    for name in ["TMPDIR", "TMP", "TEMP"] {
        program.env(name, &blank);
    }
    let output = program.current_dir(folder.path()).stdin(Stdio::null()).output().unwrap();
    assert_ne!(output.status.code(), Some(0), "{output:?}");
    assert!(err(&output).contains("has blanks") && err(&output).contains("script"), "{output:?}");
}

#[test]
fn the_help_of_each_command_shows_a_referee() {
    for command in ["play", "match", "sprt", "rate", "tune", "check"] {
        let text = out(&arena(Path::new("."), &[command, "--help"]));
        assert!(text.contains(&format!("arena {command} -r '")), "{command}");
    }
}

/// Games that were lost under a referee are played again on their own seeds, by the new bot and by the recorded one.
#[test]
fn lost_games_are_played_again_through_the_referee() {
    let folder = tempfile::tempdir().unwrap();
    // A has one point less on a third of the seeds.
    let (referee, a, b) = (outside("d"), outside("bot 5 by-seed"), outside("bot 6"));
    out(&arena(folder.path(), &["match", "-r", &referee, &a, &b, "-n", "12", "--dir", "run"]));
    let lines = fs::read_to_string(folder.path().join("run/games.jsonl")).unwrap();
    let games = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let seat = |game: &Value| usize::from(game["bots"][1]["name"] == "A");
    let lost = games.filter(|game| game["scores"][seat(game)] == 5).collect::<Vec<_>>();
    assert!(!lost.is_empty() && lost.len() < 12, "{lines}");
    let regress = |bot: &str, more: &[&str]| {
        let words = ["regress", "run", "-r", &referee, "--bot", bot, "--json"];
        result(&arena(folder.path(), &[&words[..], more].concat()))
    };
    let report = regress(&outside("bot 6 by-seed"), &["--log-dir", "again"]);
    assert_eq!(
        (&report["of"], &report["read"], &report["has_control"]),
        (&json!("A"), &json!(12), &json!(true))
    );
    let played = report["games"].as_array().unwrap();
    for (game, played) in lost.iter().zip(played) {
        assert_eq!(
            (&played["game"], &played["seat"]),
            (&json!(game["game"].to_string()), &json!(seat(game)))
        );
        assert_eq!((&played["change"], &played["new_points"]), (&json!("better"), &json!(6)), "{played}");
        assert_eq!((&played["control"], &played["control_points"]), (&json!("lost"), &json!(5)), "{played}");
    }
    let again = |number: usize| {
        let record = fs::read(folder.path().join(format!("again/{number}.json"))).unwrap();
        serde_json::from_slice::<Value>(&record).unwrap()["seed_text"].clone()
    };
    let seeds = lost.iter().flat_map(|game| [&game["seed_text"]; 2]);
    assert_eq!(seeds.cloned().collect::<Vec<_>>(), (1..=2 * lost.len()).map(again).collect::<Vec<_>>());
    assert_eq!(played.len(), lost.len());

    // A bot that fails wins nothing, and without the referee there are no rules.
    let failing = regress(&outside("bot five"), &["--no-control"]);
    let first = &failing["games"][0];
    assert_eq!((&first["change"], &first["fault"]), (&json!("same"), &json!("failed")), "{failing}");
    let output = arena(folder.path(), &["regress", "run", "--bot", &a]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(err(&output).contains("for a contest without rules here give its referee with -r"), "{output:?}");
}

#[test]
fn a_java_without_a_compiler_keeps_no_machine_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let java = folder.path().join(format!("java{}", std::env::consts::EXE_SUFFIX));
    fs::copy(built("examples/outside"), &java).unwrap();
    let referee = format!("{} d", shell_words::quote(java.to_str().unwrap()));
    let (a, b) = (outside("bot 5"), outside("bot 6"));
    let words = ["match", "-r", &referee, &a, &b, "-n", "4", "--keep-jvm", "--seed-as", "d", "--json"];
    let output = arena(folder.path(), &words);
    assert_eq!(result(&output)["normal"], 4);
    let text = err(&output);
    assert!(text.contains("--keep-jvm isn't possible: ") && text.contains("(it needs a JDK)"), "{text}");
    assert!(text.contains("each game gets a Java virtual machine of its own"), "{text}");
}
