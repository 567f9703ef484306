//! Runs a section of a document as written: its files are put where it says, its commands run in order in one shell, and
//! what they print must be what the document shows.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
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
            let name = above.strip_prefix('`').and_then(|rest| rest.split('`').next());
            match name.filter(|_| !language.is_empty()) {
                Some(name) => parts.push(Part::File(name, block.join("\n") + "\n")),
                None => parts.push(Part::Console(commands(&block))),
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

/// The text of a file with a function in place of the one of its name, which has the same indent.
fn with_function(file: &str, function: &str) -> String {
    let head = function.split('(').next().expect("a name");
    let indent = &head[..head.len() - head.trim_start().len()];
    let begin = file.find(&format!("\n{head}(")).expect("a function of this name") + 1;
    let close = format!("\n{indent}}}\n");
    let end = begin + file[begin..].find(&close).expect("its end") + close.len();
    format!("{}{function}{}", &file[..begin], &file[end..])
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

/// A section of a document, below its heading.
///
/// # Panics
/// If there is none.
pub fn section(document: &str, heading: &str) -> String {
    let text = fs::read_to_string(workspace().join(document)).expect("the document");
    let section = text.split("\n## ").find(|section| section.starts_with(heading));
    section.unwrap_or_else(|| panic!("{document} has no section {heading}")).to_owned()
}

/// An empty folder for a section's commands, in which `coppice` is this repository.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("an empty folder");
    std::os::unix::fs::symlink(workspace(), folder.join("coppice")).expect("a link");
    folder
}

/// Builds programs of this repository; returns their folder.
pub fn programs(packages: &[&str]) -> PathBuf {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let packages = packages.iter().flat_map(|package| ["-p", package]);
    let built =
        Command::new(cargo).args(["build", "--quiet"]).args(packages).current_dir(workspace()).status();
    assert!(built.expect("cargo").success());
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder").join("debug")
}

/// Walks through a section with the programs on the path, from `folder`; returns the number of its files and of its
/// commands.
///
/// # Panics
/// If a command fails, or prints something else than the section shows.
pub fn walk(section: &str, folder: &Path, programs: &Path) -> (usize, usize) {
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").expect("a path"));
    let mut prelude = String::new();
    let (mut files, mut run_commands) = (0, 0);
    let mut at = folder.to_owned();
    for part in parts(section) {
        match part {
            Part::File(name, content) => {
                let path = at.join(name);
                match fs::read_to_string(&path) {
                    Ok(text) if content.trim_start().starts_with("fn ") && content.starts_with(' ') => {
                        fs::write(path, with_function(&text, &content)).expect("the file");
                    }
                    // Code is put into what was generated; anything else may be new.
                    Err(_) if name.ends_with(".rs") => panic!("{name} is changed, not new"),
                    _ => fs::write(path, content).expect("the file"),
                }
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
    (files, run_commands)
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

#[test]
fn a_function_takes_the_place_of_its_namesake() {
    let file = "impl A {\n    fn a() {\n        1\n    }\n\n    fn ab() {\n    }\n}\n";
    let new = with_function(file, "    fn a() {\n        2\n    }\n");
    assert_eq!(new, file.replace('1', "2"));
    assert_eq!(
        with_function(file, "    fn ab() {\n        3\n    }\n").matches("fn a() {\n        1").count(),
        1
    );
}
