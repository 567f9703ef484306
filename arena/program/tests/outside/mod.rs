//! Runs the arena, and finds the programs beside it: the example `outside`, a referee or a bot, and `first`, a bot.

#![allow(dead_code, reason = "no test program uses all of it")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

pub mod processes;

/// The arena in a folder, with nothing to read.
pub fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_arena"));
    program.args(arguments).current_dir(folder).stdin(Stdio::null());
    program
}

/// Runs the arena in a folder.
pub fn arena(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().unwrap()
}

/// Limits that even a loaded machine keeps.
pub const PATIENT: [&str; 4] = ["--first-ms", "60000", "--later-ms", "60000"];

/// A program of this workspace beside the tests, by its path in the target folder.
pub fn built(path: &str) -> PathBuf {
    let here = std::env::current_exe().unwrap();
    let path = here.ancestors().nth(2).unwrap().join(path);
    let path = path.with_extension(std::env::consts::EXE_EXTENSION);
    assert!(
        path.is_file(),
        "{} isn't built: run `cargo build --workspace --examples --bins`",
        path.display()
    );
    path
}

/// The example `outside`, as a referee or a bot.
pub fn outside(arguments: &str) -> String {
    format!("{} {arguments}", shell_words::quote(built("examples/outside").to_str().unwrap()))
}

/// The command line of the example `first`, a bot, with these arguments.
pub fn first(arguments: &str) -> String {
    format!("{} {arguments}", shell_words::quote(built("examples/first").to_str().unwrap()))
}

pub fn out(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

pub fn json(output: &Output) -> Value {
    serde_json::from_str(&out(output)).unwrap()
}

/// The games of a run, without what differs between machines and between the two ways of playing.
pub fn digest(folder: &Path) -> Vec<[Value; 6]> {
    let text = fs::read_to_string(folder.join("games.jsonl")).unwrap();
    let mut games = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>();
    games.sort_by_key(|game| game["game"].as_u64());
    let fields = ["game", "group", "seed", "bots", "scores", "ending"];
    games.iter().map(|game| fields.map(|field| game[field].clone())).collect()
}
