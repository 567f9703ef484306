//! Tests `match`, `sprt` and `merge` as programs: folders, output and exit codes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;

use crate::outside::{self, err, first, PATIENT};

/// Runs the arena in a folder, with limits that even a loaded machine keeps.
fn arena(folder: &Path, command: &str, arguments: &[&str]) -> Output {
    let limits: &[&str] = if command == "merge" { &[] } else { &PATIENT };
    outside::arena(folder, &[&[command], arguments, limits].concat())
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn games(folder: &Path) -> PathBuf {
    folder.join("run/games.jsonl")
}

fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    let mut games = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>();
    games.sort_by_key(|game| game["game"].as_u64());
    games
}

/// The machine-independent fields of games.
fn digest(games: &[Value]) -> Vec<[Value; 6]> {
    let fields = ["game", "group", "seed", "bots", "moves", "scores"];
    games.iter().map(|game| fields.map(|field| game[field].clone())).collect()
}

#[test]
fn a_match_prints_pairs_and_keeps_its_games() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (first(""), first("again"));
    let output = arena(folder.path(), "match", &["reversi", &a, &b, "-n", "8", "--dir", "run", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let summary = serde_json::from_str::<Value>(&out(&output)).unwrap();
    assert_eq!((&summary["games"], &summary["normal"]), (&8.into(), &8.into()));
    // The same bot under two names: each pair is even.
    assert_eq!(summary["comparison"]["cells"][2]["count"], 4);
    assert_eq!(summary["comparison"]["elo"]["mean"], 0.0);
    let games = lines(&games(folder.path()));
    assert_eq!(games.len(), 8);
    assert_eq!(games[0]["opening"], games[1]["opening"]);
    assert_ne!(games[0]["opening"], games[2]["opening"]);
    assert_eq!(games[0]["bots"][0]["name"], "A");
    assert_eq!(games[1]["bots"][0]["name"], "B");
    assert_eq!(games[0]["bots"][0]["hash"].as_str().map(str::len), Some(16));
}

#[test]
fn the_same_command_resumes() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (first(""), first("again"));
    let run = |n: &str| arena(folder.path(), "match", &["reversi", &a, &b, "-n", n, "--dir", "run"]);
    run("6");
    let path = games(folder.path());
    let whole = lines(&path);
    // As if killed while writing the fourth game.
    let text = fs::read_to_string(&path).unwrap();
    let third = text.match_indices('\n').nth(2).unwrap().0 + 1;
    fs::write(&path, &text[..third + 40]).unwrap();
    let output = run("6");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let notes = err(&output).replace('\\', "/");
    assert!(notes.contains("the last line was cut off (40 bytes)"), "{notes}");
    assert!(notes.contains("3 of 6 games are in run/games.jsonl already"), "{notes}");
    assert_eq!(digest(&lines(&path)), digest(&whole));
    // More games continue the run; fewer ignore the rest.
    assert!(out(&run("10")).contains("endings: 10 of 10 normal"));
    assert!(out(&run("4")).contains("endings: 4 of 4 normal"));
    assert_eq!(digest(&lines(&path)[..6]), digest(&whole));
}

#[test]
fn the_games_of_another_run_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b, c) = (first(""), first("again"), first("other"));
    let run = |bots: [&str; 2], more: &[&str]| {
        let words = [&["reversi", bots[0], bots[1], "-n", "2", "--dir", "run"], more].concat();
        arena(folder.path(), "match", &words)
    };
    assert_eq!(run([&a, &b], &[]).status.code(), Some(0));
    let before = fs::read(games(folder.path())).unwrap();
    for (bots, more, expected) in [
        ([&*a, &*c], &[][..], "game 1 was recorded with B"),
        ([&*b, &*a], &[], "game 1 was recorded with A"),
        ([&*a, &*b], &["--seed", "2"], "the seed is 1 there, 2 here"),
        ([&*a, &*b], &["--openings", "4"], "games begin with 8 random plies there, 4 random plies here"),
        ([&*a, &*b], &["--grace-ms", "5"], "the limits"),
    ] {
        let output = run(bots, more);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(err(&output).contains(expected), "{expected}: {output:?}");
        assert!(err(&output).contains("holds games of another run"), "{output:?}");
    }
    assert_eq!(fs::read(games(folder.path())).unwrap(), before);
    // Without a folder, each has its own.
    let words = ["reversi", &a, &c, "-n", "2"];
    assert_eq!(arena(folder.path(), "match", &words).status.code(), Some(0));
    let runs = fs::read_dir(folder.path().join("arena-games")).unwrap().flatten();
    assert_eq!(runs.filter(|entry| entry.path().is_dir()).count(), 1);
}

