//! Tests `arena pool` and `arena rate --pool` as programs.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::outside::{arena, built, first, PATIENT};

/// Runs the arena, which must exit with 0; returns what it prints.
fn out(folder: &Path, arguments: &[&str]) -> String {
    let output = arena(folder, arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn err(folder: &Path, code: i32, arguments: &[&str]) -> String {
    let output = arena(folder, arguments);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {output:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// The games in the order of the plan, without what differs between two runs.
fn games(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("pool/games.jsonl")).unwrap_or_default();
    let mut games = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>();
    games.sort_by_key(|game| game["game"].as_u64());
    for game in &mut games {
        let game = game.as_object_mut().unwrap();
        game.remove("times_ms");
        game.remove("usage");
    }
    games
}

/// A pool of three searches.
fn searches(folder: &Path) {
    out(folder, &["pool", "new", "pool", "tictactoe", "--seed", "5", "--openings", "2"]);
    for (name, command) in
        [("greedy", "in:greedy"), ("random", "in:random"), ("deep", "in:alpha-beta --nodes 300")]
    {
        out(folder, &["pool", "add", name, command]);
    }
}

#[test]
fn a_league_goes_on_with_the_same_games_however_it_is_cut() {
    let (whole, cut) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    searches(whole.path());
    searches(cut.path());
    out(whole.path(), &["rate", "--pool", "pool", "-n", "40", "-j", "2"]);
    out(cut.path(), &["rate", "--pool", "pool", "-n", "6", "-j", "1"]);
    // A game is lost and the next one is half written, as after SIGKILL.
    let path = cut.path().join("pool/games.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let lines = text.lines().collect::<Vec<_>>();
    fs::write(&path, format!("{}\n{}\n{}", lines[0], lines[3], &lines[1][..40])).unwrap();
    out(cut.path(), &["rate", "--pool", "pool", "-n", "38", "-j", "1"]);
    let (whole, cut) = (games(whole.path()), games(cut.path()));
    assert_eq!(whole.len(), 40);
    // The hash is that of this program, and the same for both.
    assert_eq!(whole, cut);
}

#[test]
fn a_newcomer_plays_first_and_a_removed_bot_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    searches(folder);
    out(folder, &["rate", "--pool", "pool", "-n", "32"]);
    out(folder, &["pool", "remove", "random"]);
    out(folder, &["pool", "add", "new", "in:minimax --nodes 200", "--note", "first try"]);
    let report = out(folder, &["rate", "--pool", "pool", "-n", "16", "--json"]);
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!((&report["games"], report["rows"].as_array().unwrap().len()), (&48.into(), 4));
    let later = games(folder).split_off(32);
    let plays =
        |game: &Value, name: &str| game["bots"].as_array().unwrap().iter().any(|bot| bot["name"] == name);
    assert!(later.iter().filter(|game| plays(game, "new")).count() >= 12, "{later:?}");
    assert!(!later.iter().any(|game| plays(game, "random")));
    let table = out(folder, &["pool", "table", "--by", "seat", "--bot", "deep"]);
    assert!(table.starts_with("seat") && table.contains("\n0  ") && table.contains("overall "), "{table}");
    let rows = out(folder, &["pool", "table", "--where", "opponent=random", "--bot", "deep", "--json"]);
    let rows: Value = serde_json::from_str(&rows).unwrap();
    let meetings = |name: &str| {
        rows["rows"].as_array().unwrap().iter().find(|row| row["name"] == name).unwrap()["meetings"].as_u64()
    };
    assert!(meetings("deep") > Some(0) && meetings("deep") == meetings("random"));
    assert_eq!(meetings("new"), Some(0));
    // Games and endings are those of the selected games.
    let of_random = games(folder).iter().filter(|game| plays(game, "random") && plays(game, "deep")).count();
    assert_eq!((&rows["games"], &rows["normal"]), (&of_random.into(), &of_random.into()));
    let said = err(folder, 2, &["pool", "table", "--where", "seed=1", "--json"]);
    assert!(said.contains("none of ") && said.contains("meets the conditions"), "{said}");
    assert!(out(folder, &["pool", "table", "--markdown"]).starts_with("| rank | bot |"));
    assert!(out(folder, &["pool", "table", "--csv"])
        .starts_with("rank,bot,rating,low,high,games,score,los,command\n1,"));
    assert!(out(folder, &["pool", "list", "--csv"]).starts_with("bot,added,commit,submitted,command,note\n"));
    assert!(err(folder, 2, &["pool", "table", "--by", "weather"]).contains("has an attribute weather"));
}

#[test]
fn a_league_has_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    searches(folder);
    let report = ["rate", "--pool", "pool", "-n", "8", "--report", "league.html"];
    out(folder, &report);
    out(folder, &report);
    let page = fs::read_to_string(folder.join("league.html")).unwrap();
    for text in ["tictactoe: deep, random, greedy", "Ratings", "Meetings", "<p class=\"state\">16 games</p>"]
    {
        assert!(page.contains(text), "{text}: {page}");
    }
    for game in 1..=16 {
        assert!(folder.join(format!("league-games/{game}.html")).is_file(), "game {game}");
    }
    let said = err(folder, 1, &["rate", "--pool", "pool", "-n", "2", "--report", "nowhere/league.html"]);
    assert!(said.contains("nowhere/league.html"), "{said}");
    assert_eq!(games(folder).len(), 16);
}

#[test]
fn files_are_copied_and_a_changed_copy_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let name = format!("mine{}", std::env::consts::EXE_SUFFIX);
    fs::copy(built("examples/first"), folder.join(&name)).unwrap();
    let limits = ["--first-ms", "60000", "--later-ms", "60000"];
    out(folder, &[&["pool", "new", "pool", "reversi"], &limits[..]].concat());
    fs::write(folder.join("submit.rs"), "// the source").unwrap();
    let command = format!("./{name}");
    out(folder, &["pool", "add", "v1", &command, "--source", "submit.rs"]);
    out(folder, &["pool", "add", "v2", &format!("{command} again")]);
    assert!(err(folder, 2, &["pool", "add", "v3", "./no/such"])
        .contains("`./no/such` is neither a file nor a program on the PATH"));
    fs::remove_file(folder.join(&name)).unwrap();
    assert!(out(folder, &["rate", "--pool", "pool", "-n", "2"]).contains("endings: 2 of 2 normal"));
    let said = out(folder, &["pool", "submitted", "v1", "--rank", "57", "--at", "2025-11-24T18:30:00Z"]);
    let source = Path::new("pool").join("bots").join("v1").join("submit.rs");
    assert!(
        said.contains(&format!(
            "on the site: v1, 2025-11-24T18:30:00Z, rank 57; source: {}",
            source.display()
        )),
        "{said}"
    );
    assert!(out(folder, &["pool", "list"]).ends_with(&said));
    let list: Value = serde_json::from_str(&out(folder, &["pool", "list", "--json"])).unwrap();
    assert_eq!(
        (&list["on_site"]["bot"], &list["bots"][1]["given"]),
        (&"v1".into(), &format!("{command} again").into())
    );
    fs::write(folder.join(&source), "// another").unwrap();
    let said = err(folder, 1, &["rate", "--pool", "pool", "-n", "2"]);
    assert!(said.contains("bot v1 has changed since it was added"), "{said}");
    assert_eq!(games(folder).len(), 2);
    // What is removed plays no games, so it isn't missed; but then one bot is left.
    out(folder, &["pool", "remove", "v1"]);
    assert!(err(folder, 2, &["rate", "--pool", "pool"]).contains("has 1 bots that play"));
}

#[test]
fn a_pool_of_an_external_referee_has_games_of_three_and_attributes() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let outside = shell_words::quote(built("examples/outside").to_str().unwrap()).into_owned();
    let referee = format!("{outside} plain");
    out(folder, &["pool", "new", "pool", "-r", &referee, "--players", "3", "--contest-name", "guess"]);
    for points in 1..=4 {
        out(folder, &["pool", "add", &format!("b{points}"), &format!("{outside} bot {points}")]);
    }
    let text = out(folder, &["rate", "--pool", "pool", "-n", "24", "--players", "3", "--keep-jvm"]);
    let refused = err(folder, 2, &["rate", "--pool", "pool", "-n", "3", "--players", "2"]);
    assert!(refused.contains("--players=2: the games of the pool in pool are played with"), "{refused}");
    let ranks =
        text.lines().skip(1).take(4).map(|line| line.split_whitespace().nth(1).unwrap()).collect::<Vec<_>>();
    assert_eq!(ranks, ["b4", "b3", "b2", "b1"], "{text}");
    let all = games(folder);
    assert_eq!(all.len(), 24);
    for group in all.chunks(3) {
        // Each bot is once on each seat.
        for seat in 0..3 {
            let mut names =
                group.iter().map(|game| game["bots"][seat]["name"].as_str().unwrap()).collect::<Vec<_>>();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), 3);
        }
    }
    let table = out(folder, &["pool", "table", "--by", "opponent", "--bot", "b1", "--markdown"]);
    assert!(table.starts_with("| opponent | games | score of b1 | 95 % | |"), "{table}");
}

