//! What a version before this one wrote (`tests/data/runs`) is read, resumed and refused as it was there.
//!
//! Each folder has the name of the command that made it.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::outside::{arena, err, json, out};

const GREEDY: &str = "in:greedy";
const MCTS: &str = "in:mcts --nodes 30";
const MATCH: [&str; 6] = ["match", "tictactoe", GREEDY, MCTS, "--seed", "7"];

/// The digest of the arena that wrote the files. `in:` bots have their arena's digest.
const WRITER: &str = "ac2d290dab8b56f0";

/// A copy of the files, as if this build of the arena had written them.
fn old() -> TempDir {
    let folder = TempDir::new().unwrap();
    let game = [&MATCH[..], &["-n", "2", "--dir", "new"]].concat();
    out(&arena(folder.path(), &game));
    let game = fs::read_to_string(folder.path().join("new/games.jsonl")).unwrap();
    let game: serde_json::Value = serde_json::from_str(game.lines().next().unwrap()).unwrap();
    copy(&recorded(), folder.path(), game["bots"][0]["hash"].as_str().unwrap());
    folder
}

fn recorded() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/runs")
}

fn copy(from: &Path, to: &Path, writer: &str) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let (from, to) = (entry.as_ref().unwrap().path(), to.join(entry.unwrap().file_name()));
        if from.is_dir() {
            copy(&from, &to, writer);
        } else {
            fs::write(to, fs::read_to_string(from).unwrap().replace(WRITER, writer)).unwrap();
        }
    }
}

fn read(folder: &TempDir, path: &str) -> String {
    fs::read_to_string(folder.path().join(path)).unwrap()
}

/// Runs a command that has nothing left to do: it says what the old one said, and the file stays as it is.
fn is_done(folder: &TempDir, file: &str, words: &[&str], code: i32) -> String {
    let before = read(folder, file);
    let output = arena(folder.path(), words);
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    assert_eq!(read(folder, file), before, "{words:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn old_runs_are_resumed() {
    let folder = old();
    let before = read(&folder, "match/games.jsonl");
    let score =
        json(&arena(folder.path(), &[&MATCH[..], &["-n", "12", "--dir", "match", "--json"]].concat()));
    assert_eq!(score["games"], 12, "{score}");
    let after = read(&folder, "match/games.jsonl");
    assert!(after.starts_with(&before));
    assert_eq!(after.lines().count(), 12);

    let test =
        ["sprt", "tictactoe", MCTS, GREEDY, "--elo1", "100", "-n", "60", "--dir", "sprt", "--seed", "7"];
    let verdict = is_done(&folder, "sprt/games.jsonl", &test, 0);
    assert!(verdict.contains("H1 accepted: A is better than B"), "{verdict}");
    assert!(verdict.contains("LLR 3.09 (-2.94 to 2.94) after 16 pairs"), "{verdict}");

    let three = "in:alpha-beta --nodes 50";
    let rate = ["rate", "tictactoe", GREEDY, MCTS, three, "-n", "2", "--dir", "rate", "--seed", "7"];
    let ratings = is_done(&folder, "rate/games.jsonl", &rate, 0);
    assert!(ratings.contains("endings: 6 of 6 normal"), "{ratings}");
    let seats =
        ["in:paranoid --nodes 10", "in:paranoid --nodes 20", "-n", "2", "--dir", "seats", "--seed", "7"];
    is_done(&folder, "seats/games.jsonl", &[&["rate", "tron", GREEDY], &seats[..]].concat(), 0);
}

#[test]
fn another_run_is_not_mixed_into_an_old_one() {
    let folder = old();
    let others: [(&[&str], &str); 3] = [
        (&["match", "tictactoe", GREEDY, "in:mcts --nodes 31", "--seed", "7"], "in:mcts --nodes 31"),
        (&["match", "tictactoe", GREEDY, MCTS, "--seed", "8"], "the seed is 7 there, 8 here"),
        (&["match", "mnk:3,3,3", GREEDY, MCTS, "--seed", "7"], "tictactoe"),
    ];
    for (words, reason) in others {
        let output = arena(folder.path(), &[words, &["-n", "12", "--dir", "match"]].concat());
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(err(&output).contains("holds games of another run, so nothing was added"), "{output:?}");
        assert!(err(&output).contains(reason), "{output:?}");
    }
    copy(&recorded(), folder.path(), "0123456789abcdef");
    let output = arena(folder.path(), &[&MATCH[..], &["-n", "12", "--dir", "match"]].concat());
    assert!(err(&output).contains("has been rebuilt: its hash is 0123456789abcdef there"), "{output:?}");
}

#[test]
fn parts_of_an_old_run_are_joined() {
    let folder = old();
    let all = out(&arena(folder.path(), &["merge", "part1", "part2", "-o", "all/games.jsonl"]));
    let whole = out(&arena(folder.path(), &["stats", "match"]));
    assert_eq!(all.lines().next(), whole.lines().next());
    assert_eq!(all.lines().next(), Some("A: won 2, drawn 2, lost 4, score 37.5 % (95 %: 10.1 to 64.9 %)"));
    let score = json(&arena(folder.path(), &[&MATCH[..], &["-n", "10", "--dir", "all", "--json"]].concat()));
    assert_eq!(score["games"], 10, "{score}");
}

#[test]
fn an_old_tune_ends_as_it_did() {
    let folder = old();
    let tune =
        ["tune", "tictactoe", "in:mcts", "--nodes", "20", "--games", "16", "-j", "1", "--log", "tune.jsonl"];
    let told = is_done(&folder, "tune.jsonl", &[&tune[..], &["--seed", "7"]].concat(), 0);
    assert!(told.contains("exploration=0.8739") && told.contains("first_play_urgency=1.1037"), "{told}");
}

#[test]
fn an_old_pool_plays_on() {
    let folder = old();
    let listed = out(&arena(folder.path(), &["pool", "list", "--pool", "pool"]));
    assert!(listed.contains("the first one") && listed.contains("2026-11-26T07:05:56Z, rank 57"), "{listed}");
    let before = read(&folder, "pool/games.jsonl");
    out(&arena(folder.path(), &["rate", "--pool", "pool", "-n", "2"]));
    let after = read(&folder, "pool/games.jsonl");
    assert!(after.starts_with(&before));
    assert_eq!(after.lines().count(), before.lines().count() + 2);
    let table = out(&arena(folder.path(), &["pool", "table", "--pool", "pool"]));
    assert!(table.contains("endings: 6 of 6 normal"), "{table}");
}

#[test]
fn old_logs_agree() {
    let folder = old();
    let told = out(&arena(folder.path(), &["replay", "tictactoe", "logs"]));
    assert!(told.ends_with("2 of 2 games agree\n"), "{told}");
    out(&arena(folder.path(), &["view", "logs/1.json", "-o", "page.html"]));
    assert!(read(&folder, "page.html").contains("in:greedy"));
}