#[test]
fn a_broken_bot_stops_the_match_with_its_first_fault() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (first(""), first("zz"));
    let words = ["reversi", &a, &b, "-n", "40", "-j", "1", "--dir", "run"];
    let output = arena(folder.path(), "match", &words);
    assert_eq!(output.status.code(), Some(1));
    let text = err(&output);
    assert!(text.contains("stopped: bot B failed in 3 of its first 3 games"), "{text}");
    assert!(text.contains("\"zz\"") && text.contains("arena check reversi"), "{text}");
    assert!(out(&output).contains("faults of B: protocol 3"), "{output:?}");
    let output = arena(folder.path(), "match", &[&words[..], &["--keep-going"]].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(out(&output).contains("A: won 40, drawn 0, lost 0, score 100.0 %"), "{output:?}");
}

#[test]
fn a_tests_exit_code_is_its_verdict() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b, bad) = (first(""), first("again"), first("zz"));
    let test = |new: &str, old: &str, more: &[&str]| {
        arena(folder.path(), "sprt", &[&["reversi", new, old, "--keep-going"], more].concat())
    };
    let better = test(&a, &bad, &["--json"]);
    assert_eq!(better.status.code(), Some(0), "{better:?}");
    let report = serde_json::from_str::<Value>(&out(&better)).unwrap();
    assert_eq!(report["verdict"], "accept-h1");
    assert!(report["llr"].as_f64() >= report["upper"].as_f64());
    assert!(report["judged"].as_u64() < Some(100));
    let worse = test(&bad, &a, &[]);
    assert_eq!(worse.status.code(), Some(3));
    assert!(out(&worse).contains("H0 accepted: A is not better than B"), "{worse:?}");
    let even = test(&a, &b, &["-n", "4"]);
    assert_eq!(even.status.code(), Some(3));
    assert!(out(&even).contains("Undecided between 0 and 10 normalised Elo"), "{even:?}");
    let senseless = test(&a, &b, &["--elo0", "5", "--elo1", "5"]);
    assert_eq!(senseless.status.code(), Some(2), "{senseless:?}");
}

/// A test isn't decided by one pair of games that is played again and again, by whatever command it is judged.
#[test]
fn games_that_repeat_decide_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let bots = ["uttt", "in:alpha-beta --nodes 500", "in:alpha-beta --nodes 300"];
    let sprt = |more: &[&str]| {
        arena(folder.path(), "sprt", &[&bots[..], &["--elo1", "100", "--dir", "run"], more].concat())
    };
    let output = sprt(&["-n", "60", "-j", "1"]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let verdict = out(&output).lines().last().unwrap().to_owned();
    let start = "Undecided between 0 and 100 normalised Elo, because the games repeat: ";
    assert!(verdict.starts_with(start), "{verdict}");
    assert!(verdict.contains("have no game that wasn't played before, move by move."), "{verdict}");
    assert!(
        verdict.contains("begin the games with random plies, such as --openings 4, or let the bots vary"),
        "{verdict}"
    );
    assert!(!err(&output).contains("repeat another move by move"), "{}", err(&output));
    // It ended early, and a resumed run plays no more.
    let played = lines(&games(folder.path())).len();
    assert!(played < 40, "{played}");
    let json = sprt(&["--json", "-n", "200"]);
    assert_eq!(json.status.code(), Some(3), "{json:?}");
    let report = serde_json::from_str::<Value>(&out(&json)).unwrap();
    assert_eq!((&report["verdict"], &report["stopped"]), (&"undecided".into(), &"games-repeat".into()));
    let (judged, repeats) = (report["judged"].as_u64().unwrap(), report["repeats"].as_u64().unwrap());
    assert!(
        repeats >= 8 && 2 * repeats >= judged && report["llr"].as_f64() < report["upper"].as_f64(),
        "{report}"
    );
    assert_eq!(lines(&games(folder.path())).len(), played);
    // Another command judges the same games, and so does the page.
    for command in ["merge", "stats"] {
        let words = [command, "run", "--sprt", "--elo1", "100", "--json"];
        let judged = outside::arena(folder.path(), &words);
        assert_eq!(judged.status.code(), Some(3), "{judged:?}");
        let other = serde_json::from_str::<Value>(&out(&judged)).unwrap();
        for field in ["verdict", "stopped", "judged", "repeats", "llr"] {
            assert_eq!(other[field], report[field], "{command}: {field}");
        }
    }
    assert_eq!(sprt(&["--report", "run.html", "--report-pages", "0"]).status.code(), Some(3));
    assert!(fs::read_to_string(folder.path().join("run.html")).unwrap().contains("because the games repeat"));
    // With openings, the same bots are tested.
    let opened = ["-n", "20", "--openings", "6", "--dir", "opened"];
    let output = arena(folder.path(), "sprt", &[&bots[..], &opened].concat());
    assert!(!out(&output).contains("games repeat"), "{output:?}");
    // Nor is a league's best bot known from them.
    let rate = ["rate", bots[0], bots[1], bots[2], "-n", "80", "--stop-threshold", "0", "-j", "1"];
    let rated = outside::arena(folder.path(), &rate);
    assert_eq!(rated.status.code(), Some(3), "{rated:?}");
    assert!(out(&rated).contains("because the games repeat, move by move"), "{rated:?}");
}

