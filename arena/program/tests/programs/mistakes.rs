//! `arena mistakes`: what bots lose by their moves in each phase of the game.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;

use crate::outside::processes::{interrupt, interruptible};
use crate::outside::{arena, command, err, json, out};

const JUDGE: [&str; 2] = ["--judge", "in:alpha-beta --nodes 20000"];

/// Plays a run of ten games that begin with a random move.
fn played(folder: &Path, contest: &str, bots: &[&str]) {
    let rest = ["-n", "10", "--openings", "1", "--dir", "run"];
    out(&arena(folder, &[&["match", contest], bots, &rest].concat()));
}

#[test]
fn the_weaker_bot_loses_more_and_perfect_play_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    played(folder, "tictactoe", &["new=in:random", "old=in:alpha-beta --nodes 20000"]);
    let run = |more: &[&str]| out(&arena(folder, &[&["mistakes"], &JUDGE[..], more].concat()));
    let text = run(&["run", "-j", "1", "--phases", "2"]);
    let lines = text.lines().collect::<Vec<_>>();
    assert!(lines[0].starts_with("tictactoe: 10 games, "), "{text}");
    assert!(lines[0].ends_with(" moves judged by in:alpha-beta --nodes 20000"), "{text}");
    let head = lines[1].split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect::<Vec<_>>();
    assert_eq!(
        head,
        ["plies", "new moves", "new loss", "new large", "old moves", "old loss", "old large", "new - old"]
    );
    assert!(lines[2].starts_with("2 to ") && lines[3].starts_with("5 to 8 "), "{text}");
    assert!(lines[4].starts_with("all ") && lines[5].contains("a certain win counts 1 "), "{text}");
    assert_eq!(text, run(&["last", "-j", "3", "--phases", "2"]), "at any number of jobs");
    // Printed as an object. No folder is named: the last run is read.
    let object: Value = serde_json::from_str(&run(&["--json", "--phase-plies", "4"])).unwrap();
    assert_eq!(
        (&object["bots"][0], &object["bots"][1], &object["games"]),
        (&"new".into(), &"old".into(), &10.into())
    );
    let plies = object["phases"].as_array().unwrap().iter();
    let plies = plies.map(|phase| [&phase["first"], &phase["last"]].map(|ply| ply.as_u64().unwrap()));
    assert_eq!(plies.collect::<Vec<_>>(), [[1, 4], [5, 8]]);
    let [new, old] = [0, 1].map(|bot| object["all"]["bots"][bot]["loss"]["mean"].as_f64().unwrap());
    assert!(new > 0.1 && old == 0.0, "{object}");
    assert_eq!(object["all"]["difference"]["mean"].as_f64(), Some(new));
    // The other way, on another scale, of fewer games.
    let more = ["run", "--of", "old", "--certain", "100", "--large", "150", "-n", "4", "--json"];
    let object: Value = serde_json::from_str(&run(&more)).unwrap();
    assert_eq!((&object["bots"][0], &object["games"]), (&"old".into(), &4.into()));
    assert_eq!((object["certain"].as_f64(), object["large"].as_f64()), (Some(100.0), Some(150.0)));
}

#[test]
fn a_bot_of_a_league_is_compared_with_all_others() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let bots = ["a=in:random", "b=in:random --seed 3", "c=in:alpha-beta --nodes 20000"];
    out(&arena(folder, &[&["rate", "tictactoe"], &bots[..], &["-n", "2", "--openings", "1"]].concat()));
    let object = json(&arena(folder, &[&["mistakes", "--of", "c", "--json"], &JUDGE[..]].concat()));
    assert_eq!((&object["bots"][0], &object["bots"][1]), (&"c".into(), &"others".into()));
    let [own, others] = [0, 1].map(|bot| object["all"]["bots"][bot]["loss"]["mean"].as_f64().unwrap());
    assert!(own == 0.0 && others > 0.1, "{object}");
}