/// Where bots play alone, two of them meet on a seed, also when one of the two games was lost.
#[test]
fn bots_that_play_alone_meet_on_a_seed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let outside = shell_words::quote(built("examples/outside").to_str().unwrap()).into_owned();
    out(folder, &["pool", "new", "pool", "-r", &format!("{outside} plain"), "--players", "1"]);
    for points in 1..=3 {
        out(folder, &["pool", "add", &format!("b{points}"), &format!("{outside} bot {points}")]);
    }
    out(folder, &["rate", "--pool", "pool", "-n", "16", "-j", "1"]);
    let whole = games(folder);
    let path = folder.join("pool/games.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let kept =
        text.lines().enumerate().filter(|(line, _)| line % 4 != 1).map(|(_, text)| format!("{text}\n"));
    fs::write(&path, kept.collect::<String>()).unwrap();
    out(folder, &["rate", "--pool", "pool", "-n", "4", "-j", "2"]);
    assert_eq!(games(folder), whole);
    for pair in whole.chunks(2) {
        assert_eq!(pair[0]["seed"], pair[1]["seed"]);
        assert_ne!(pair[0]["bots"], pair[1]["bots"]);
    }
    let table = out(folder, &["pool", "table", "--by", "ending", "--bot", "b3"]);
    assert!(table.contains("100.0 %") && table.contains("normal"), "{table}");
}