/// A bot that speaks a protocol without openings is not told to be sent one.
#[test]
fn a_protocol_without_openings_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let program = shell_words::quote(env!("CARGO_BIN_EXE_arena"));
    let [a, b] =
        ["500", "50"].map(|nodes| format!("{program} as-bot tictactoe in:alpha-beta --nodes {nodes}"));
    let output = arena(folder.path(), "sprt", &["tictactoe", &a, &b, "--dir", "run"]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let verdict = out(&output).lines().last().unwrap().to_owned();
    assert!(verdict.contains("because the games repeat: 8 of 9 pairs"), "{verdict}");
    assert!(
        verdict.contains(
            "the protocol of tictactoe sends a bot only the last move and has no openings for outside bots"
        ),
        "{verdict}"
    );
    let output = arena(folder.path(), "match", &["tictactoe", &a, &b, "-n", "8", "--dir", "run"]);
    assert!(err(&output).contains("6 of 8 games repeat"), "{output:?}");
    assert!(err(&output).contains("has no openings for outside bots"), "{output:?}");
}

/// A name in a record can be longer than a format takes as a width.
#[test]
fn a_name_of_any_length_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let bots = ["tictactoe", "A=in:random", "B=in:random", "-n", "2", "--dir", "run"];
    assert!(outside::arena(folder.path(), &[&["match"], &bots[..]].concat()).status.success());
    let long = "x".repeat(70_000);
    let records = fs::read_to_string(games(folder.path())).unwrap();
    fs::write(folder.path().join("long.jsonl"), records.replace("\"A\"", &format!("\"{long}\""))).unwrap();
    let merged = outside::arena(folder.path(), &["merge", "long.jsonl"]);
    assert!(merged.status.success() && out(&merged).contains(&long), "{}", err(&merged));
}

#[test]
fn parts_add_up_to_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (first(""), first("again"));
    let run = |more: &[&str]| {
        let output = arena(folder.path(), "match", &[&["reversi", &a, &b, "-n", "10"], more].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    };
    run(&["--dir", "run"]);
    run(&["--shard", "1/2", "--dir", "one"]);
    run(&["--shard", "2/2", "--dir", "two"]);
    let merged = arena(folder.path(), "merge", &["two", "one/games.jsonl", "two", "-o", "all/games.jsonl"]);
    assert_eq!(merged.status.code(), Some(0), "{merged:?}");
    assert!(err(&merged).contains("4 games are there twice and count once"), "{merged:?}");
    assert!(out(&merged).contains("endings: 10 of 10 normal"), "{merged:?}");
    // A run resumes from the merged file.
    run(&["--dir", "all"]);
    assert_eq!(digest(&lines(&folder.path().join("all/games.jsonl"))), digest(&lines(&games(folder.path()))));
    let judged = arena(folder.path(), "merge", &["one", "two", "--sprt"]);
    assert_eq!(judged.status.code(), Some(3));
    assert!(out(&judged).contains("after 5 pairs."), "{judged:?}");
    run(&["--seed", "2", "--dir", "other"]);
    let foreign = arena(folder.path(), "merge", &["one", "other"]);
    assert_eq!(foreign.status.code(), Some(1));
    let said = err(&foreign).replace('\\', "/");
    assert!(said.contains("other/games.jsonl holds games of another run"), "{foreign:?}");
}

