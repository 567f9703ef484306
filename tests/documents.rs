//! Checks the documents against the repository: the README's size and example, the table of bots, every link to a file,
//! every heading that a link names, and every path in backticks.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace's folder")
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn the_readme_is_a_page() {
    let bytes = read("README.md").len();
    assert!(bytes <= 9216, "README.md has {bytes} bytes: what is more than a page goes to docs/");
}

#[test]
fn the_readme_shows_the_example() {
    let (readme, source) = (read("README.md"), read("examples/mine/src/main.rs"));
    let shown = readme.split("```rust\n").nth(1).and_then(|rest| rest.split("```\n").next()).expect("code");
    // A line `// ...` stands for what is left out.
    let mut pieces = vec![String::new()];
    for line in shown.lines() {
        if line.trim() == "// ..." {
            pieces.push(String::new());
        } else {
            *pieces.last_mut().expect("a piece") += &format!("{line}\n");
        }
    }
    let mut rest = source.as_str();
    for piece in pieces {
        let (_, behind) = rest.split_once(&piece).unwrap_or_else(|| {
            panic!(
                "README.md shows what examples/mine/src/main.rs doesn't have, or in another order:\n{piece}"
            )
        });
        rest = behind;
    }
}

#[test]
fn the_table_of_bots_lists_every_bot() {
    let (table, manifest) = (read("docs/bots.md"), read("bots/Cargo.toml"));
    for bin in manifest.split("[[bin]]").skip(1) {
        let name = bin.split('"').nth(1).expect("a name");
        assert!(table.contains(&format!("\n| `{name}` | ")), "docs/bots.md has no row for {name}");
    }
}

/// All documents, as paths from the root.
fn documents() -> Vec<PathBuf> {
    let is_document = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "md");
    repository().into_iter().filter(is_document).collect()
}

/// The anchor that a renderer gives a heading: in small letters, blanks as hyphens, no punctuation.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|&c| c.is_alphanumeric() || " -_".contains(c));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

/// The anchors of a document's headings.
fn anchors(document: &str) -> BTreeSet<String> {
    let mut is_code = false;
    let outside = document.lines().filter(|line| {
        is_code ^= line.trim_start().starts_with("```");
        !is_code
    });
    let headings =
        outside.filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    headings.map(anchor).collect()
}

#[test]
fn every_link_leads_to_a_file_and_a_heading_in_it() {
    let documents = documents();
    assert!(documents.len() > 40, "{documents:?}");
    let (mut with_anchor, mut dead) = (0, String::new());
    for path in documents {
        let text = read(&path);
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if target.contains("://") {
                continue;
            }
            let (file, place) = target.split_once('#').unwrap_or((target, ""));
            let folder = path.parent().expect("a folder");
            let linked = if file.is_empty() { path.clone() } else { folder.join(file) };
            with_anchor += usize::from(!place.is_empty());
            let is_there = root().join(&linked).exists()
                && (place.is_empty() || anchors(&read(&linked)).contains(place));
            if !is_there {
                dead += &format!("{}: nothing at {target}\n", path.display());
            }
        }
    }
    assert!(dead.is_empty(), "{dead}");
    assert!(with_anchor > 10, "{with_anchor}");
}

#[test]
fn anchors_are_those_of_headings() {
    let text = "# A B?\n```\n# no\n```\n### `x y`: z, 1\n";
    assert_eq!(Vec::from_iter(anchors(text)), ["a-b", "x-y-z-1"]);
}

/// Files that the documents name and that commands write, or that others have.
const ELSEWHERE: [(&str, &[&str]); 14] = [
    ("docs/arena.md", &["arena.toml"]),
    ("docs/is-it-better.md", &["games.jsonl"]),
    ("docs/pages.md", &["games.jsonl", "games/7.referee.json", "run.json"]),
    ("docs/many-bots.md", &["games.jsonl"]),
    ("docs/any-program.md", &["games.jsonl", "theirs.jsonl"]),
    ("docs/evening.md", &["arena.toml"]),
    ("docs/cluster.md", &["games.jsonl", "pairs.jsonl", "shards.jsonl", "cluster/run.json"]),
    ("docs/factory.md", &["learnt/losses.svg"]),
    (
        "docs/referees.md",
        &[
            "referee.jar",
            "config/stub.txt",
            "config/level1/stub.txt",
            "src/bot.rs",
            "src/protocol.rs",
            "src/player.rs",
            "tests/reader.rs",
        ],
    ),
    ("docs/heuristic.md", &["arena.toml"]),
    ("docs/reliability.md", &["games.jsonl", "pool.json"]),
    ("docs/own-contest.md", &["src/game.rs", "src/eval.rs", "src/protocol.rs", "tests/rules.rs"]),
    ("arena/scaffold/src/heuristic/readme.md", &["src/main.rs", "arena.toml"]),
    (
        "arena/scaffold/src/own_contest/readme.md",
        &["src/game.rs", "src/eval.rs", "src/protocol.rs", "tests/rules.rs", "arena.toml"],
    ),
];

