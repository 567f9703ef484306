//! The shared folder of a cluster's run, as a killed coordinator leaves it, with a mutated file: the command that is given again
//! ends with all games, or with an error.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::child::{self, MOST_MESSAGE_BYTES};
use crate::kinds::{group, Kind};
use crate::parent::{numbers, LIMIT};

const RUN: [&str; 12] = [
    "match",
    "tictactoe",
    "in:greedy",
    "in:random",
    "--openings",
    "2",
    "-n",
    "8",
    "--dir",
    "run",
    "--cluster",
    "local:1",
];

const KIND: Kind = Kind {
    name: "cluster",
    groups: |folder, _| {
        assert_eq!(run(folder), Ok(true), "the whole run");
        let mut whole = group(folder);
        // The coordinator was killed: half of the games are in the worker's part only.
        let games = whole.get_mut("run/games.jsonl").expect("the games");
        let half = games.split_inclusive(|&byte| byte == b'\n').take(4).flatten().copied().collect();
        *games = half;
        vec![whole]
    },
    is_mutated: |path| path.starts_with("run/cluster/") && path.contains(".json"),
    commands: |_| Vec::new(),
};

/// Tests the cases.
pub fn test() -> Result<(), String> {
    let folder = tempfile::tempdir().expect("a folder");
    let groups = child::groups(&KIND, folder.path());
    let (mut whole, mut refused, mut failures) = (0, 0, Vec::new());
    for number in numbers() {
        let case = folder.path().join(number.to_string());
        let path = child::write(&KIND, &groups, &case, number);
        match run(&case) {
            Ok(true) => {
                whole += 1;
                let games = fs::read_to_string(case.join("run/games.jsonl")).expect("the games");
                if games.lines().count() != 8 {
                    failures.push(format!("cluster {number}, {path}: {} games", games.lines().count()));
                }
            }
            Ok(false) => refused += 1,
            Err(problem) => failures.push(format!("cluster {number}, {path}: {problem}")),
        }
        std::env::set_current_dir(folder.path()).expect("the folder");
        fs::remove_dir_all(&case).expect("the folder is removed");
    }
    eprintln!("cluster: {whole} runs with all games, {refused} refused");
    match failures.is_empty() {
        true => Ok(()),
        false => Err(failures.join("\n")),
    }
}

/// Whether the run in a folder ends with all games; the problem if it ends in no way that it should.
fn run(folder: &Path) -> Result<bool, String> {
    let said = folder.join("stderr");
    let mut program = Command::new(env!("CARGO_BIN_EXE_arena"));
    program.args(RUN).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null());
    let mut program = program.stderr(File::create(&said).expect("a file")).spawn().expect("the arena starts");
    let end = Instant::now() + LIMIT;
    let status = loop {
        match program.try_wait().expect("the arena's status") {
            Some(status) => break status,
            None if Instant::now() > end => {
                let _ = program.kill();
                let _ = program.wait();
                return Err(format!("not done after {LIMIT:?}"));
            }
            None => thread::sleep(Duration::from_millis(5)),
        }
    };
    let said = String::from_utf8_lossy(&fs::read(&said).expect("what was said")).into_owned();
    let is_clear = said.len() <= MOST_MESSAGE_BYTES && !said.contains("panicked at");
    match status.code() {
        Some(0) if is_clear => Ok(true),
        Some(1) if is_clear && said.contains("error: ") => Ok(false),
        _ => Err(format!("{status}: {}", said.chars().take(1000).collect::<String>())),
    }
}
