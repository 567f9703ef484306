//! Tests the subcommands for single games as programs: check, import, referee, replay, and searches that meet programs.

mod check;
mod import;
mod mixed;
mod referee;
mod replay;
mod verify;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Runs the program in a folder.
fn arena_in(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).env("NO_COLOR", "1");
    command.output().expect("the program")
}

/// Runs the program, which must exit with `code`; returns stdout and stderr.
fn run(code: i32, arguments: &[&str]) -> (String, String) {
    let output = arena_in(Path::new("."), arguments);
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{out}\n{err}");
    (out, err)
}

/// A file or folder of the workspace's `tests` folder.
fn tests_folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests").join(path)
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

/// This package's example bot, which plays the first legal move.
fn first_bot() -> String {
    example("first")
}

/// The path of an example of this package.
fn example(name: &str) -> String {
    let here = std::env::current_exe().expect("a path");
    let folder = here.ancestors().nth(2).expect("the target folder").join("examples");
    let path = folder.join(name).with_extension(std::env::consts::EXE_EXTENSION);
    assert!(path.is_file(), "{} isn't built: run `cargo build -p arena --examples`", path.display());
    text(&path).to_owned()
}
