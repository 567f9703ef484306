//! `arena new`: packages from stubs and without.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::outside::arena;

fn stubs() -> Vec<(String, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stubs");
    let entries = fs::read_dir(folder).expect("the stubs").map(|entry| entry.expect("an entry").path());
    let mut stubs: Vec<(String, PathBuf)> = entries
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .map(|path| (path.file_stem().expect("a name").to_string_lossy().replace('_', "-"), path))
        .collect();
    stubs.sort();
    assert!(stubs.len() >= 60, "{} stubs", stubs.len());
    stubs
}

/// Writes a package for each of the stubs below `folder`.
fn packages(folder: &Path, stubs: Vec<(String, PathBuf)>) -> Vec<String> {
    let write = |(name, stub): (String, PathBuf)| {
        let output = arena(folder, &["new", &name, "--stub", &stub.to_string_lossy()]);
        assert!(output.status.success(), "{name}: {output:?}");
        name
    };
    stubs.into_iter().map(write).collect()
}

#[test]
fn the_next_command_can_be_pasted() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = arena(folder.path(), &["new", "mine", "--dir", "my contest"]);
    // On Windows in double quotes.
    let said = String::from_utf8(output.stdout).expect("text").replace('"', "'");
    assert!(said.ends_with("next: cd 'my contest' && cargo test\n"), "{said}");
}

#[test]
fn every_stub_becomes_a_package() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in packages(folder.path(), stubs()) {
        for file in [
            "Cargo.toml",
            "README.md",
            "src/lib.rs",
            "src/bot.rs",
            "src/main.rs",
            "src/player.rs",
            "src/protocol.rs",
            "tests/reader.rs",
        ] {
            let text = fs::read_to_string(folder.path().join(&name).join(file)).expect(file);
            assert!(!text.contains("{name"), "{name}/{file}: a place of the template is left");
        }
    }
    let protocol = fs::read_to_string(folder.path().join("troll-farm/src/protocol.rs")).expect("the reader");
    for text in [
        "pub trees: Vec<Tree>",
        "pub movement_speed: i32",
        "pub lines: Vec<String>",
        "/// MOVE <id> <x> <y>",
        "pub type_: String",
    ] {
        assert!(protocol.contains(text), "no {text} in\n{protocol}");
    }
}

/// Lists are called by what they hold, equal rows have one type, and each file is where its reader looks for it.
#[test]
fn names_are_those_of_the_contest() {
    let folder = tempfile::tempdir().expect("a folder");
    let expected = [
        (
            "equal_rows",
            "src/protocol.rs",
            &[
                "/// A drone, an element of `Turn::my_drones` and `Turn::foe_drones`.\n",
                "pub struct Drone {",
                "pub my_drones: Vec<Drone>,",
                "pub foe_drones: Vec<Drone>,",
                "pub my_scans: Vec<i32>,",
            ][..],
        ),
        ("grid_with_rows", "src/protocol.rs", &["pub cells: Vec<Vec<Cell>>,", "pub entities: Vec<Entity>,"]),
        ("plural_counts", "src/protocol.rs", &["pub entity_count: i32,", "pub entities: Vec<Entity>,"]),
        ("counts_in_comments", "src/protocol.rs", &["pub points: Vec<Point>,", "pub struct Point {"]),
        ("before_the_loop", "src/bot.rs", &["fn first_answer(&mut self", "fn decide(&mut self, turn: &Turn"]),
        ("one_shot", "src/bot.rs", &["pub fn solve(start: &Start, _deadline: Instant) -> Vec<String> {"]),
        (
            "clash_of_bits",
            "src/bot.rs",
            &["fn order(&mut self, turn: &Turn, unit: usize, _deadline: Instant)"],
        ),
        ("clash_of_bits", "src/protocol.rs", &["pub fn units(&self, _start: &Start) -> usize {"]),
        ("undeclared_count", "README.md", &["`BOARD_HEIGHT`, the stub's `boardHeight`"]),
        (
            "paragraphs",
            "src/protocol.rs",
            &["//! Read the second one: it matters.", "/// the column,", "/// WAIT\n"],
        ),
    ];
    for (number, (stub, file, texts)) in expected.into_iter().enumerate() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/stubs/{stub}.txt"));
        let name = format!("{}-{number}", stub.replace('_', "-"));
        let output = arena(folder.path(), &["new", &name, "--stub", &path.to_string_lossy()]);
        assert!(output.status.success(), "{stub}: {output:?}");
        let written = fs::read_to_string(folder.path().join(&name).join(file)).expect(file);
        for text in texts {
            assert!(written.contains(text), "{stub}: no {text} in\n{written}");
        }
        let notes = String::from_utf8_lossy(&output.stderr).contains("note: ");
        assert_eq!(notes, ["undeclared_count", "paragraphs"].contains(&stub), "{stub}: {output:?}");
    }
}

