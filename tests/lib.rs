//! Shared by the whole-program tests: recorded games and real bundles.

pub mod games;

/// The examples of docs/searches.md.
#[cfg(doctest)]
#[doc = include_str!("../docs/searches.md")]
pub struct Searches;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The root folder of the workspace.
pub fn workspace() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

/// A recorded game of a contest.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// The game's number, from its file names.
    pub name: String,
    /// The logs of its dialogues, by seat.
    pub logs: Vec<PathBuf>,
    /// The scores given by the game's referee, by seat.
    pub scores: Vec<i64>,
}

/// All recorded games of a contest.
///
/// # Panics
/// If the folder is incomplete or malformed.
pub fn recorded(contest: &str) -> Vec<Recorded> {
    let folder = workspace().join("tests/logs").join(contest);
    let scores = fs::read_to_string(folder.join("scores.json")).expect("the scores of the recorded games");
    let scores: BTreeMap<String, Vec<i64>> = serde_json::from_str(&scores).expect("scores by game");
    let game = |(name, scores): (String, Vec<i64>)| Recorded {
        logs: (0..scores.len()).map(|seat| folder.join(format!("{name}.p{seat}.log"))).collect(),
        name,
        scores,
    };
    scores.into_iter().map(game).collect()
}

/// Bundles a bot and compiles the file by itself with warnings as errors. Writes both to `folder`; returns
/// the paths of the source and the program.
///
/// # Panics
/// If bundling or compiling fails.
pub fn bundled(bin: &str, folder: &Path) -> (PathBuf, PathBuf) {
    bundled_with(bin, folder, &["-O"])
}

/// The same, compiled with other flags.
///
/// # Panics
/// If bundling or compiling fails.
pub fn bundled_with(bin: &str, folder: &Path, flags: &[&str]) -> (PathBuf, PathBuf) {
    let options = bundler::Options {
        bin: Some(bin.to_owned()),
        manifest_path: Some(workspace().join("Cargo.toml")),
        ..bundler::Options::default()
    };
    let bundle = bundler::bundle(&options).unwrap_or_else(|error| panic!("{bin}: {error}"));
    // The arena wants one more feature of `contest`, which the bots' own build hasn't. Nothing else is to be noted.
    let [note] = &bundle.notes[..] else { panic!("{bin}: {:?}", bundle.notes) };
    assert!(note.contains("also turns on the feature `serve` of contest 0.1.0"), "{bin}: {note}");
    fs::create_dir_all(folder).expect("a folder for the bundle");
    let source = folder.join(format!("{bin}.rs"));
    let program = folder.join(bin).with_extension(std::env::consts::EXE_EXTENSION);
    fs::write(&source, &bundle.text).expect("the bundle's file");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc)
        .args(["--edition", "2021", "-D", "warnings"])
        .args(flags)
        .arg("-o")
        .args([&program, &source])
        .output()
        .expect("rustc");
    assert!(output.status.success(), "{bin}: {}", String::from_utf8_lossy(&output.stderr));
    (source, program)
}
