//! Runs that are killed a hundred times at random moments, and begun again: no finished game is lost, none counts twice, and
//! the results are those of a run that nothing disturbs. Workers of a cluster: `cluster.rs`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use coppice::rng::split_mix;
use serde_json::Value;

use crate::outside::{arena, built, command, json};

/// A run that is killed.
struct Run {
    words: Vec<String>,
    /// The file that grows with it, a line for each game or pair of games.
    file: &'static str,
    /// Fields of its results that a disturbed run must have as well.
    fields: &'static [&'static str],
}

impl Run {
    fn new(words: &[&str], file: &'static str, fields: &'static [&'static str]) -> Self {
        Self { words: words.iter().map(|&word| word.to_owned()).collect(), file, fields }
    }

    fn words(&self) -> Vec<&str> {
        self.words.iter().map(String::as_str).collect()
    }

    /// The results of the run in a folder, which goes on to its end.
    fn results(&self, folder: &Path) -> Vec<Value> {
        let output = arena(folder, &[&self.words()[..], &["--json"]].concat());
        // A test may end undecided.
        let results = match output.status.code() {
            Some(3) => serde_json::from_slice(&output.stdout).unwrap(),
            _ => json(&output),
        };
        self.fields.iter().map(|&field| results[field].clone()).collect()
    }

    /// The whole lines of the file by what identifies them, without what differs between machines. A line that is there twice
    /// is an error.
    fn lines(&self, folder: &Path) -> BTreeMap<String, Value> {
        let text = fs::read_to_string(folder.join(self.file)).unwrap_or_default();
        // Half a line at the end is the game that was being written.
        let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        let mut lines = BTreeMap::new();
        for line in whole.lines() {
            let mut line = serde_json::from_str::<Value>(line).unwrap();
            let key = ["game", "trial", "pair"].map(|field| line[field].to_string()).join(" ");
            let object = line.as_object_mut().unwrap();
            object.remove("times_ms");
            object.remove("usage");
            assert!(lines.insert(key.clone(), line).is_none(), "{key} is there twice");
        }
        lines
    }

    /// Kills the run up to `most` times in a new folder, and lets it go on to its end; returns the number of kills.
    fn killed(&self, whole: &Path, results: &[Value], most: u64, state: &mut u64) -> u64 {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let total = self.lines(whole).len();
        let (mut kills, mut known) = (0, BTreeMap::new());
        while kills < most {
            let mut program = command(folder, &self.words());
            let mut run = program.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            // Random in games and in time, to be random on slow machines too.
            let pace = 2 * total.saturating_sub(known.len()) as u64 / (most - kills);
            let wanted = known.len() + (split_mix(state) % pace.max(1)) as usize;
            let count = || {
                let bytes = fs::read(folder.join(self.file)).unwrap_or_default();
                bytes.iter().filter(|&&byte| byte == b'\n').count()
            };
            while count() < wanted && run.try_wait().unwrap().is_none() {
                thread::sleep(Duration::from_millis(1));
            }
            thread::sleep(Duration::from_micros(split_mix(state) % 30_000));
            let is_over = run.try_wait().unwrap().is_some();
            run.kill().unwrap();
            run.wait().unwrap();
            let now = self.lines(folder);
            assert!(known.iter().all(|(key, line)| now.get(key) == Some(line)), "a finished game was lost");
            known = now;
            if is_over {
                break;
            }
            kills += 1;
        }
        assert_eq!(self.results(folder), results, "after {kills} kills");
        assert_eq!(self.lines(folder), self.lines(whole), "after {kills} kills");
        kills
    }

    fn test(&self, kills: u64) {
        let whole = tempfile::tempdir().unwrap();
        let results = self.results(whole.path());
        assert!(results.iter().all(|result| !result.is_null()), "{:?}: {results:?}", self.fields);
        let (mut done, mut state) = (0, 7);
        while done < kills {
            done += self.killed(whole.path(), &results, kills - done, &mut state);
        }
        println!("{:?}: {done} kills, {} lines", self.words, self.lines(whole.path()).len());
    }
}

/// A match between processes, two games at a time.
fn match_of_programs() -> Run {
    let bot = shell_words::quote(built("examples/first").to_str().unwrap()).into_owned();
    let (a, b) = (bot.clone(), format!("{bot} again"));
    let words = ["match", "reversi", &a, &b, "-n", "300", "-j", "2", "--openings", "6", "--dir", "run"];
    Run::new(&[&words[..], &LIMITS].concat(), "run/games.jsonl", &["games", "normal", "comparison"])
}

/// Limits that a busy machine keeps.
const LIMITS: [&str; 4] = ["--first-ms", "60000", "--later-ms", "60000"];

fn match_of_searches(games: &str) -> Run {
    let words = ["match", "mnk:6,6,4", "in:mcts --nodes 30", "in:flat --nodes 30", "-n", games, "-j", "2"];
    Run::new(
        &[&words[..], &["--openings", "4", "--dir", "run"]].concat(),
        "run/games.jsonl",
        &["games", "comparison"],
    )
}

#[test]
#[ignore = "100 kills take minutes: .ci/deep runs it"]
fn a_match_of_searches_killed_a_hundred_times() {
    match_of_searches("1000").test(100);
}

#[test]
#[ignore = "100 kills take minutes: .ci/deep runs it"]
fn a_match_of_programs_killed_a_hundred_times() {
    match_of_programs().test(100);
}

#[test]
#[ignore = "100 kills take minutes: .ci/deep runs it"]
fn a_test_killed_a_hundred_times() {
    let words = ["sprt", "mnk:6,6,4", "in:mcts --nodes 30", "in:mcts --nodes 28", "-n", "800", "-j", "1"];
    let words = [&words[..], &["--openings", "4", "--dir", "run"]].concat();
    Run::new(&words, "run/games.jsonl", &["verdict", "llr", "judged"]).test(100);
}

#[test]
#[ignore = "100 kills take minutes: .ci/deep runs it"]
fn a_rating_killed_a_hundred_times() {
    let words = ["rate", "tictactoe", "in:random", "in:greedy", "in:mcts --nodes 20", "-n", "300", "-j", "2"];
    let words = [&words[..], &["--openings", "2", "--dir", "run"]].concat();
    Run::new(&words, "run/games.jsonl", &["rows", "seats"]).test(100);
}

#[test]
#[ignore = "100 kills take minutes: .ci/deep runs it"]
fn a_tune_killed_a_hundred_times() {
    let words =
        ["tune", "uttt", "in:playouts", "--nodes", "10", "--games", "1200", "-j", "1", "--log", "tune.jsonl"];
    Run::new(&words, "tune.jsonl", &["games", "parameters", "played"]).test(100);
}
