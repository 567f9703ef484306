//! Runs the bundler, the compiler and cargo on fixtures.

// Each test program uses only a part.
#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Marsaglia's xorshift generator, with the same numbers on every machine.
pub struct Random(pub u64);

impl Random {
    /// A number below `n`; 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }

    /// A random element.
    pub fn one_of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }
}

/// The folder of a fixture, whether it can be bundled or is refused.
pub fn fixture(name: &str) -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let good = tests.join("fixtures").join(name);
    if good.exists() {
        good
    } else {
        tests.join("refused").join(name)
    }
}

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// The result of running a command.
pub struct Run {
    /// The exit status.
    pub status: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Run {
    /// Runs the bundler in a folder.
    pub fn bundler(folder: &Path, arguments: &[&str]) -> Run {
        Run::of(bundler(folder).args(arguments).output().unwrap())
    }

    /// Converts the output of a command.
    pub fn of(output: Output) -> Run {
        Run {
            status: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// A separate target folder for each workspace, since cargo confuses crates of one name in several workspaces.
pub fn target(folder: &Path) -> PathBuf {
    let name = folder.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    scratch(&format!("target/{name}"))
}

/// A command that runs the bundler in a folder.
pub fn bundler(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bundler"));
    command.current_dir(folder).env("CARGO_TARGET_DIR", target(folder)).env("CARGO_NET_OFFLINE", "true");
    command
}

/// The bundle of a binary.
pub fn bundled(folder: &Path, bin: &str) -> String {
    bundled_with(folder, &[bin])
}

/// The bundle made with these arguments; fails if there is a note, other than of code that stays for other processors.
pub fn bundled_with(folder: &Path, arguments: &[&str]) -> String {
    let run = Run::bundler(folder, arguments);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let notes = run.stderr.lines().filter(|line| line.starts_with("note:"));
    let notes = notes.filter(|note| !note.starts_with("note: kept ")).count();
    assert_eq!(notes, 0, "a step was undone: {}", run.stderr);
    run.stdout
}

/// Bundles, compiles the bundle alone with warnings denied, and compares its output with the original's.
pub fn plays_the_same(folder: &Path, bin: &str) -> String {
    let bundle = bundled(folder, bin);
    assert_eq!(run_alone(&bundle, bin), original(folder, bin));
    bundle
}

/// The output of a binary as built by cargo.
pub fn original(folder: &Path, bin: &str) -> String {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let original = Command::new(cargo)
        .args(["run", "--quiet", "--bin", bin])
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target(folder))
        .env("CARGO_NET_OFFLINE", "true")
        .output()
        .unwrap();
    let original = Run::of(original);
    assert_eq!(original.status, 0, "{}", original.stderr);
    assert!(!original.stdout.is_empty(), "the fixture prints nothing");
    original.stdout
}

/// Compiles a bundle alone, runs it and returns its output.
pub fn run_alone(bundle: &str, name: &str) -> String {
    let ran = run_alone_with(bundle, name, &[]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    ran.stdout
}

/// The same with arguments, and any exit status.
pub fn run_alone_with(bundle: &str, name: &str, arguments: &[&str]) -> Run {
    let folder = tempfile::tempdir_in(scratch("alone")).unwrap();
    let file = folder.path().join("submit.rs");
    std::fs::write(&file, bundle).unwrap();
    let edition = if bundle.contains("rustc -O --edition 2024\n") { "2024" } else { "2021" };
    let compiled = Command::new(std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into()))
        .args(["--edition", edition, "-O", "-D", "warnings", "submit.rs", "-o", "submit"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&compiled.stderr).into_owned();
    assert!(compiled.status.success(), "the bundle of {name} does not compile:\n{stderr}\n{bundle}");
    Run::of(Command::new(folder.path().join("submit")).args(arguments).output().unwrap())
}

/// Copies a folder.
pub fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// A temporary folder with files of the given content.
pub fn workspace(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, content) in files {
        let file = folder.path().join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, content).unwrap();
    }
    folder
}

/// A manifest of a package without dependencies.
pub fn manifest(name: &str, rest: &str) -> String {
    format!(
        "[package]\nname = \"{name}\"\nversion = \"1.2.3\"\nedition = \"2021\"\nlicense = \"MIT\"\n{rest}"
    )
}

/// A binary crate `bot` and library crates, each with its edition and source; the binary depends on all of them.
pub fn crates(edition: &str, main: &str, libs: &[(&str, &str, &str)]) -> tempfile::TempDir {
    let dependencies = libs.iter().map(|(name, ..)| format!("{name} = {{ path = \"{name}\" }}\n"));
    let package = |name: &str, edition: &str| {
        format!(
            "[package]\nname = \"{name}\"\nversion = \"1.0.0\"\nedition = \"{edition}\"\nlicense = \"MIT\"\n"
        )
    };
    let manifest = format!(
        "{}[dependencies]\n{}[workspace]\n",
        package("bot", edition),
        dependencies.collect::<String>()
    );
    let mut files = vec![("Cargo.toml".to_owned(), manifest), ("src/main.rs".to_owned(), main.to_owned())];
    for (name, edition, source) in libs {
        files.push((format!("{name}/Cargo.toml"), package(name, edition)));
        files.push((format!("{name}/src/lib.rs"), (*source).to_owned()));
    }
    let files = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect::<Vec<_>>();
    workspace(&files)
}