/// The text of a document between backticks, outside its blocks of code, with its line.
fn spans(document: &str) -> Vec<(usize, String)> {
    let mut text = String::new();
    let mut is_code = false;
    for line in document.lines() {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        text += if is_code || is_fence { "" } else { line };
        text.push('\n');
    }
    let mut line = 1;
    let mut spans = Vec::new();
    for (part, content) in text.split('`').enumerate() {
        if part % 2 == 1 {
            spans.push((line, content.to_owned()));
        }
        line += content.matches('\n').count();
    }
    spans
}

/// Whether text in backticks is a path: letters, digits, `.`, `_`, `-` and `/`, and either a `/` or the extension of a
/// source or document. Not a path of this repository is one with a word in capitals (`NAME`), from the root or from the
/// folder above, of a built program, or of the reader's own folder (`./mine`).
fn is_path(text: &str) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || "._-/".contains(c);
    let extensions = ["rs", "md", "toml", "txt", "bin", "json", "jsonl", "html", "svg", "jar"];
    let (stem, extension) = text.rsplit_once('.').unwrap_or((text, ""));
    let is_file = !stem.is_empty() && extensions.contains(&extension);
    let is_placeholder = |word: &str| {
        word.len() > 1
            && word.bytes().all(|byte| byte.is_ascii_uppercase())
            && !word.eq("NOTES")
            && !word.eq("PROTOCOL")
    };
    text.chars().all(is_name)
        && (is_file || text.contains('/'))
        && !text.split(|c: char| !c.is_ascii_alphanumeric()).any(is_placeholder)
        && !["/", "./", "../", "target/"].iter().any(|start| text.starts_with(start))
}

/// All files and folders of the repository, as paths from its root.
fn repository() -> Vec<PathBuf> {
    let (mut open, mut found) = (vec![root().to_owned()], Vec::new());
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.file_name().is_some_and(|name| name == "target" || name == ".git") {
                continue;
            }
            found.push(path.strip_prefix(root()).expect("below the root").to_owned());
            if path.is_dir() && !path.is_symlink() {
                open.push(path);
            }
        }
    }
    found
}

#[test]
fn every_path_in_backticks_exists() {
    let repository = repository();
    let names: BTreeSet<_> = repository.iter().filter_map(|path| path.file_name()).collect();
    let mut elsewhere: BTreeSet<(String, String)> = ELSEWHERE
        .iter()
        .flat_map(|(document, paths)| paths.iter().map(|path| (document.to_string(), path.to_string())))
        .collect();
    let known = elsewhere.clone();
    let (mut checked, mut missing) = (0, String::new());
    // What it says of the past stays as it was.
    for document in documents().iter().filter(|path| !path.ends_with("CHANGELOG.md")) {
        let (name, folder) = (document.to_str().expect("text"), document.parent().expect("a folder"));
        for (line, path) in spans(&read(document)).into_iter().filter(|(_, text)| is_path(text)) {
            checked += 1;
            let pair = (name.to_owned(), path.clone());
            if known.contains(&pair) {
                elsewhere.remove(&pair);
                continue;
            }
            // A name alone may be that of any file: the text around it says of which folder.
            let exists = [Path::new(""), folder].iter().any(|base| root().join(base).join(&path).exists())
                || (!path.contains('/') && names.contains(path.as_ref() as &std::ffi::OsStr));
            if !exists {
                missing += &format!("{name}:{line}: expected a path of the repository, found `{path}`\n");
            }
        }
    }
    assert!(missing.is_empty(), "{missing}write the path from the repository's root");
    assert!(elsewhere.is_empty(), "not named any more: {elsewhere:?}");
    assert!(checked > 150, "{checked}");
}

#[test]
fn paths_are_told_from_other_text() {
    let text = "`a/b`\n`x y/z`\n```\n`c/d`\n```\ntext `src/e.rs` and\n`f`";
    let found: Vec<(usize, String)> = spans(text).into_iter().filter(|(_, text)| is_path(text)).collect();
    assert_eq!(found, [(1, "a/b".to_owned()), (6, "src/e.rs".to_owned())]);
    assert!(["tests/laws.rs", "NOTES.md", "bots/shared/grid/", ".ci/run"].iter().all(|text| is_path(text)));
    assert!(["./mine", "GAME.p0.json", ".rs", "f64", "coppice_arena::Cli", "/usr/bin", "k = v/w"]
        .iter()
        .all(|text| !is_path(text)));
}
