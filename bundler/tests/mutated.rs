//! Mutated sources and manifests: bundled or refused with a message, without a panic and in finite time.
//!
//! `COPPICE_MUTATIONS` says how many, `COPPICE_MUTATION` repeats the one of a number.

mod common;
#[path = "../../tests/fuzz/mutation.rs"]
mod mutation;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use bundler::internals::{single, Tokens};
use bundler::Edition;
use common::{bundler, fixture};
use mutation::{mutated, Chance};

/// Longest time of one run, far more than any takes on a busy machine.
const LIMIT: Duration = Duration::from_secs(600);

/// The longest message. It quotes lines of source, or cargo's error for a manifest.
const MOST_MESSAGE_BYTES: usize = 20_000;

/// Crates with modules, macros, included files and dependencies.
const FIXTURES: [&str; 6] = ["short", "modules", "macros", "include-text", "two-versions", "traits"];

fn numbers() -> Range<u64> {
    let variable = |name: &str| Some(std::env::var(name).ok()?.parse::<u64>().expect("a whole number"));
    match variable("COPPICE_MUTATION") {
        Some(number) => number..number + 1,
        None => 1..1 + variable("COPPICE_MUTATIONS").unwrap_or(1000),
    }
}

/// The files of a fixture below a folder that decide what is bundled, by path.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inner) = folders.pop() {
        for entry in std::fs::read_dir(inner).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let relative = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
                found.insert(relative, std::fs::read(&path).unwrap());
            }
        }
    }
    found
}

/// Bundles the texts with these numbers in this process.
fn read_sources(numbers: Range<u64>) {
    let all = FIXTURES.iter().flat_map(|name| files(&fixture(name)));
    let sources = all.filter(|(path, _)| path.ends_with(".rs")).map(|(_, text)| text).collect::<Vec<_>>();
    let mut accepted = 0;
    for number in numbers.clone() {
        let mut chance = Chance::new(number);
        let source: &Vec<u8> = chance.one_of(&sources);
        let bytes = mutated(source, &mut chance);
        // Bytes that are no text are refused before the parser.
        let source = String::from_utf8_lossy(&bytes);
        let edition = *chance.one_of(&[Edition::E2015, Edition::E2018, Edition::E2021, Edition::E2024]);
        let read = std::panic::catch_unwind(|| single(&source, edition));
        let read = read.unwrap_or_else(|_| panic!("COPPICE_MUTATION={number} panics"));
        match read {
            Ok(text) => {
                assert!(Tokens::read(&text).is_ok(), "COPPICE_MUTATION={number}: {text:?}");
                accepted += 1;
            }
            // The program shortens it: see the crates.
            Err(error) => assert!(!error.to_string().is_empty(), "COPPICE_MUTATION={number}"),
        }
    }
    eprintln!("{accepted} of {} sources accepted", numbers.count());
}

/// Runs the bundler on crates with one mutated file.
fn bundle_crates(numbers: Range<u64>) {
    let crates = FIXTURES.map(|name| files(&fixture(name)));
    let (mut accepted, mut refused, mut failures) = (0, 0, Vec::new());
    for number in numbers {
        let mut chance = Chance::new(number);
        let files = chance.one_of(&crates);
        let is_mutated =
            |path: &&String| path.ends_with(".rs") || path.ends_with(".toml") || path.ends_with(".lock");
        let paths = files.keys().filter(is_mutated).collect::<Vec<_>>();
        let changed = *chance.one_of(&paths);
        let folder = tempfile::tempdir().unwrap();
        for (path, bytes) in files {
            let path_here = folder.path().join(path);
            std::fs::create_dir_all(path_here.parent().unwrap()).unwrap();
            let bytes = if path == changed { mutated(bytes, &mut chance) } else { bytes.clone() };
            std::fs::write(path_here, bytes).unwrap();
        }
        match run(folder.path()) {
            Ok(true) => accepted += 1,
            Ok(false) => refused += 1,
            Err(why) => failures.push(format!("COPPICE_MUTATION={number}, {changed}: {why}")),
        }
    }
    eprintln!("{accepted} crates bundled, {refused} refused");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Whether a crate is bundled.
fn run(folder: &Path) -> Result<bool, String> {
    let said = folder.join("stderr");
    let mut program = bundler(folder);
    program.args(["--no-check", "--offline"]).stdin(Stdio::null()).stdout(Stdio::null());
    // Nothing is compiled, so all can share a folder, which is removed.
    program.env("CARGO_TARGET_DIR", folder.join("target"));
    let mut program = program.stderr(std::fs::File::create(&said).unwrap()).spawn().unwrap();
    let end = Instant::now() + LIMIT;
    let status = loop {
        match program.try_wait().unwrap() {
            Some(status) => break status,
            None if Instant::now() > end => {
                program.kill().unwrap();
                program.wait().unwrap();
                return Err(format!("not done after {LIMIT:?}"));
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    let said = String::from_utf8_lossy(&std::fs::read(&said).unwrap()).into_owned();
    let is_clear = status.success() || !said.trim().is_empty() && said.len() <= MOST_MESSAGE_BYTES;
    match status.code() {
        Some(0..=2) if is_clear && !said.contains("panicked at") => Ok(status.success()),
        _ => Err(format!("{status}, {} bytes: {}", said.len(), said.chars().take(500).collect::<String>())),
    }
}

#[test]
fn a_few_mutated_sources() {
    read_sources(1..30);
}

#[test]
#[ignore = "a thousand texts: .ci/deep runs it"]
fn a_thousand_mutated_sources() {
    read_sources(numbers());
}

#[test]
#[ignore = "a thousand runs of the bundler: .ci/deep runs it"]
fn a_thousand_mutated_crates() {
    bundle_crates(numbers());
}