/// A bot of tic-tac-toe that answers its first move.
const SOURCE: &str = "use std::io::{stdin, BufRead};
fn main() {
    let mut lines = stdin().lock().lines().map_while(Result::ok);
    while lines.next().is_some() {
        let count = lines.next().unwrap().parse().unwrap();
        println!(\"{}\", lines.by_ref().take(count).collect::<Vec<_>>()[0]);
    }
}
";

#[test]
fn a_bot_is_built_in_the_pool_and_again_when_its_program_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    out(folder, &[&["pool", "new", "pool", "tictactoe"], &PATIENT[..]].concat());
    fs::write(folder.join("main.rs"), SOURCE).unwrap();
    assert!(out(folder, &["pool", "add", "v1", "main.rs"]).contains("v1: main.rs in "));
    // A program of an earlier build isn't taken for that of this one.
    fs::write(folder.join("mine"), "").unwrap();
    let build = |name: &str, run: &str, build: &str| {
        let output = arena(folder, &["pool", "add", name, run, "--build", build]);
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, said) = build("v2", "./mine", "rustc -o mine main.rs");
    assert_eq!(code, Some(0), "{said}");
    out(folder, &["pool", "submitted", "v2"]);
    let source = Path::new("pool").join("bots").join("v2").join("main.rs");
    assert!(out(folder, &["pool", "list"]).contains(&format!("source: {}", source.display())));
    for program in ["v1/bot", "v2/mine"] {
        let program = folder.join("pool/bots").join(program).with_extension(std::env::consts::EXE_EXTENSION);
        fs::remove_file(program).unwrap();
    }
    assert!(out(folder, &["rate", "--pool", "pool", "-n", "2"]).contains("endings: 2 of 2 normal"));
    for (run, command, status, expected) in [
        ("./other", "rustc -o mine main.rs", 1, "it made no ./other, with which CMD begins"),
        ("./mine", "no-such-compiler main.rs", 1, "bot v3: can't start `no-such-compiler main.rs`"),
        ("./mine", "rustc --no-such-option main.rs", 1, "bot v3: `rustc --no-such-option main.rs` failed"),
        ("./mine", "rustc 'main.rs", 2, "a quote that is never closed"),
    ] {
        let (code, said) = build("v3", run, command);
        assert!(code == Some(status) && said.contains(expected), "{command}: {code:?}, {said}");
        assert!(!folder.join("pool/bots/v3").exists());
    }
    fs::write(folder.join("main.rs"), "fn main() { lost }").unwrap();
    let said = err(folder, 1, &["pool", "add", "v3", "main.rs"]);
    assert!(said.contains("`rustc --edition 2021 -O -o bot") && said.contains("value `lost`"), "{said}");
}