#[test]
fn a_single_players_commands_say_so() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("solo.txt"), "read n:int\nwrite 1\n").expect("a stub");
    let output = arena(folder.path(), &["new", "solo", "--stub", "solo.txt", "--players", "1"]);
    assert!(output.status.success(), "{output:?}");
    let readme = fs::read_to_string(folder.path().join("solo/README.md")).expect("its README");
    let commands = readme.lines().filter(|line| line.starts_with("arena ") && line.contains(" -r "));
    assert!(
        commands.clone().count() == 2 && commands.clone().all(|line| line.contains("--players 1")),
        "{readme}"
    );
    assert!(readme.contains("arena sprt --compare difference "), "{readme}");
    // So does the project's file, which holds for every command there.
    let config = arena(&folder.path().join("solo"), &["config"]);
    let shown = String::from_utf8_lossy(&config.stdout);
    assert!(shown.contains("bundle of solo") && shown.contains("--players=1"), "{config:?}");
}

#[test]
fn a_package_without_a_stub_is_a_contest() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = arena(folder.path(), &["new", "four-up", "--dir", "deep/inside"]);
    assert!(output.status.success(), "{output:?}");
    let arena = folder.path().join("deep/inside/src/bin/four-up-arena.rs");
    assert!(fs::read_to_string(arena).expect("its arena").contains("use four_up::game::State;"));
}

/// Contests of every shape: the package's name, and the options.
const SHAPES: [(&str, &[&str]); 5] = [
    ("plan", &["--solo"]),
    ("three", &["--players", "3"]),
    ("two", &["--joint"]),
    ("alone", &["--joint", "--players", "1"]),
    ("eight", &["--joint", "--players", "8"]),
];

#[test]
fn every_shape_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, options) in SHAPES {
        let output = arena(folder.path(), &[&["new", name], options].concat());
        assert!(output.status.success(), "{name}: {output:?}");
        let text = |file: &str| fs::read_to_string(folder.path().join(name).join(file)).expect(file);
        let trait_of_rules = if options.contains(&"--joint") { "impl Joint for" } else { "impl Game for" };
        assert!(text("src/game.rs").contains(trait_of_rules), "{name}");
        assert!(text("README.md").contains(&format!("{name}-arena verify {name} -r ")), "{name}");
        assert!(text("Cargo.lock").contains("name = \"clap\""), "{name}");
        assert!(text("arena.toml").contains(&format!("contest = \"{name}\"")), "{name}");
    }
    // One player who doesn't share a turn with others makes a plan.
    let output = arena(folder.path(), &["new", "one", "--players", "1"]);
    assert!(output.status.success(), "{output:?}");
    let files = ["game", "eval", "protocol"].map(|file| {
        let text = |name: &str| fs::read_to_string(folder.path().join(format!("{name}/src/{file}.rs")));
        (text("one").expect("a file").replace("\"one\"", "\"plan\""), text("plan").expect("a file"))
    });
    assert!(files.iter().all(|(one, plan)| one == plan));
}

#[test]
fn errors_write_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).expect("a file");
    write("wrong.txt", b"read a:int\nreed b:int\n");
    write("binary.txt", b"\x7fELF\x00\xff\xfe");
    write("empty.txt", b"");
    write("code.txt", b"use std::io;\n\nmacro_rules! parse_input {\n");
    write("inner.txt", b"read n:int\nloop n\n  read k:int\n  loop k read v:int\n");
    fs::create_dir(folder.path().join("full")).expect("a folder");
    write("full/file", b"x");
    for (arguments, reason) in [
        (&["new", "a", "--stub", "wrong.txt"][..], "wrong.txt: line 2: expected a command"),
        (&["new", "a", "--stub", "binary.txt"], "expected text in UTF-8"),
        (&["new", "a", "--stub", "empty.txt"], "empty.txt: the stub is empty"),
        (&["new", "a", "--stub", "code.txt"], "this is the code that the site generates from a stub"),
        (&["new", "a", "--stub", "inner.txt"], "line 4: expected a count that is read once, found `k`"),
        (&["new", "a", "--stub", "nothing.txt"], "nothing.txt: "),
        (&["new", "full"], "exists and is not an empty folder"),
        (&["new", "Tron"], "must begin with a lower-case letter"),
        (&["new", "a", "--coppice", "."], "not a checkout of coppice"),
        (&["new", "a", "--players", "9"], "9 is not in 1..=8"),
        (&["new", "a", "--solo", "--players", "2"], "cannot be used with"),
        (&["new", "a", "--joint", "--stub", "wrong.txt"], "cannot be used with"),
    ] {
        let output = arena(folder.path(), arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && errors.contains(reason), "{arguments:?}: {errors}");
    }
    let left: Vec<String> = fs::read_dir(folder.path())
        .expect("the folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(left.len(), 6, "{left:?}");
}

#[test]
#[ignore = "compiles sixty packages: .ci/deep runs it"]
fn every_package_builds_and_passes_its_tests() {
    let folder = empty_folder("stubs");
    let names = packages(&folder, stubs());
    let printed = build_and_pass(&folder, &folder.join("target"), &names);
    assert_eq!(printed.matches("4 passed; 0 failed").count(), names.len(), "{printed}");
    a_hundred_turns(&folder);
}

