//! Tests a contest with simultaneous moves and chance as a program: matches between searches and between processes,
//! records and dialogues that replay, the console, `perft`, `bench`, `tune`, `check`, `serve`.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::outside::built;

/// The example `simultaneous`: an arena and a bot.
fn program() -> PathBuf {
    built("examples/simultaneous")
}

fn bot(arguments: &str) -> String {
    format!("{} bot {arguments}", shell_words::quote(program().to_str().unwrap()))
}

fn run(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(program())
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

/// Its standard output, if it succeeds.
fn out(folder: &Path, arguments: &[&str], input: &str) -> String {
    let output = run(folder, arguments, input);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn games(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

const LIMITS: [&str; 4] = ["--first-ms", "20000", "--later-ms", "20000"];

/// The rules draw the outcomes that the referee of the same seed drew, also where it takes few bits of a seed.
#[test]
fn verify_replays_chance() {
    let folder = tempfile::tempdir().unwrap();
    let referee = format!("{} referee goofspiel", shell_words::quote(program().to_str().unwrap()));
    for bits in ["64", "31"] {
        let words = ["verify", "goofspiel", "-r", &referee, "-n", "4", "--seed-bits", bits];
        let said = out(folder.path(), &words, "");
        assert!(said.contains("the rules of goofspiel and the referee agree"), "{said}");
    }
}

#[test]
fn searches_of_the_program_play_a_match() {
    let folder = tempfile::tempdir().unwrap();
    let words =
        ["match", "goofspiel", "in:regret --nodes 400", "in:random", "-n", "40", "--dir", "run", "--json"];
    let summary: Value = serde_json::from_str(&out(folder.path(), &words, "")).unwrap();
    assert_eq!((&summary["games"], &summary["normal"]), (&40.into(), &40.into()));
    let score = summary["comparison"]["score"]["mean"].as_f64().unwrap();
    assert!(score > 0.6, "{summary}");
    let first = games(&folder.path().join("run/games.jsonl"));
    // A turn is one word, with a move of each.
    let words_of =
        |game: &Value| game["moves"].as_str().unwrap().split(' ').map(str::to_owned).collect::<Vec<_>>();
    assert!(first.iter().all(|game| words_of(game).iter().all(|word| word.len() == 3 && word.contains('+'))));
    assert!(first.iter().all(|game| words_of(game).len() == 5));
    // The same again from the file: every record agrees with the rules.
    let again = run(folder.path(), &words, "");
    assert!(String::from_utf8_lossy(&again.stderr).contains("40 of 40 games"), "{again:?}");
    // Records alone replay, since chance follows from their seeds.
    let replayed = out(folder.path(), &["replay", "run/games.jsonl"], "");
    assert!(replayed.contains("40"), "{replayed}");
}

#[test]
fn a_changed_record_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["match", "goofspiel", "in:greedy", "in:random", "-n", "2", "--dir", "run"];
    out(folder.path(), &words, "");
    let path = folder.path().join("run/games.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let moves = games(&path)[0]["moves"].as_str().unwrap().to_owned();
    let first = moves.split(' ').next().unwrap();
    for (wrong, why) in
        [("9+1", "move 1 is 9+1"), ("1", "move 1 is 1, by the rules it must be a move of each seat")]
    {
        fs::write(&path, text.replacen(first, wrong, 1)).unwrap();
        let output = run(folder.path(), &words, "");
        assert_ne!(output.status.code(), Some(0));
        assert!(String::from_utf8_lossy(&output.stderr).contains(why), "{output:?}");
    }
}

#[test]
fn processes_play_and_their_logs_replay() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (bot("--nodes 500"), bot("--nodes 500 --seed 2"));
    let words = [&["play", "goofspiel", &a, &b, "--seed", "7", "--log-dir", "logs"][..], &LIMITS].concat();
    out(folder.path(), &words, "");
    let log = folder.path().join("logs/1.p0.log");
    let text = fs::read_to_string(&log).unwrap();
    assert!(text.starts_with("> 0\n> "), "{text}");
    assert!(out(folder.path(), &["replay", "logs"], "").contains('1'));
    // The page has each seat's turns, and what another search would have played in them.
    out(folder.path(), &["view", "logs/1.json", "--compare", "in:greedy", "-o", "page.html"], "");
    let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert!(page.contains("prize ") && page.contains("in:greedy"), "{page}");
    // The console is put into a turn of the game, with its prizes.
    let shown =
        out(folder.path(), &["debug", "goofspiel", "--replay", "logs/1.json", "--turn", "3"], "show\n");
    let third = text.lines().filter(|line| line.starts_with("> ")).nth(3).unwrap();
    let prize = third.split(' ').nth(1).unwrap();
    assert!(shown.starts_with(&format!("prize {prize}, ")), "{shown} {third}");
}

#[test]
fn a_bot_that_fails_loses_and_its_game_replays() {
    let folder = tempfile::tempdir().unwrap();
    for (bots, scores) in [(["fail", ""], [0, 1]), (["", "fail"], [1, 0]), (["fail", "fail"], [0, 0])] {
        let [a, b] = bots.map(|word| bot(&format!("{word} --nodes 100")));
        let words = [&["play", "goofspiel", &a, &b, "--log-dir", "logs"][..], &LIMITS].concat();
        run(folder.path(), &words, "");
        let text = fs::read_to_string(folder.path().join("logs/1.json")).unwrap();
        let record: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(record["scores"], Value::from(scores.to_vec()), "{record}");
        let moves = record["moves"].as_str().unwrap();
        assert_eq!(moves.contains('?'), scores != [0, 0], "{moves}");
        let replayed = run(folder.path(), &["replay", "logs"], "");
        assert_eq!(replayed.status.code(), Some(0), "{replayed:?}");
        fs::remove_dir_all(folder.path().join("logs")).unwrap();
    }
}

#[test]
fn the_console_shows_a_mixed_strategy() {
    let folder = tempfile::tempdir().unwrap();
    let script = "nodes 3000\nlist\nplay 2+1\nshow\nplay 3\ninfo\nplay 3\nundo\ninfo\nmemory\nnodes 100\nline\nbest\nshow\n";
    let shown = out(folder.path(), &["debug", "goofspiel", "--search", "regret", "--seed", "3"], script);
    assert!(shown.contains("\nstrategy ") && shown.contains("moves so far: 2+1 3+?"), "{shown}");
    assert!(shown.contains("moves so far: 2+1\n"), "{shown}");
    assert!(shown.contains("1 below the root: ") && shown.contains("seat 1 moves"), "{shown}");
    let refused = run(folder.path(), &["debug", "goofspiel"], "play 7\n");
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(said.contains("\"7\" is not a legal move of player 0; expected one of 1, 2, 3, 4, 5"), "{said}");
    let refused = run(folder.path(), &["debug", "goofspiel"], "play 1+2+3\n");
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(said.contains("expected a move of each of the players 0, 1, with + between them"), "{said}");
}

#[test]
fn a_served_bot_reads_turns() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["serve", "goofspiel", "--search", "regret", "--nodes", "50", "--connections", "1"];
    let mut server = Command::new(program())
        .args(words)
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
    let address = lines.next().unwrap().unwrap();
    let mut stream = TcpStream::connect(address.strip_prefix("listening on ").unwrap()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let mut answers = BufReader::new(stream.try_clone().unwrap()).lines();
    // The second player; prize 5, even; cards 1, 3 and 5 against 2 and 3; prizes 1 and 2 to come. Then one card is left.
    stream.write_all(b"1\n5 0 6 21 3\n").unwrap();
    assert!(["1", "3", "5"].contains(&answers.next().unwrap().unwrap().as_str()));
    stream.write_all(b"2 5 2 1 1\n").unwrap();
    assert_eq!(answers.next().unwrap().unwrap(), "1");
    drop((stream, answers));
    assert_eq!(lines.next().unwrap().unwrap(), "connections: 1");
    assert!(server.wait().unwrap().success());
}

#[test]
fn the_other_commands_work_or_say_that_they_do_not() {
    let folder = tempfile::tempdir().unwrap();
    // 5 prizes, 25 pairs of bids; then 4 and 16.
    let counts = out(folder.path(), &["perft", "goofspiel", "2", "--divide"], "");
    assert!(
        counts.contains(" 125 leaves") && counts.contains(" 8000 leaves") && counts.contains("\n1+1: "),
        "{counts}"
    );
    let benched = out(folder.path(), &["bench"], "");
    assert_eq!(benched, out(folder.path(), &["bench"], ""));
    assert!(benched.contains("decoupled") && benched.contains("regret"), "{benched}");
    let bot = bot("--nodes 100");
    let checked = [&["check", "goofspiel", &bot][..], &LIMITS].concat();
    assert!(out(folder.path(), &checked, "").contains(" 0 faults"));
    let tuned = out(
        folder.path(),
        &["tune", "goofspiel", "in:decoupled", "-n", "20", "--nodes", "50", "--log", "tuned.jsonl"],
        "",
    );
    assert!(tuned.contains("exploration"), "{tuned}");
    let balanced = run(
        folder.path(),
        &["match", "goofspiel", "in:regret", "in:random", "-n", "2", "--openings", "2", "--balance"],
        "",
    );
    assert_ne!(balanced.status.code(), Some(0));
    let said = String::from_utf8_lossy(&balanced.stderr).into_owned();
    assert!(said.contains("simultaneous moves can't be balanced"), "{said}");
    assert!(!said.contains("resume"), "a run that can't begin isn't resumed: {said}");
    let ponders = run(folder.path(), &["serve", "goofspiel", "--search", "regret", "--ponder"], "");
    assert_ne!(ponders.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&ponders.stderr).contains("can't ponder"), "{ponders:?}");
}