#[test]
fn a_bot_that_keeps_failing_is_parked_and_the_league_goes_on() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("not tested: there is no python3 for one of the bots");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    out(folder, &[&["pool", "new", "pool", "tictactoe"], &PATIENT[..]].concat());
    let script = "while True:\n  input()\n  print([input() for _ in range(int(input()))][-1], flush=True)\n";
    fs::write(folder.join("bot.py"), script).unwrap();
    let (grid, crash) = (first("grid"), first("grid-crash"));
    for (name, command) in [
        ("script", "python3 bot.py"),
        ("grid", &grid),
        ("random", "in:random"),
        ("deep", "in:alpha-beta --nodes 300"),
    ] {
        out(folder, &["pool", "add", name, command]);
    }
    let said = err(folder, 1, &["pool", "add", "crash", &crash]);
    assert!(
        said.contains("crash failed in a trial game against deep") && said.contains("turn 2: crash"),
        "{said}"
    );
    assert!(!out(folder, &["pool", "list"]).contains("crash") && !folder.join("pool/bots/crash").exists());
    out(folder, &["pool", "add", "crash", &crash, "--force"]);
    // The meetings of each bot, its command, and what was said.
    let rate = || {
        let output = arena(folder, &["rate", "--pool", "pool", "-n", "40", "-j", "1", "--json"]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let report = serde_json::from_slice::<Value>(&output.stdout).unwrap();
        let row = |row: &Value| {
            let [name, command] = ["name", "command"].map(|key| row[key].as_str().unwrap().to_owned());
            (name, (row["meetings"].as_u64().unwrap(), command))
        };
        let rows = report["rows"].as_array().unwrap().iter().map(row).collect::<BTreeMap<_, _>>();
        assert_eq!(rows.len(), 5);
        (rows, String::from_utf8(output.stderr).unwrap())
    };
    let (before, said) = rate();
    for text in ["parked: crash, failed in 3 of its first 3 games", "turn 2: crash", "index out of bounds"] {
        assert!(said.contains(text), "{text}: {said}");
    }
    let log = said.lines().find_map(|line| line.strip_prefix("log: ")).unwrap();
    assert!(fs::read_to_string(folder.join(log)).unwrap().contains("! index out of bounds"));
    assert!(before["crash"].1.contains("(parked: failed in 3 of its first 3 games"), "{before:?}");
    // The game that was in progress then is played to its end.
    assert!((3..=4).contains(&before["crash"].0) && before.values().all(|row| row.0 > 0), "{before:?}");
    let (after, said) = rate();
    assert!(said.starts_with("note: crash is parked, failed in 3 of"), "{said}");
    assert_eq!(after["crash"], before["crash"]);
    assert!(
        ["script", "grid", "random", "deep"].iter().all(|&bot| after[bot].0 > before[bot].0),
        "{after:?}"
    );
    assert!(out(folder, &["pool", "remove", "crash", "--undo"]).contains("crash plays again"));
    let (again, said) = rate();
    assert!(said.contains("parked: crash, failed in 3 of its first 3 games"), "{said}");
    assert!(again["crash"].0 >= before["crash"].0 + 3, "{again:?}");
}

#[test]
fn wrong_commands_are_usage_errors() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    searches(folder);
    for (arguments, expected) in [
        (&["rate", "--pool", "nowhere"][..], "arena pool new nowhere CONTEST"),
        (&["rate", "--pool", "pool", "reversi"], "give neither with --pool"),
        (&["rate", "--pool", "pool", "--seed", "3"], "leave those options out"),
        (&["rate", "--pool", "pool", "--gauntlet"], "cannot be used with"),
        (&["rate"], "required"),
        (&["rate", "--pool", "pool", "--for", "soon"], "--for"),
        (&["pool", "new", "pool", "tictactoe"], "already"),
        (&["pool", "new", "other", "chess"], "unknown contest"),
        (&["pool", "add", "deep", "in:mcts"], "choose another name"),
        (&["pool", "add", "x", "in:magic"], "no search"),
        (&["pool", "remove", "x"], "it has greedy, random, deep"),
        (&["pool", "submitted", "x"], "there is no bot x"),
        (&["pool", "table", "--where", "seat"], "NAME=VALUE"),
    ] {
        let said = err(folder, 2, arguments);
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
    assert!(!folder.join("other").exists());
}
