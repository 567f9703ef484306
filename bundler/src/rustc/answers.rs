//! Answers of rustc about itself: version, target, cfgs.

use crate::api::error::Error;
use crate::os::children;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// The error if rustc could not be started.
pub fn missing(source: std::io::Error) -> Error {
    Error::Missing { program: program(), hint: ", or set RUSTC to it", source }
}

/// The path of rustc.
pub fn program() -> String {
    std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into())
}

/// The version of the user's own rustc, with its commit and host; empty if it cannot be run.
pub fn version() -> String {
    answer(Path::new(&program()), &["-vV"]).unwrap_or_default()
}

/// The target of the user's own rustc; empty if it cannot be run.
pub fn host() -> String {
    let version = version();
    version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default().to_owned()
}

/// A rustc's answer to a question; empty if it fails. Each is asked once.
pub fn answer(program: &Path, question: &[&str]) -> std::io::Result<String> {
    static KNOWN: Mutex<BTreeMap<(PathBuf, String), String>> = Mutex::new(BTreeMap::new());
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (program.to_path_buf(), question.join(" "));
    if let Some(answer) = known().get(&key) {
        return Ok(answer.clone());
    }
    let output = children::output(Command::new(program).args(question).stdin(Stdio::null()))?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let said = if output.status.success() { said } else { String::new() };
    known().insert(key, said.clone());
    Ok(said)
}

/// The cfgs of the target that [`Checker`](super::Checker) compiles for.
pub fn target() -> BTreeSet<String> {
    let text = answer(Path::new(&program()), &["-O", "--print", "cfg"]);
    text.unwrap_or_default().lines().map(str::to_owned).collect()
}
