//! Wrong rules: which of the checks for a contest of one's own find them.
//!
//! `wrong_rules.toml` lists changes of three contests' sources. Each is compiled; its laws, its other tests, and `verify`
//! against the unchanged referee are run.

use std::collections::BTreeMap;
use std::env::consts::EXE_SUFFIX;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::Value;

use crate::new::{empty_folder, join, target};
use crate::outside::{arena, PATIENT};

/// The contests: the package's name, the name in documents, the options of `arena new`.
const CONTESTS: [(&str, &str, &[&str]); 3] = [
    ("connect-four", "connect four", &[]),
    ("boxes", "dots and boxes", &[]),
    ("cave", "Diamant: moves at once, chance", &["--joint"]),
];

/// A check that takes longer hangs. The right rules take a few seconds.
const LIMIT: Duration = Duration::from_secs(120);

/// Games of `verify`: all that it finds with 100 it finds with these.
const GAMES: &str = "40";

#[derive(Debug, Deserialize)]
struct List {
    mutations: Vec<Mutation>,
}

/// A change that makes rules or protocol wrong.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Mutation {
    package: String,
    file: String,
    what: String,
    /// The text to be replaced; it is in the file once.
    find: String,
    put: String,
    /// The checks that find it: laws, verify, tests.
    caught: Vec<String>,
    /// The reason that neither laws nor `verify` find it.
    #[serde(default)]
    why: String,
}

impl Mutation {
    fn is_caught_by(&self, check: &str) -> bool {
        self.caught.iter().any(|by| by == check)
    }

    fn survives(&self) -> bool {
        !self.is_caught_by("laws") && !self.is_caught_by("verify")
    }

    fn path(&self, folder: &Path) -> PathBuf {
        folder.join(&self.package).join(&self.file)
    }

    /// The file's text with the change.
    fn mutated(&self, text: &str) -> String {
        assert_eq!(text.matches(&self.find).count(), 1, "{}, {}: `{}`", self.package, self.file, self.find);
        text.replace(&self.find, &self.put)
    }
}

fn list() -> Vec<Mutation> {
    let list: List = toml::from_str(include_str!("wrong_rules.toml")).expect("a list of mutations");
    list.mutations
}

fn document(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    fs::read_to_string(path).expect(name).replace("\r\n", "\n")
}

/// Writes the packages. Connect four has the sources of examples/own-contest.
fn write_packages(folder: &Path) {
    for (name, _, options) in CONTESTS {
        let output = arena(folder, &[&["new", name], options].concat());
        assert!(output.status.success(), "{name}: {output:?}");
    }
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/own-contest/connect-four");
    for file in ["src/game.rs", "src/eval.rs", "src/protocol.rs", "tests/rules.rs"] {
        fs::copy(sources.join(file), folder.join("connect-four").join(file)).expect(file);
    }
}

/// Sums by contest, and the mutations that neither laws nor `verify` find.
fn table(mutations: &[Mutation]) -> String {
    let mut text =
        "| contest | changes | laws alone | `verify` alone | both | neither | the package's other tests |\n\
                    |---|---|---|---|---|---|---|\n"
            .to_owned();
    let mut row = |title: &str, package: Option<&str>| {
        let of_package =
            || mutations.iter().filter(move |m| package.is_none_or(|package| m.package == package));
        let count = |laws, verify| {
            of_package()
                .filter(|m| (m.is_caught_by("laws"), m.is_caught_by("verify")) == (laws, verify))
                .count()
        };
        let cells = [
            of_package().count(),
            count(true, false),
            count(false, true),
            count(true, true),
            count(false, false),
            of_package().filter(|m| m.is_caught_by("tests")).count(),
        ];
        let cells = cells.map(|cell| cell.to_string()).join(" | ");
        writeln!(text, "| {title} | {cells} |").expect("a text");
    };
    CONTESTS.iter().for_each(|(package, title, _)| row(title, Some(package)));
    row("all", None);
    text += "\n| found by neither | why |\n|---|---|\n";
    for mutation in mutations.iter().filter(|m| m.survives()) {
        let Mutation { package, what, why, .. } = mutation;
        writeln!(text, "| `{package}`: {what} | {why} |").expect("a text");
    }
    text
}

