//! Tests games of two, three and four seats as a program: each command that plays, and what it leaves behind.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::outside::{arena, digest, err, json, out};
use serde_json::Value;

const ARENA: &str = env!("CARGO_BIN_EXE_arena");

/// A server for some connections, killed on drop.
struct Server(Child, String);

impl Server {
    fn start(contest: &str) -> Server {
        let words = ["serve", contest, "--search", "area", "--nodes", "100", "--pool-mb", "1"];
        let mut child = Command::new(ARENA)
            .args(words)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening on ").unwrap().to_owned();
        Server(child, shell_words::join([ARENA, "connect", &address]))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What doesn't depend on the machine in a game's record.
fn games(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("games.jsonl")).unwrap();
    let mut games = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>();
    games.sort_by_key(|game| game["game"].as_u64());
    games
}

/// The bots of a game by seat.
fn seating(game: &Value) -> String {
    game["bots"].as_array().unwrap().iter().map(|bot| bot["name"].as_str().unwrap()).collect()
}

#[test]
fn each_opening_is_played_in_every_rotation_of_the_seats() {
    let folder = tempfile::tempdir().unwrap();
    let bots = ["in:area", "in:random --seed 2", "in:flat --nodes 8", "in:random"];
    for (contest, seats) in [("tron", 2), ("tron:3", 3), ("tron:4", 4)] {
        let (games_asked, dir) = ((2 * seats).to_string(), contest.replace(':', "-"));
        let run = |games: &str| {
            let words = ["match", contest, "-n", games, "-j", "1", "--json", "--dir", &dir];
            let named = bots[..seats].iter().zip("ABCD".chars()).map(|(bot, name)| format!("{name}={bot}"));
            let named = named.collect::<Vec<_>>();
            let bots = named.iter().map(String::as_str).collect::<Vec<_>>();
            json(&arena(folder.path(), &[&words[..], &bots].concat()))
        };
        let found = run(&games_asked);
        assert_eq!((&found["games"], &found["normal"]), (&(2 * seats).into(), &(2 * seats).into()));
        let games = games(&folder.path().join(&dir));
        for (number, game) in games.iter().enumerate() {
            let expected =
                (0..seats).map(|seat| char::from(b'A' + ((seat + number) % seats) as u8)).collect::<String>();
            assert_eq!(seating(game), expected, "{contest}, game {}", number + 1);
            assert_eq!(game["opening"], games[number / seats * seats]["opening"]);
            assert_eq!(game["opening"].as_str().unwrap().split(' ').count(), seats);
            let mut scores = game["scores"].as_array().unwrap().clone();
            scores.sort_by_key(Value::as_i64);
            assert_eq!(scores, (0..seats).map(Value::from).collect::<Vec<_>>(), "no two share a place");
        }
        assert_ne!(games[0]["opening"], games[seats]["opening"]);
        // Resumed, the recorded games are checked against the rules and kept.
        let before = digest(&folder.path().join(&dir));
        run(&(3 * seats).to_string());
        assert_eq!(digest(&folder.path().join(&dir))[..2 * seats], before);
    }
}

#[test]
fn each_opening_can_be_played_in_every_order_of_the_bots() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["match", "tron:3", "--seats", "all", "-j", "1", "--dir", "run"];
    let bots = ["in:area", "in:random --seed 2", "in:random"];
    let found = json(&arena(folder.path(), &[&words[..], &["-n", "6", "--json"], &bots].concat()));
    assert_eq!(found["games"], 6);
    let games = games(&folder.path().join("run"));
    let orders = games.iter().map(seating).collect::<Vec<_>>();
    assert_eq!(orders, ["ABC", "ACB", "BAC", "BCA", "CAB", "CBA"]);
    assert!(games.iter().all(|game| game["opening"] == games[0]["opening"]));
    let output = arena(folder.path(), &[&words[..], &["-n", "3"], &bots].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("each opening is played 6 times"), "{}", err(&output));
    // The rotations are another run.
    let output = arena(folder.path(), &[&["match", "tron:3", "-n", "6", "--dir", "run"][..], &bots].concat());
    assert_eq!(output.status.code(), Some(1));
    assert!(err(&output).contains("holds games of another run"), "{}", err(&output));
}