#[test]
fn a_missing_part_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (first(""), first("again"));
    for (shard, dir) in [("1/3", "one"), ("3/3", "three")] {
        let command = ["tictactoe", &a, &b, "-n", "12", "--shard", shard, "--dir", dir];
        let output = arena(folder.path(), "match", &command);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }
    let merged = arena(folder.path(), "merge", &["one", "three"]);
    assert_eq!(merged.status.code(), Some(0), "{merged:?}");
    let text = err(&merged);
    assert!(text.contains("4 of the games 1 to 12 are in no file (3, 4, 9, 10)"), "{text}");
    assert!(text.contains("these are the games of --shard 2/3"), "{text}");
    assert!(text.contains("judges the 1 whole pairs before"), "{text}");
}

#[test]
fn a_game_that_contradicts_its_moves_is_not_counted() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (first(""), first("again"));
    let run = ["reversi", &a, &b, "-n", "4", "--openings", "4", "--dir", "run"];
    assert_eq!(arena(folder.path(), "match", &run).status.code(), Some(0));
    let file = folder.path().join("run/games.jsonl");
    let text = fs::read_to_string(&file).unwrap();
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        change(lines.iter_mut().find(|line| line["game"] == 2).unwrap());
        let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
        fs::write(&file, lines.join("\n") + "\n").unwrap();
        arena(folder.path(), "match", &run)
    };
    let whole = changed(&|_| {});
    assert_eq!(whole.status.code(), Some(0), "{whole:?}");
    let cut = |game: &mut Value| {
        let moves = game["moves"].as_str().unwrap();
        game["moves"] = moves.rsplit_once(' ').unwrap().0.into();
    };
    let swap = |game: &mut Value| game["scores"].as_array_mut().unwrap().reverse();
    let opening = |game: &mut Value| game["opening"] = "d3".into();
    let illegal =
        |game: &mut Value| game["moves"] = (game["opening"].as_str().unwrap().to_owned() + " a1").into();
    type Change<'a> = &'a dyn Fn(&mut Value);
    let cases: [(Change<'_>, &str); 4] = [
        (&swap, "its scores are"),
        (&cut, "by the rules it is not over then"),
        (&opening, "its opening is \"d3\", by the plan it is"),
        (&illegal, "is a1, by the rules it must be"),
    ];
    for (change, reason) in cases {
        let output = changed(change);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let text = err(&output).replace('\\', "/");
        assert!(
            text.contains("run/games.jsonl: game 2 contradicts itself: ") && text.contains(reason),
            "{text}"
        );
    }
}

/// Openings stop before a game would be over, and games without a choice say nothing about the bots.
#[test]
fn shortened_openings_are_reported_once() {
    let folder = tempfile::tempdir().unwrap();
    let notes = |command: &str, plies: &str| {
        let words = ["mancala:2,1,0", "in:random", "in:greedy", "-n", "4", "--openings", plies];
        err(&arena(folder.path(), command, &words))
    };
    for command in ["match", "sprt"] {
        let message = notes(command, "20");
        assert_eq!(
            message.matches("note: openings of 20 plies were asked for, but game 1's has ").count(),
            1,
            "{message}"
        );
        assert!(message.contains(": mancala:2,1,0 allows no more"), "{message}");
        assert!(message.contains("4 of 4 games were over before each bot had moved"), "{message}");
        assert!(!notes(command, "1").contains("openings of"));
    }
}

#[test]
fn parts_without_games_are_an_error() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("empty.jsonl"), "").unwrap();
    for more in [&[][..], &["--json"], &["--sprt"], &["-o", "all.jsonl"]] {
        let output = arena(folder.path(), "merge", &[&["empty.jsonl", "empty.jsonl"], more].concat());
        assert_eq!((output.status.code(), out(&output)), (Some(1), String::new()), "{output:?}");
        assert_eq!(err(&output), "error: no games in empty.jsonl, empty.jsonl\n");
    }
    assert!(!folder.path().join("all.jsonl").exists());
}

#[test]
fn the_command_line_of_cg_brutaltester_is_understood() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (first(""), first("again"));
    let words = ["reversi", "-p1", &a, "-p2", &b, "-n", "4", "-t", "2", "-s", "-i", "5", "-l", "logs"];
    let output = arena(folder.path(), "match", &words);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(out(&output).contains("endings: 4 of 4 normal"));
    assert!(folder.path().join("logs/4.p1.log").is_file());
    let odd = arena(folder.path(), "match", &["reversi", &a, &b, "-n", "3"]);
    assert_eq!(odd.status.code(), Some(2));
    assert!(err(&odd).contains("so give -n 4"), "{odd:?}");
    let twice = arena(folder.path(), "match", &["reversi", &a, &b, "-p1", &a]);
    assert_eq!(twice.status.code(), Some(2), "{twice:?}");
}