#[test]
fn the_document_sums_the_list_up() {
    let mutations = list();
    assert_eq!(mutations.len(), 60);
    let folder = tempfile::tempdir().expect("a folder");
    write_packages(folder.path());
    for mutation in &mutations {
        let text = fs::read_to_string(mutation.path(folder.path())).expect("a source");
        assert_ne!(mutation.mutated(&text), text, "{mutation:?}");
        assert!(
            mutation.caught.iter().all(|by| ["laws", "verify", "tests"].contains(&by.as_str())),
            "{mutation:?}"
        );
        assert_eq!(mutation.survives(), !mutation.why.is_empty(), "a survivor has its reason: {mutation:?}");
    }
    let table = table(&mutations);
    assert!(document("reliability.md").contains(&table), "docs/reliability.md should have:\n\n{table}");
}

mod deep {
    use super::*;

    #[test]
    #[ignore = "compiles sixty mutated packages: .ci/deep runs it"]
    fn wrong_rules_are_found_as_listed() {
        let folder = empty_folder("wrong-rules");
        write_packages(&folder);
        join(&folder, &CONTESTS.map(|(name, _, _)| name.to_owned()));
        let mut checks = BTreeMap::new();
        for (name, _, _) in CONTESTS {
            let unchanged = Checks::new(&folder, name);
            assert_eq!(unchanged.run(name), [""; 0], "{name}, unchanged");
            checks.insert(name.to_owned(), unchanged);
        }
        let (mutations, mut others) = (list(), Vec::new());
        for (number, mutation) in (1..).zip(&mutations) {
            let path = mutation.path(&folder);
            let text = fs::read_to_string(&path).expect("a source");
            fs::write(&path, mutation.mutated(&text)).expect("a source");
            let found = checks[&mutation.package].run(&mutation.package);
            fs::write(&path, text).expect("a source");
            let line = format!(
                "{number} of {}: {}, {}: {found:?}",
                mutations.len(),
                mutation.package,
                mutation.what
            );
            eprintln!("{line}");
            if found != mutation.caught {
                others.push(format!("{line}, listed {:?}", mutation.caught));
            }
        }
        assert!(others.is_empty(), "not as listed in wrong_rules.toml:\n{}", others.join("\n"));
    }
}

/// The checks of one package.
struct Checks {
    folder: PathBuf,
    /// The unchanged arena.
    referee: PathBuf,
}

impl Checks {
    /// Compiles the unchanged package, and keeps its arena as the referee.
    fn new(folder: &Path, package: &str) -> Checks {
        let referee = folder.join(format!("{package}-referee{EXE_SUFFIX}"));
        let checks = Checks { folder: folder.to_owned(), referee };
        checks.compile(package);
        fs::copy(checks.arena(package), &checks.referee).expect("a program is copied");
        checks
    }

    fn arena(&self, package: &str) -> PathBuf {
        target().join(format!("debug/{package}-arena{EXE_SUFFIX}"))
    }

    /// Compiles a package, and returns the program of its tests of rules.
    fn compile(&self, package: &str) -> PathBuf {
        let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .args([
                "test",
                "--no-run",
                "--quiet",
                "--test",
                "rules",
                "--message-format",
                "json",
                "-p",
                package,
            ])
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", target())
            .env("CARGO_INCREMENTAL", "0")
            .output()
            .expect("cargo");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{package}: {text}\n{}", String::from_utf8_lossy(&output.stderr));
        let messages = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("a message"));
        let mut tests = messages.filter(|message| message["target"]["name"] == "rules");
        let program = tests.find_map(|message| message["executable"].as_str().map(PathBuf::from));
        program.expect("the tests' program")
    }

    /// Compiles the package as it is now, and returns the names of the checks that fail.
    fn run(&self, package: &str) -> Vec<&'static str> {
        let rules = self.compile(package);
        let (program, limits) = (self.referee.to_string_lossy(), PATIENT.join(" "));
        let referee = format!("{} referee {package} {limits}", shell_words::quote(&program));
        let checks: [(&str, &Path, &[&str]); 3] = [
            ("laws", &rules, &["laws_hold"]),
            (
                "verify",
                &self.arena(package),
                &["verify", package, "-r", &referee, "-n", GAMES, "--dir", "differs"],
            ),
            ("tests", &rules, &["--skip", "laws_hold"]),
        ];
        let failing = checks.into_iter().filter(|(_, program, arguments)| !self.passes(program, arguments));
        failing.map(|(name, ..)| name).collect()
    }

    /// Whether a program ends well within the limit.
    fn passes(&self, program: &Path, arguments: &[&str]) -> bool {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&self.folder);
        let silent = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = silent.spawn().expect("the program starts");
        let start = Instant::now();
        loop {
            if let Some(status) = child.try_wait().expect("a status") {
                return status.success();
            }
            if start.elapsed() > LIMIT {
                child.kill().and_then(|()| child.wait()).expect("the program ends");
                return false;
            }
            sleep(Duration::from_millis(10));
        }
    }
}