#[test]
fn what_cant_be_judged_is_an_error_that_names_the_place() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let fails = |code: i32, words: &[&str], wanted: &str| {
        let output = arena(folder, &[&["mistakes"], words].concat());
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        assert!(err(&output).contains(wanted), "{wanted}: {output:?}");
        assert!(output.stdout.is_empty(), "{output:?}");
    };
    fails(2, &[], "no run was played here");
    played(folder, "tictactoe", &["in:random", "in:random"]);
    fails(2, &["nothing"], "nothing isn't there; name the folder of a run");
    fails(2, &["run", "--of", "C"], "no bot `C` in this run; it has A, B");
    fails(2, &["run", "--judge", "./bot"], "--judge expects a search of this program");
    fails(2, &["run", "--judge", "in:bat"], "tictactoe has no search \"bat\"; available: ");
    fails(2, &["run", "--large", "-1"], "expected a number above 0");
    fails(2, &["run", "--phases", "2", "--phase-plies", "8"], "cannot be used with");
    let path = folder.join("run/games.jsonl");
    let games = fs::read_to_string(&path).unwrap();
    let changed = |from: &str, to: &str| fs::write(&path, games.replacen(from, to, 1)).unwrap();
    let moves = games.split("\"moves\":\"").nth(1).unwrap().split('"').next().unwrap();
    let (first, second) = moves.split_once(' ').unwrap();
    let again = format!("{first} {first} {}", second.split_once(' ').unwrap().1);
    changed(moves, &again);
    fails(1, &["run"], &format!("run/games.jsonl: game 1: move 2 of the record, \"{first}\": "));
    changed("\"contest\":\"tictactoe\"", "\"contest\":\"uttt\"");
    fails(1, &["run"], "game 2 is of another run than the games before");
    fs::write(&path, games.replace("\"contest\":\"tictactoe\"", "\"contest\":\"chess\"")).unwrap();
    fails(2, &["run"], "unknown contest `chess`");
    fs::write(&path, games.replacen('{', "[", 1)).unwrap();
    fails(1, &["run"], "run/games.jsonl:1: not a whole game");
    // If the last line is cut off, the games before it are judged, as in a report.
    fs::write(&path, &games[..games.len() - 20]).unwrap();
    let output = arena(folder, &[&["mistakes", "run"], &JUDGE[..]].concat());
    assert!(out(&output).starts_with("tictactoe: 9 games, "), "{output:?}");
    assert!(err(&output).contains("the last line is cut off and isn't counted"), "{output:?}");
    fs::remove_dir_all(folder.join("run")).unwrap();
    let bots = ["in:random --nodes 1"; 2];
    let rest = ["-n", "2", "--dir", "joint"];
    out(&arena(folder, &[&["match", "photosynthesis"], &bots[..], &rest].concat()));
    fails(2, &["joint"], "the players of photosynthesis move at the same time: ");
}

/// Each position takes a tenth of a second, so that 10 games take half a minute and one a few seconds.
#[test]
fn an_interrupt_prints_the_games_judged_so_far() {
    let folder = tempfile::tempdir().unwrap();
    played(folder.path(), "tictactoe", &["in:random", "in:random"]);
    let words = ["mistakes", "run", "--judge", "in:flat --ms 40", "-j", "1"];
    let mut command = command(folder.path(), &words);
    let command = interruptible(&mut command).stdout(Stdio::piped()).stderr(Stdio::piped());
    let run = command.spawn().unwrap();
    std::thread::sleep(Duration::from_secs(2));
    interrupt(&run);
    let output = run.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), err(&output));
    // On a loaded machine none may have ended.
    if let Some(judged) =
        err.split(" of 10 games were judged").next().filter(|before| before.len() < err.len())
    {
        let judged = judged.split_whitespace().next_back().unwrap();
        assert!(out.starts_with(&format!("tictactoe: {judged} games, ")), "{out}{err}");
        assert_eq!(out.lines().count(), 8, "{out}");
    }
}
