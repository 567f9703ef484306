//! Bots that are sent the lines of mutated logs: they end, without a panic.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::kinds::{files, tests_folder};
use crate::mutation::{mutated, Chance};
use crate::outside::built;
use crate::parent::{numbers, LIMIT};

/// Tests the bots of all contests.
pub fn test() -> Result<(), String> {
    let logs = files(&tests_folder("tests/logs"), "log");
    let (mut gone_on, mut refused, mut failures) = (0, 0, Vec::new());
    for number in numbers() {
        let mut chance = Chance::new(number);
        let log = chance.one_of(&logs);
        let contest =
            log.parent().and_then(Path::file_name).and_then(|name| name.to_str()).expect("a contest");
        let input = mutated(&sent(&fs::read(log).expect("a log")), &mut chance);
        let (status, said) = fed(contest, &input);
        match status {
            Some(status) if status.success() => gone_on += 1,
            // Another code than that of a panic, and a reason.
            Some(status) if matches!(status.code(), Some(1..=100)) && !said.trim().is_empty() => refused += 1,
            Some(status) => failures.push(format!("{number}, {contest}: {status}: {}", start(&said))),
            None => failures.push(format!("{number}, {contest}: not done after {LIMIT:?}")),
        }
    }
    eprintln!("bots: {gone_on} dialogues to the end of the input, {refused} refused");
    match failures.is_empty() {
        true => Ok(()),
        false => Err(format!("COPPICE_MUTATION repeats a number\n{}", failures.join("\n"))),
    }
}

/// The lines that a log says were sent.
fn sent(log: &[u8]) -> Vec<u8> {
    let lines = log.split_inclusive(|&byte| byte == b'\n').filter_map(|line| line.strip_prefix(b"> "));
    lines.flatten().copied().collect()
}

/// Runs a bot on an input; returns its end, unless it had to be killed, and what it said.
fn fed(contest: &str, input: &[u8]) -> (Option<ExitStatus>, String) {
    let mut bot = Command::new(built(contest));
    bot.args(["--nodes", "30"]).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut bot = bot.spawn().expect("the bot starts");
    let (mut stdin, mut stderr) = (bot.stdin.take().expect("a pipe"), bot.stderr.take().expect("a pipe"));
    let said = thread::spawn(move || std::io::read_to_string(&mut stderr).unwrap_or_default());
    let input = input.to_vec();
    // It may end before it has read everything.
    let writer = thread::spawn(move || drop(stdin.write_all(&input)));
    let end = Instant::now() + LIMIT;
    let status = loop {
        match bot.try_wait().expect("the bot's status") {
            Some(status) => break Some(status),
            None if Instant::now() >= end => {
                let _ = bot.kill();
                let _ = bot.wait();
                break None;
            }
            None => thread::sleep(Duration::from_millis(2)),
        }
    };
    let _ = writer.join();
    (status, said.join().unwrap_or_default())
}

/// The end of what was said, where a panic is.
fn start(said: &str) -> String {
    let from = said.find("panicked at").unwrap_or(0);
    said[from..].chars().take(300).collect()
}
