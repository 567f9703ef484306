//! Runs the sections of docs/own-contest.md about contests of one's own, as written: their files are put where they say,
//! their commands run in order in one shell, and what they print must be what the document shows.

#![cfg(unix)]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use coppice_tests::workspace;

/// A part of the section.
enum Part<'a> {
    /// A file's name and its content.
    File(&'a str, String),
    /// Commands, each with the lines that it should print.
    Console(Vec<(&'a str, Vec<&'a str>)>),
}

/// The section's fenced blocks. A file's name is the first word in backticks of the paragraph above its block.
fn parts(section: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut lines = section.lines();
    let mut above = "";
    let mut was_blank = true;
    while let Some(line) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            if language == "rust" {
                let name = above.strip_prefix('`').and_then(|rest| rest.split('`').next());
                parts.push(Part::File(name.expect("a file's name above its block"), block.join("\n") + "\n"));
            } else {
                parts.push(Part::Console(commands(&block)));
            }
        } else {
            if was_blank && !line.is_empty() {
                above = line;
            }
            was_blank = line.is_empty();
        }
    }
    parts
}

fn commands<'a>(block: &[&'a str]) -> Vec<(&'a str, Vec<&'a str>)> {
    let mut all: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in block {
        match line.strip_prefix("$ ") {
            Some(command) => all.push((command, Vec::new())),
            None => all.last_mut().expect("a command before its output").1.push(line),
        }
    }
    all
}

/// Whether a line is as shown; `[...]` stands for any text.
fn is_like(line: &str, shown: &str) -> bool {
    let mut pieces = shown.split("[...]");
    let Some(mut rest) = line.strip_prefix(pieces.next().unwrap_or_default()) else { return false };
    let mut open = false;
    for piece in pieces {
        let Some(at) = rest.find(piece) else { return false };
        rest = &rest[at + piece.len()..];
        open = piece.is_empty();
    }
    open || rest.is_empty()
}

/// Whether the printed lines are those shown, in this order; a line `[...]` stands for any lines.
fn is_as_shown(printed: &[&str], shown: &[&str]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((first, others)) if first.trim() == "[...]" => {
            (0..=printed.len()).any(|skipped| is_as_shown(&printed[skipped..], others))
        }
        Some((first, others)) => printed
            .split_first()
            .is_some_and(|(line, rest)| is_like(line, first) && is_as_shown(rest, others)),
    }
}

/// Runs commands in one shell; returns what each printed, without progress of cargo and the bundler.
fn run(folder: &Path, path: &str, prelude: &str, commands: &[&str]) -> Vec<String> {
    const END: &str = "== end of a command ==";
    let script = |command: &&str| {
        // The bundler's report is on its standard error; what others print there is progress.
        let errors = if command.starts_with("bundler ") { "2>&1" } else { "" };
        format!("{{ {command}; }} < /dev/null {errors}\nstatus=$?; echo; echo '{END}' $status\n")
    };
    let script: String = commands.iter().map(script).collect();
    let mut shell = Command::new("bash")
        .args(["-O", "expand_aliases"])
        .current_dir(folder)
        .env("PATH", path)
        .env("CARGO_TARGET_DIR", "target")
        .env_remove("RUSTFLAGS")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .expect("bash");
    let mut input = shell.stdin.take().expect("its input");
    write!(input, "{prelude}{script}").expect("a script");
    drop(input);
    let output = shell.wait_with_output().expect("its output");
    let text = String::from_utf8(output.stdout).expect("text");
    let mut outputs = Vec::new();
    let mut printed = String::new();
    for line in text.lines() {
        match line.strip_prefix(END) {
            Some(status) => {
                assert_eq!(status.trim(), "0", "{:?} fails: {printed}", commands[outputs.len()]);
                outputs.push(std::mem::take(&mut printed));
            }
            None => printed = printed + line + "\n",
        }
    }
    assert_eq!(outputs.len(), commands.len(), "{text}");
    outputs
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "builds an arena of its own"]
    fn the_document_is_as_it_says() {
        let document = fs::read_to_string(workspace().join("docs/own-contest.md")).expect("the document");
        let section = |title: &str| {
            let section = document.split("\n## ").find(|section| section.starts_with(title));
            parts(section.expect("the section"))
        };
        let parts = [section("A contest of your own"), section("Simultaneous moves")];
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("own-contest");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("an empty folder");

        // What `cargo install` would put on the path.
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let built = Command::new(cargo)
            .args(["build", "--quiet", "-p", "arena", "-p", "bundler"])
            .current_dir(workspace())
            .status();
        assert!(built.expect("cargo").success());
        let programs =
            Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder").join("debug");
        let path = format!("{}:{}", programs.display(), std::env::var("PATH").expect("a path"));

        let mut prelude = String::new();
        let (mut files, mut run_commands) = (0, 0);
        let mut at = folder;
        std::os::unix::fs::symlink(workspace(), at.join("coppice")).expect("the clone beside the package");
        for part in parts.into_iter().flatten() {
            match part {
                Part::File(name, content) => {
                    assert!(at.join(name).exists(), "{name} is changed, not new");
                    fs::write(at.join(name), content).expect("the file");
                    files += 1;
                }
                Part::Console(console) => {
                    let names: Vec<&str> = console.iter().map(|(command, _)| *command).collect();
                    let outputs = run(&at, &path, &prelude, &names);
                    for ((command, shown), output) in console.iter().zip(outputs) {
                        let printed: Vec<&str> = output.trim_end().lines().collect();
                        assert!(
                            is_as_shown(&printed, shown),
                            "{command}\nprints\n{output}\nand the document shows\n{}",
                            shown.join("\n")
                        );
                        run_commands += 1;
                        if let Some(name) = command.strip_prefix("cd ") {
                            at = at.join(name);
                        } else if command.starts_with("alias ") {
                            prelude = format!("{prelude}{command}\n");
                        }
                    }
                }
            }
        }
        assert!(files >= 4 && run_commands >= 10, "{files} files, {run_commands} commands");
    }
}

#[test]
fn shown_lines_are_compared() {
    assert!(is_like("depth 1   7 leaves  0.1 s", "depth 1 [...] 7 leaves [...]"));
    assert!(is_like("a b", "a b") && !is_like("a b c", "a b") && !is_like("a", "a b"));
    assert!(!is_like("x 7 leaves", "depth [...]"));
    assert!(is_as_shown(&["a", "b", "c"], &["a", "  [...]", "c"]));
    assert!(is_as_shown(&[], &["  [...]"]) && is_as_shown(&[], &[]));
    assert!(!is_as_shown(&["a", "b"], &["a"]) && !is_as_shown(&["a"], &["a", "b"]));
}

#[test]
fn blocks_are_files_or_commands() {
    let section = "\n`src/a.rs`, the\nrules:\n\n```rust\nfn a() {}\n```\n\n```\n$ one\nx\n$ two\n```\n";
    let parts = parts(section);
    assert!(matches!(&parts[0], Part::File("src/a.rs", content) if content == "fn a() {}\n"));
    assert!(matches!(&parts[1], Part::Console(all) if *all == [("one", vec!["x"]), ("two", vec![])]));
}
