//! What a contest and a search need, as CONTRIBUTING.md lists it: names whatever is missing.

use std::fs;
use std::path::{Path, PathBuf};

use coppice_tests::workspace;

fn read(path: &str) -> String {
    fs::read_to_string(workspace().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The files with Rust source below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    let files = files.into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    files.chain(folders.iter().flat_map(|folder| sources(folder))).collect()
}

/// The paths in backticks that begin the numbered lines of a section of CONTRIBUTING.md.
fn steps(section: &str) -> Vec<String> {
    let text = read("CONTRIBUTING.md");
    let section = text.split(&format!("\n### {section}\n")).nth(1).expect("the section");
    let section = section.split("\n#").next().expect("its text");
    let numbered = |line: &&str| line.starts_with(|c: char| c.is_ascii_digit());
    let path = |line: &str| line.split('`').nth(1).expect("a path in backticks").to_owned();
    section.lines().filter(numbered).map(path).collect()
}

/// A step of the list, and whether it was done for a name.
type Step = (&'static str, fn(&str) -> bool);

const CONTEST: [Step; 9] = [
    ("bots/<contest>/", |name| {
        let files = ["mod.rs", "main.rs", "PROTOCOL.md", "tools/mod.rs", "tools/contest.rs"];
        files.iter().all(|file| workspace().join("bots").join(name).join(file).exists())
    }),
    ("bots/lib.rs", |name| read("bots/lib.rs").contains(&format!("\npub mod {name};\n"))),
    ("bots/list.rs", |name| bots::contest(name).is_some()),
    ("bots/searches/lib.rs", |name| {
        let file = workspace().join("bots").join(name).join("searches.rs");
        !file.exists() || read("bots/searches/lib.rs").contains(&format!("\"../{name}/searches.rs\""))
    }),
    ("bots/Cargo.toml", |name| read("bots/Cargo.toml").contains(&format!("path = \"{name}/main.rs\""))),
    ("docs/bots.md", |name| read("docs/bots.md").contains(&format!("\n| `{name}` |"))),
    ("README.md", |name| read("README.md").contains(&format!("`{name}`"))),
    ("tests/logs/<contest>/", |name| workspace().join("tests/logs").join(name).join("scores.json").exists()),
    (".ci/run", |name| {
        let mut words = read(".ci/run");
        words.retain(|c| c != '"');
        words.split_whitespace().any(|word| word.split(':').next() == Some(name))
    }),
];

#[test]
fn every_contest_has_all_that_a_contest_needs() {
    assert_eq!(steps("A new contest"), CONTEST.map(|(path, _)| path), "CONTRIBUTING.md lists the same steps");
    let folders = fs::read_dir(workspace().join("bots")).expect("the bots");
    let folders = folders.map(|entry| entry.expect("an entry").path());
    let folders = folders.filter(|path| path.join("main.rs").exists());
    let mut names: Vec<String> =
        folders.map(|path| path.file_name().expect("a name").to_string_lossy().into_owned()).collect();
    names.extend(bots::contests().iter().map(|contest| contest.name().to_owned()));
    names.sort();
    names.dedup();
    let missing = |name: &String| {
        let undone = CONTEST.iter().filter(|(_, is_done)| !is_done(name)).map(|(path, _)| *path);
        undone.map(|path| format!("{name}: {path}")).collect::<Vec<_>>()
    };
    let missing: Vec<String> = names.iter().flat_map(missing).collect();
    assert!(names.len() >= 14 && missing.is_empty(), "not done: {missing:#?}");
}

/// What only tools need is in `tools`, behind one `cfg`; what is the same has the same name.
#[test]
fn contests_folders_are_alike() {
    for contest in bots::contests() {
        let folder = workspace().join("bots").join(contest.name());
        for path in sources(&folder) {
            let text = fs::read_to_string(&path).expect("source");
            let (name, is_tool) = (path.file_name().expect("a name"), path.starts_with(folder.join("tools")));
            let count = text.matches("cfg(not(bundled))").count();
            let allowed = usize::from(path == folder.join("mod.rs"));
            assert_eq!(count, allowed, "{}: cfg(not(bundled))", path.display());
            let of_tools =
                ["contest.rs", "drawing.rs", "text.rs", "bench.rs"].iter().any(|tool| name == *tool);
            assert!(!of_tools || is_tool, "{}: it belongs into `tools`", path.display());
            assert!(name != "referee.rs", "{}: the referee is in `tools/contest.rs`", path.display());
        }
    }
}

const SEARCH: [Step; 4] = [
    ("src/search/mod.rs", |name| {
        let text = read("src/search/mod.rs");
        let exported = text.split("pub use ").skip(1).filter_map(|rest| rest.split(';').next());
        let mut words = exported.flat_map(|list| list.split(|c: char| !c.is_alphanumeric() && c != '_'));
        words.any(|word| word == name)
    }),
    ("tests/conformance/", |name| {
        let named = |path: &PathBuf| is_named(&fs::read_to_string(path).expect("source"), name);
        sources(&workspace().join("tests/conformance")).iter().any(named)
    }),
    ("tests/allocation.rs", |name| is_named(&read("tests/allocation.rs"), name)),
    ("docs/searches.md", |name| {
        ["docs/searches.md", "README.md", "src/lib.rs"].iter().any(|path| is_named(&read(path), name))
    }),
];

fn is_named(text: &str, name: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
}

#[test]
fn every_search_has_all_that_a_search_needs() {
    assert_eq!(steps("A new search"), SEARCH.map(|(path, _)| path), "CONTRIBUTING.md lists the same steps");
    let mut names = Vec::new();
    for path in sources(&workspace().join("src/search")) {
        let text = fs::read_to_string(path).expect("source");
        for line in text.lines().filter(|line| line.starts_with("impl")) {
            let searched = line.split_once("Search<G> for ").map(|(_, rest)| rest);
            let end = |c: char| !c.is_alphanumeric();
            names.extend(searched.and_then(|rest| rest.split(end).next()).map(str::to_owned));
        }
    }
    names.retain(|name| !["S", "Box", "Counted"].contains(&name.as_str()));
    names.sort();
    names.dedup();
    assert!(names.len() > 15, "{names:?}");
    let missing = |name: &String| {
        let undone = SEARCH.iter().filter(|(_, is_done)| !is_done(name)).map(|(path, _)| *path);
        undone.map(|path| format!("{name}: {path}")).collect::<Vec<_>>()
    };
    let missing: Vec<String> = names.iter().flat_map(missing).collect();
    assert!(missing.is_empty(), "not done: {missing:#?}");
}
