//! `arena lander` with real processes.
#![cfg(unix)]

use std::fs;
use std::path::Path;

use coppice_arena::{Failure, Outcome, Subcommand};
use lander_trials::Lander;
use serde_json::Value;

/// Asks for an upright lean and this thrust, and says so before each answer.
const BOT: &str = "read n; i=0; while [ $i -lt $n ]; do read point; i=$((i + 1)); done; \
    while read state; do echo plan 0,POWER 0,POWER 0,POWER >&2; echo 0 POWER; done";

fn bot(power: &str) -> String {
    format!("sh -c '{}'", BOT.replace("POWER", power))
}

fn run(arguments: &[&str]) -> (Result<Outcome, Failure>, String) {
    let words = [&["lander"], arguments].concat();
    let matches = Lander.command().try_get_matches_from(words).unwrap();
    let mut out = Vec::new();
    let result = Lander.run(&matches, &mut out);
    (result, String::from_utf8(out).unwrap())
}

/// 150 m above a plain.
fn low(folder: &Path) -> String {
    let path = folder.join("low.txt");
    fs::write(&path, "2\n0 100\n6999 100\n2500 250 0 0 50 0 0\n").unwrap();
    path.display().to_string()
}

#[test]
fn flights_are_told_drawn_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (svg, logs) = (folder.path().join("a.svg"), folder.path().join("logs"));
    let paths = [&svg, &logs].map(|path| path.display().to_string());
    let (file, bots) = (low(folder.path()), [bot("2"), bot("{seed}")]);
    let arguments = [&bots[0], &bots[1], "--file", &file, "--svg", &paths[0], "--log-dir", &paths[1]];
    let (result, out) = run(&[&arguments[..], &["--runs", "2", "-j", "2"]].concat());
    // Both runs of either bot land: thrust 2, and 1 and 2.
    assert!(matches!(result, Ok(Outcome::Done)), "{result:?}\n{out}");
    let lines = out.lines().collect::<Vec<_>>();
    let begins = |line: usize, words: &str| {
        let found = lines[line].split_whitespace().take(5).collect::<Vec<_>>().join(" ");
        assert_eq!(found, words, "{out}");
    };
    begins(1, "low 1 A 25 25");
    begins(2, "low 1 B 39 11");
    begins(3, "low 2 A 25 25");
    begins(4, "low 2 B 25 25");
    assert!(
        out.contains("A: landed 2 of 2; sh -c") && out.contains("litres left: sum 64, mean 32.0"),
        "{out}"
    );
    for name in ["a-low-1-A.svg", "a-low-2-B.svg", "logs/flight-low-1-B.p0.log"] {
        assert!(folder.path().join(name).is_file(), "{name}");
    }
    let drawn = fs::read_to_string(folder.path().join("a-low-1-A.svg")).unwrap();
    assert!(drawn.contains("plan after N seconds"), "{drawn}");
    let log = fs::read_to_string(folder.path().join("logs/flight-low-1-A.p0.log")).unwrap();
    assert!(log.starts_with("> 2\n> 0 100\n> 6999 100\n> 2500 250 0 0 50 0 0\n< 0 2\n"), "{log}");
}

#[test]
fn a_lost_lander_is_status_3() {
    let (result, out) = run(&[&bot("0"), "--case", "2.1", "--json"]);
    assert_eq!(result.unwrap().exit_code(), 3);
    let lines = out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()).collect::<Vec<_>>();
    assert_eq!((&lines[0]["landed"], &lines[0]["least_fuel"]), (&Value::from(false), &Value::from(207)));
    assert!(lines[0]["ending"].as_str().unwrap().starts_with("crashed into the ground at 2500, "), "{out}");
    assert_eq!((&lines[1]["type"], &lines[1]["landed"]), (&Value::from("summary"), &Value::from(0)));
}

#[test]
fn what_cannot_be_flown_is_said() {
    let code = |arguments: &[&str]| run(arguments).0.unwrap_err().status();
    assert_eq!(code(&["x", "--case", "2.9"]), 2);
    assert_eq!(code(&["x", "--file", "no such file"]), 2);
    assert_eq!(code(&["'x", "--case", "2.1"]), 2);
    assert_eq!(code(&["./no/such/bot", "--case", "2.1"]), 1);
    assert!(Lander.command().try_get_matches_from(["lander", "x", "--terrain", "gentle"]).is_err());
}

/// A drawing that can't be written is noticed before the first flight, and one that is there stays until the next is made.
#[test]
fn where_to_draw_is_looked_at_first() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::create_dir(path("one")).unwrap();
    for (svg, cases) in [("none/a.svg", &["2.1"][..]), ("none/a.svg", &["1.1", "2.1"]), ("one", &["2.1"])] {
        let cases = cases.iter().flat_map(|case| ["--case", *case]).collect::<Vec<_>>();
        let (result, out) = run(&[&[&*bot("2"), "--svg", &path(svg)][..], &cases].concat());
        let error = result.unwrap_err();
        assert!(error.status() == 1 && error.to_string().contains(&path(svg).replace(".svg", "")), "{error}");
        assert_eq!(out, "", "nothing was flown");
    }
    fs::write(path("kept.svg"), "kept").unwrap();
    let (result, _) = run(&["./no/such/bot", "--case", "2.1", "--svg", &path("kept.svg")]);
    assert_eq!(result.unwrap_err().status(), 1);
    let (result, _) = run(&["./no/such/bot", "--case", "2.1", "--svg", &path("new.svg")]);
    assert_eq!(result.unwrap_err().status(), 1);
    assert_eq!(fs::read_to_string(path("kept.svg")).unwrap(), "kept");
    let mut names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["kept.svg", "one"]);
}