/// A new bot against several of the old one: the old one is named once.
#[test]
fn the_last_bot_takes_the_seats_that_are_left() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["match", "tron:3", "in:area --nodes 1", "in:random", "-n", "3", "-j", "1"];
    let short = arena(folder.path(), &[&words[..], &["--dir", "short"]].concat());
    assert_eq!(short.status.code(), Some(0), "{short:?}");
    let said =
        "a game has 3 seats and 2 bots are given: the last one, `in:random`, takes the other seats as well";
    assert!(err(&short).contains(said), "{}", err(&short));
    let all = [&words[..4], &["in:random"], &words[4..], &["--dir", "all"]].concat();
    assert_eq!(arena(folder.path(), &all).status.code(), Some(0));
    assert_eq!(digest(&folder.path().join("all")), digest(&folder.path().join("short")));
}

#[test]
fn half_a_group_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let bots = ["in:random"; 4];
    let output = arena(folder.path(), &[&["match", "tron:4", "-n", "6"][..], &bots].concat());
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(err(&output).contains('8'), "{}", err(&output));
    let output = arena(folder.path(), &["match", "tron:4", "in:random"]);
    assert!(err(&output).contains("a game of tron:4 has 4 bots, but 1 command line was given"), "{output:?}");
    let output = arena(folder.path(), &["match", "tron:5", "in:random", "in:random"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("expected 2, 3 or 4 players, found \"5\""), "{}", err(&output));
    for (option, value) in [("--games", "-4"), ("--openings", "-1"), ("--first-ms", "-0.5"), ("--seed", "-1")]
    {
        let output = arena(folder.path(), &[&["match", "tron:4", option, value][..], &bots].concat());
        assert_eq!(output.status.code(), Some(2));
        let expected = format!("error: invalid value '{value}' for '{option} <");
        assert!(err(&output).starts_with(&expected), "{}", err(&output));
    }
}

/// One of three bots fails in its first turn: it is out, and the others play on.
#[test]
fn the_others_play_on_after_a_fault() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start("tron:3");
    // It prints a list and exits.
    let failing = shell_words::join([ARENA, "contests"]);
    let limits = ["--first-ms", "60000", "--later-ms", "60000", "--games", "3", "--openings", "3"];
    let words =
        [&["play", "tron:3", &server.1, &failing, &server.1, "--log-dir", "logs"][..], &limits].concat();
    let text = out(&arena(folder.path(), &words));
    assert!(text.contains("endings: 0 of 3 normal"), "{text}");
    let replayed = out(&arena(folder.path(), &["replay", "--contest", "tron:3", "logs"]));
    assert!(replayed.contains('3'), "{replayed}");
    for game in 1..=3 {
        let path = format!("logs/{game}.json");
        let record: Value = serde_json::from_slice(&fs::read(folder.path().join(&path)).unwrap()).unwrap();
        let failed = record["faults"][0]["seat"].as_u64().unwrap() as usize;
        assert_eq!((&record["bots"][failed]["name"], &record["scores"][failed]), (&"B".into(), &0.into()));
        let moves = record["moves"].as_str().unwrap().split(' ').collect::<Vec<_>>();
        assert_eq!(moves.iter().filter(|&&m| m == "OUT").count(), 2, "{moves:?}");
        assert_eq!(moves.iter().position(|&m| m == "OUT"), Some(3 + failed), "the three starts come first");
        // The console follows the game past the fault, from the record and from the logs.
        let turn = moves.len().to_string();
        for from in [&path, &format!("logs/{game}.p0.log")] {
            let script = folder.path().join("script");
            fs::write(&script, "list\n").unwrap();
            let words = ["debug", "tron:3", "--search", "area", "--replay", from, "--turn", &turn];
            out(&arena(folder.path(), &[&words[..], &["--script", "script"]].concat()));
        }
    }
}

#[test]
fn places_decide_the_ratings() {
    let folder = tempfile::tempdir().unwrap();
    let bots = ["in:random", "in:area", "in:random --seed 3", "in:random --seed 4"];
    let words = ["rate", "tron:3", "-n", "12", "-j", "1", "--dir", "rated"];
    let table = out(&arena(folder.path(), &[&words[..], &bots].concat()));
    assert!(table.lines().nth(1).unwrap().contains(" B "), "{table}");
    assert!(table.contains("seat 2"), "{table}");
    let mut seats = BTreeMap::new();
    for game in games(&folder.path().join("rated")) {
        seating(&game).char_indices().for_each(|place| *seats.entry(place).or_insert(0) += 1);
    }
    // Each of four bots is in three line-ups of 12 games.
    assert_eq!(seats.len(), 12);
    assert!(seats.values().all(|&count| count == 12), "{seats:?}");
}

