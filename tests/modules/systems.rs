//! Tests that only the platform modules distinguish operating systems.

use std::fs;
use std::path::Path;

use coppice_tests::workspace;

/// The folders of the platform modules.
const PLATFORM: [&str; 2] = ["arena/referee/src/process", "bundler/src/os"];

/// The folders of sources.
const SOURCES: [&str; 6] = ["src", "contest", "bots", "bundler/src", "arena", "factory/src"];

/// Conditions that distinguish systems.
const CONDITIONS: [&str; 5] = ["cfg(unix", "cfg(windows", "cfg(not(unix", "cfg(not(windows", "cfg(target_os"];

/// The lines of a source, before its tests, in which systems are distinguished.
fn distinctions(text: &str) -> Vec<usize> {
    let program = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let lines = (1..).zip(program.lines());
    let is_one = |line: &str| CONDITIONS.iter().any(|condition| line.contains(condition));
    lines.filter(|(_, line)| is_one(line)).map(|(number, _)| number).collect()
}

/// The distinctions outside of the platform modules and of tests.
fn look(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        let name = entry.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let within = entry.strip_prefix(workspace()).unwrap_or(&entry).to_string_lossy().replace('\\', "/");
        let is_test =
            ["tests", "tests.rs", "trials", "examples", "target", "corpus"].contains(&name.as_str());
        if is_test || PLATFORM.contains(&within.as_str()) {
            continue;
        }
        if entry.is_dir() {
            look(&entry, found);
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            let lines = distinctions(&fs::read_to_string(&entry).expect("a source"));
            found.extend(lines.iter().map(|line| format!("{within}:{line}")));
        }
    }
}

#[test]
fn only_platform_modules_distinguish_systems() {
    let mut found = Vec::new();
    SOURCES.iter().for_each(|folder| look(&workspace().join(folder), &mut found));
    assert!(
        found.is_empty(),
        "{found:#?}\nwhat only one system has belongs into {PLATFORM:?}, with a fallback"
    );
}

#[test]
fn a_distinction_is_seen() {
    let text = "a\n#[cfg(unix)]\nb\n    #[cfg(not(windows))] c\n#[cfg(test)]\nmod tests {\n#[cfg(unix)]\n}";
    assert_eq!(distinctions(text), [2, 4]);
    assert_eq!(distinctions("if cfg!(windows) { 1 } else { 2 }"), [0; 0], "a value is none");
}
