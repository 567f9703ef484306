//! Checks the arena's command lines in all documents: each is parsed, without running it.

use std::fs;
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::Parser;
use coppice_arena::{Cli, Subcommand};
use coppice_study::Studies;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files with this extension in these folders and in those below them.
fn files(folders: Vec<PathBuf>, extension: &str) -> Vec<PathBuf> {
    let (mut open, mut found) = (folders, Vec::new());
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path);
            }
        }
    }
    found
}

/// Splits a line at pipes and ampersands outside quotes, and ends it at a comment or a redirection.
fn parts(line: &str) -> Vec<String> {
    let (mut parts, mut quote) = (vec![String::new()], None);
    for (at, c) in line.char_indices() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if c == '\'' || c == '"' => quote = Some(c),
            None if (c == '#' || c == '>') && line[..at].ends_with(' ') => return parts,
            None if c == '|' || c == '&' => {
                parts.push(String::new());
                continue;
            }
            None => {}
        }
        parts.last_mut().expect("a part").push(c);
    }
    parts
}

/// The words behind the program's name, if a part of a line calls an arena; `study` and its words for `arena-study`.
fn call(part: &str) -> Option<String> {
    let part = part.trim();
    let part = part.strip_prefix("$ ").unwrap_or(part);
    let words = match part.split_once("-p arena -- ") {
        Some((_, words)) => words,
        None => {
            let (program, words) = part.split_once(' ')?;
            if program == "arena-study" {
                return Some(format!("study {words}"));
            }
            (program == "arena" || program.ends_with("-arena")).then_some(words.trim())?
        }
    };
    words.starts_with(|c: char| c.is_ascii_lowercase()).then(|| words.to_owned())
}

/// The calls of an arena in a document: in its blocks of code, and between backticks in its text.
fn calls(document: &str) -> Vec<String> {
    let document = document.replace("\\\n", " ");
    let (mut blocks, mut text, mut is_code) = (Vec::new(), String::new(), false);
    for line in document.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if is_code {
            blocks.push(line.to_owned());
        } else {
            text += line;
            text.push('\n');
        }
    }
    let spans = text.split('`').skip(1).step_by(2).map(|span| span.replace('\n', " "));
    let lines = blocks.into_iter().chain(spans);
    lines.flat_map(|line| parts(&line)).filter_map(|part| call(&part)).collect()
}

/// Whether a command line can be parsed, apart from what the text leaves out: `arena match`, `--ply N`.
fn check(call: &str) -> Result<(), String> {
    let call = call.replace(" -p1 ", " --p1 ").replace(" -p2 ", " --p2 ");
    let words = shell_words::split(&call).map_err(|error| error.to_string())?;
    let number = |word: String| if word == "N" { "4".to_owned() } else { word };
    let words = words.into_iter().map(number).collect::<Vec<_>>();
    // A command of the program, which the library doesn't know.
    if words[0] == "lander" {
        return Ok(());
    }
    if words[0] == "study" {
        let studies = Studies { contests: &[], files: &[] };
        return studies.command().try_get_matches_from(words).map(drop).map_err(|error| error.to_string());
    }
    let is_open = words.last().is_some_and(|word| word.starts_with('-'));
    match Cli::try_parse_from(std::iter::once("arena").chain(words.iter().map(String::as_str))) {
        Ok(_) => Ok(()),
        Err(error) => match error.kind() {
            ErrorKind::MissingRequiredArgument
            | ErrorKind::MissingSubcommand
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => Ok(()),
            ErrorKind::InvalidValue if is_open => Ok(()),
            _ => Err(error.to_string()),
        },
    }
}

#[test]
fn the_documents_commands_are_commands() {
    let root = root();
    let mut documents = files(vec![root.join("docs"), root.join("bots"), root.join("arena/scaffold")], "md");
    documents.extend(["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|name| root.join(name)));
    let mut checked = 0;
    let mut errors = String::new();
    for path in documents {
        for call in calls(&fs::read_to_string(&path).expect("text")) {
            checked += 1;
            if let Err(error) = check(&call) {
                errors += &format!("{}: arena {call}\n{error}\n", path.display());
            }
        }
    }
    assert!(errors.is_empty(), "{errors}");
    assert!(checked > 200, "{checked}");
}

#[test]
fn wrong_commands_are_found() {
    let document = "Text `arena match reversi ./a ./b --game 4`\n```sh\nprintf 'x | y' | arena debug mnk --turns 3 # no\n```\n";
    let calls = calls(document);
    assert_eq!(calls, ["debug mnk --turns 3", "match reversi ./a ./b --game 4"]);
    assert!(calls.iter().all(|call| check(call).is_err()));
    assert!(check("matches reversi").is_err() && check("match reversi './a --nodes 5' ./b -n 20").is_ok());
}