#[test]
fn a_test_stops_with_whole_groups() {
    let folder = tempfile::tempdir().unwrap();
    let words = [
        "sprt",
        "tron:3",
        "in:area",
        "in:random",
        "in:random --seed 5",
        "-j",
        "1",
        "--json",
        "--dir",
        "tested",
    ];
    let found = json(&arena(folder.path(), &words));
    assert_eq!(found["verdict"], "accept-h1", "{found}");
    // The verdict is about the first groups of the plan, all of them whole. Games that began before it may come after them.
    let judged = found["judged"].as_u64().unwrap() as usize;
    let played = games(&folder.path().join("tested"));
    assert!(judged >= 2, "{judged}");
    for group in played.chunks(3).take(judged) {
        let numbers: Vec<_> = group.iter().map(|game| &game["group"]).collect();
        let mut seatings: Vec<_> = group.iter().map(seating).collect();
        seatings.sort();
        assert_eq!(seatings, ["ABC", "BCA", "CAB"], "{numbers:?}");
        assert!(numbers.iter().all(|number| *number == numbers[0]), "{numbers:?}");
    }
    assert!(played.len() >= 3 * judged, "{judged} groups of {} games", played.len());
}

#[test]
fn three_and_four_seats_are_tuned() {
    let folder = tempfile::tempdir().unwrap();
    for contest in ["tron:3", "tron:4"] {
        let log = format!("{}.jsonl", contest.replace(':', "-"));
        let words =
            ["tune", contest, "in:paranoid --nodes 20 --pool-mb 1", "--games", "48", "-j", "1", "--json"];
        let found = json(&arena(folder.path(), &[&words[..], &["--log", &log]].concat()));
        let proof = found["proof"].as_str().unwrap();
        assert_eq!(proof.matches("in:paranoid").count(), if contest == "tron:3" { 3 } else { 4 }, "{proof}");
        let text = fs::read_to_string(folder.path().join(&log)).unwrap();
        let pairs = text.lines().skip(1).map(|line| serde_json::from_str::<Value>(line).unwrap());
        let scores = pairs.flat_map(|pair| pair["scores"].as_array().unwrap().clone());
        let scores = scores.map(|score| score.as_f64().unwrap()).collect::<Vec<_>>();
        // 48, and four between the result and the start.
        assert_eq!((scores.len(), &found["played"]["games"]), (52, &4.into()));
        assert!(scores.iter().all(|score| (0.0..=1.0).contains(score)), "{scores:?}");
        // One of a kind against two isn't always first or last.
        assert!(scores.iter().any(|&score| score > 0.0 && score < 1.0), "{scores:?}");
    }
}

/// Games of two seats as they were before there were more: seed, openings, seats, moves and scores.
#[test]
fn games_of_two_are_what_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let known = [
        (
            "mancala",
            [
                "1 2 0 2 5 5 3 1 5 4 2 1 1 2 5 0 2 1 1 5 4 5 0 2 3 5 2 3 3 4 5 4 0 2 1 1 3 0 5",
                "1 2 0 2 2 5 3 0 1 3 0 1 5 4 3 5 0 2 5 1 1 0 2 1 4 4 5 1 4 2 0 3 3 5",
            ],
            [[0, 1], [0, 1]],
        ),
        (
            "reversi",
            [
                "d3 e3 f2 c3 f3 d2 d1 e2 b4 c4 f5 c1 b3 e1 f4 b5 c2 f1 b6 a6 c5 b1 b2 a5 a3 a1 a2 a4 pass g1 g2 \
                 g6 g5 h1 g7 g3 h2 h4 g4 h3 pass h6 h5 f6 e6 d7 e7 e8 h7 h8 d6 f7 c6 a7 b7 a8 c7 c8 b8 d8 f8 g8",
                "d3 e3 f2 c3 f3 d2 d1 e2 f4 c4 e1 f1 c2 c1 b5 g5 g4 h5 h4 g1 h6 g3 h3 d6 c5 b3 b4 a3 a4 g2 c6 b7 \
                 f5 e6 c7 a6 a2 b6 a5 g6 h1 a7 a8 h2 b1 b2 a1 b8 g7 h7 h8 g8 f8 pass c8 d8 e8 pass e7 f6 f7 pass \
                 d7",
            ],
            [[0, 1], [1, 0]],
        ),
    ];
    for (contest, moves, scores) in known {
        let words =
            ["match", contest, "A=in:flat --nodes 20", "B=in:greedy", "-n", "2", "-j", "1", "--dir", contest];
        out(&arena(folder.path(), &words));
        for (number, game) in games(&folder.path().join(contest)).iter().enumerate() {
            assert_eq!(game["seed"], 10_451_216_379_200_822_465_u64);
            assert_eq!(
                (seating(game).as_str(), &game["moves"]),
                (["AB", "BA"][number], &moves[number].into())
            );
            assert_eq!(game["scores"], serde_json::json!(scores[number]));
        }
    }
}
