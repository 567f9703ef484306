//! The kinds of files that are mutated, and the commands that read them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Files that belong together, by their paths in the folder of a case.
pub type Group = BTreeMap<String, Vec<u8>>;

/// Runs the arena in the folder of a case.
pub type Run<'a> = &'a dyn Fn(&[&str]);

/// A kind of file.
pub struct Kind {
    /// Its name in tests and messages.
    pub name: &'static str,
    /// The groups of whole files, of which a case mutates one file; the commands that write files run in the folder.
    pub groups: fn(&Path, Run<'_>) -> Vec<Group>,
    /// Whether a file of a group is mutated.
    pub is_mutated: fn(&str) -> bool,
    /// The commands that read it, by its path.
    pub commands: fn(&str) -> Vec<Vec<String>>,
}

/// All of them.
pub const KINDS: [Kind; 9] = [
    Kind {
        name: "logs",
        groups: |_, _| logs(),
        is_mutated: |_| true,
        commands: |path| {
            let folder = path.split('/').next().unwrap_or(path);
            words(&[
                &["replay", folder],
                &["replay", "--show", path],
                &["replay", "--json", path],
                &["view", folder, "-o", "page.html"],
            ])
        },
    },
    Kind {
        name: "replays",
        groups: |_, _| alone(&files(&tests_folder("tests/data/replays"), "json")),
        is_mutated: |_| true,
        commands: |path| {
            words(&[&["import", path, "-o", "logs"], &["replay", path], &["view", path, "-o", "page.html"]])
        },
    },
    Kind {
        name: "stubs",
        groups: |_, _| alone(&files(&tests_folder("arena/program/tests/stubs"), "txt")),
        is_mutated: |_| true,
        commands: |path| words(&[&["new", "bot", "--stub", path, "--dir", "package"]]),
    },
    Kind {
        name: "games",
        groups: |folder, arena| {
            arena(&[&MATCH[..], &["-n", "8", "--log-dir", "logs"]].concat());
            vec![group(folder)]
        },
        is_mutated: |path| path == "run/games.jsonl",
        commands: |path| {
            words(&[
                &["stats", path],
                &["stats", path, "--skip-bad", "--by", "seat", "--bot", "A"],
                &["stats", path, "--sprt", "--json"],
                &["merge", path, path],
                &["view", path, "-o", "page.html"],
                &["replay", path],
                &[&MATCH[..], &["-n", "10", "--report", "report.html"]].concat(),
            ])
        },
    },
    Kind {
        name: "records",
        groups: |folder, arena| {
            arena(&[&MATCH[..], &["-n", "2", "--log-dir", "logs"]].concat());
            vec![group(folder)]
        },
        is_mutated: |path| path.starts_with("logs/"),
        commands: |path| words(&[&["replay", "logs"], &["view", path, "-o", "page.html"]]),
    },
    Kind {
        name: "pools",
        groups: |folder, arena| {
            arena(&["pool", "new", "pool", "tictactoe", "--seed", "5", "--openings", "2"]);
            arena(&["pool", "add", "greedy", "in:greedy", "--note", "the first"]);
            arena(&["pool", "add", "random", "in:random"]);
            arena(&["pool", "submitted", "greedy", "--rank", "7", "--score", "1.5"]);
            arena(&["rate", "--pool", "pool", "-n", "8", "-j", "1"]);
            vec![group(folder)]
        },
        is_mutated: |path| path.ends_with(".json") || path.ends_with(".jsonl"),
        commands: |_| {
            words(&[
                &["pool", "list"],
                &["pool", "table", "--by", "seat", "--bot", "greedy"],
                &["pool", "submitted", "random", "--score", "2"],
                &["rate", "--pool", "pool", "-n", "2", "-j", "1"],
            ])
        },
    },
    Kind {
        name: "studies",
        groups: |folder, arena| {
            fs::write(folder.join("study.toml"), STUDY).expect("the study is written");
            arena(&STUDY_RUN);
            vec![group(folder)]
        },
        is_mutated: |_| true,
        // A study that says another number of games is played as it says: only its own is run.
        commands: |path| match path {
            "study.toml" => words(&[&["study", path, "--list"], &["study", path, "--show"]]),
            _ => words(&[&STUDY_RUN]),
        },
    },
    Kind {
        name: "tunes",
        groups: |folder, arena| {
            arena(&TUNE);
            vec![group(folder)]
        },
        is_mutated: |_| true,
        commands: |_| words(&[&TUNE]),
    },
    Kind {
        name: "openings",
        groups: |_, _| vec![[("openings.txt".to_owned(), b"0,0 1,1\n2,2\n\n1,0 0,1\n".to_vec())].into()],
        is_mutated: |_| true,
        commands: |path| {
            words(&[&[
                "match",
                "tictactoe",
                "in:random",
                "in:greedy",
                "-n",
                "2",
                "-j",
                "1",
                "--dir",
                "run",
                "--opening-file",
                path,
            ]])
        },
    },
];

/// A match of short games.
const MATCH: [&str; 10] =
    ["match", "tictactoe", "in:greedy", "in:random", "--openings", "2", "-j", "1", "--dir", "run"];

const TUNE: [&str; 11] =
    ["tune", "uttt", "in:playouts", "--nodes", "3", "--games", "12", "-j", "1", "--log", "tune.jsonl"];

const STUDY_RUN: [&str; 7] = ["study", "study.toml", "--quick", "-j", "1", "--dir", "studies"];

const STUDY: &str = include_str!("../../../study/tests/study.toml");

/// A folder of this repository.
pub fn tests_folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// The files below a folder with this extension, in order.
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut folders = vec![folder.to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the tests") {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true => folders.push(path),
                false => {
                    found.extend(path.extension().is_some_and(|found| found == extension).then_some(path))
                }
            }
        }
    }
    found.sort();
    assert!(!found.is_empty(), "no .{extension} in {}", folder.display());
    found
}

/// A name of a file or folder in UTF-8.
fn name(path: &Path) -> String {
    path.file_name().and_then(|name| name.to_str()).expect("a name in UTF-8").to_owned()
}

/// Each file as a group.
fn alone(paths: &[PathBuf]) -> Vec<Group> {
    let group = |path: &PathBuf| [(name(path), fs::read(path).expect("a file"))].into();
    paths.iter().map(group).collect()
}

/// The recorded games: a game's logs are a group, in a folder with the contest's name.
fn logs() -> Vec<Group> {
    let mut games = BTreeMap::<String, Group>::new();
    for path in files(&tests_folder("tests/logs"), "log") {
        let contest = name(path.parent().expect("a folder"));
        let file = name(&path);
        let game = format!("{contest}/{}", file.split('.').next().unwrap_or(&file));
        let log = fs::read(&path).expect("a log");
        games.entry(game).or_default().insert(format!("{contest}/{file}"), log);
    }
    games.into_values().collect()
}

/// All files below a folder.
pub fn group(folder: &Path) -> Group {
    let mut folders = vec![folder.to_owned()];
    let mut group = Group::new();
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(&inner).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let relative = path.strip_prefix(folder).expect("a path below it");
            let parts = relative.iter().map(|part| part.to_str().expect("UTF-8")).collect::<Vec<_>>();
            group.insert(parts.join("/"), fs::read(&path).expect("a file"));
        }
    }
    group
}

fn words(commands: &[&[&str]]) -> Vec<Vec<String>> {
    commands.iter().map(|words| words.iter().map(|&word| word.to_owned()).collect()).collect()
}