/// Names and versions of a lock's published packages. What they need is written shorter where one version is there.
fn published(lock: &str) -> BTreeSet<String> {
    let packages = lock.split("[[package]]").filter(|package| package.contains("\nsource = "));
    packages.map(|package| package.lines().skip(1).take(2).collect::<Vec<_>>().join(" ")).collect()
}

mod deep {
    use super::*;

    /// Without a warning, with the dependencies that this repository was tested with, to a verdict.
    #[test]
    #[ignore = "compiles the arena's library and five contests: .ci/deep runs it"]
    fn contests_of_every_shape_are_played_to_a_verdict() {
        let folder = empty_folder("shapes");
        let write = |(name, options): (&str, &[&str])| {
            let output = arena(&folder, &[&["new", name], options].concat());
            assert!(output.status.success(), "{name}: {output:?}");
            name.to_owned()
        };
        let names = SHAPES.map(write);
        let printed = build_and_pass(&folder, &target(), &names);
        assert_eq!(printed.matches("3 passed; 0 failed").count(), names.len(), "{printed}");
        let known = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock"));
        let known = published(&known.expect("a lock"));
        let used = published(&fs::read_to_string(folder.join("Cargo.lock")).expect("a lock"));
        let others = used.difference(&known).collect::<Vec<_>>();
        assert!(used.len() > 100 && others.is_empty(), "{} packages, others {others:?}", used.len());
        for name in &names {
            let programs = target().join("debug");
            let run = |arguments: &[&str]| {
                let output = Command::new(programs.join(format!("{name}-arena")))
                    .args(arguments)
                    .current_dir(folder.join(name))
                    .output()
                    .expect("the arena runs");
                let printed = String::from_utf8_lossy(&output.stdout).into_owned();
                assert!(output.status.success(), "{name} {arguments:?}: {printed}\n{output:?}");
                printed
            };
            let verdict = run(&["sprt", name, "in:bot --nodes 50", "in:random", "-n", "2400"]);
            // With three seats two bots are `random`, so all have letters.
            let better = ["bot is better than random", "A is better than B"];
            let is_better = better.iter().any(|text| verdict.contains(&format!("H1 accepted: {text}")));
            assert!(is_better, "{name}: {verdict}");
            let bot = programs.join(name);
            let patient = ["--first-ms", "10000", "--later-ms", "10000"];
            let report = run(&[&["check", name, bot.to_str().expect("a path")][..], &patient].concat());
            assert!(report.contains("0 warnings, 0 faults"), "{name}: {report}");
        }
    }
}

/// A folder for packages that are built.
pub(crate) fn empty_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Makes all packages members of one workspace, so that the engine is compiled once.
pub(crate) fn join(folder: &Path, names: &[String]) {
    for name in names {
        let manifest = folder.join(name).join("Cargo.toml");
        let text = fs::read_to_string(&manifest).expect("a manifest");
        let (package, profile) = text.split_once("[workspace]\n").expect("a workspace of its own");
        fs::write(manifest, package).expect("a manifest");
        let members: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
        let workspace =
            format!("[workspace]\nresolver = \"2\"\nmembers = [{}]\n{profile}", members.join(", "));
        fs::write(folder.join("Cargo.toml"), workspace).expect("a manifest");
        fs::rename(folder.join(name).join("Cargo.lock"), folder.join("Cargo.lock")).expect("a lock");
    }
}

/// The target folder of packages that need the arena's library, each with a name of its own. It stays, so that the
/// library and what it uses are compiled once.
pub(crate) fn target() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("packages")
}

/// Builds all packages without a warning, and returns what their tests print.
fn build_and_pass(folder: &Path, target: &Path, names: &[String]) -> String {
    join(folder, names);
    let cargo = |arguments: &[&str]| {
        let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .args(arguments)
            .current_dir(folder)
            .env("CARGO_TARGET_DIR", target)
            .env("CARGO_INCREMENTAL", "0")
            .output()
            .expect("cargo");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success() && !errors.contains("warning: "),
            "{arguments:?}\n{}\n{errors}",
            String::from_utf8_lossy(&output.stdout)
        );
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let printed = cargo(&["test", "--workspace", "--tests", "--quiet"]);
    cargo(&["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"]);
    cargo(&["build", "--workspace", "--quiet"]);
    printed
}

/// A bot answers a hundred turns through real pipes.
fn a_hundred_turns(folder: &Path) {
    let turn = "0 100 200 3 4 90\n";
    let input = "2\n100 100\n200 200\n".to_owned() + &turn.repeat(100);
    let mut bot = Command::new(folder.join("target/debug/search-race"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the bot starts");
    bot.stdin.take().expect("its input").write_all(input.as_bytes()).expect("it reads");
    let output = bot.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "5000 5000 200 message\n".repeat(100));
}
