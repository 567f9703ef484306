//! Files that are complete or absent, their digests, and the commit of this program.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use coppice_arena::subcommand::write_atomically;
use sha2::{Digest, Sha256};

/// Writes a temporary file next to the path and renames it: whatever interrupts that, the file is complete or as it was.
///
/// # Errors
/// If the file system refuses.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    write_atomically(path, bytes).with_context(|| format!("{}: cannot be written", path.display()))
}

/// The SHA-256 digest in hexadecimal.
pub fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The command line of this process, without the folder of the program.
pub fn command() -> String {
    let mut words = std::env::args();
    let path = PathBuf::from(words.next().unwrap_or_default());
    let program = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    words.fold(program, |command, word| command + " " + &word)
}

/// The commit of the working tree in which the factory is run, with `+` if it has changes; `unknown` outside one.
pub fn commit() -> String {
    let git = |arguments: &[&str]| {
        let output = std::process::Command::new("git").args(arguments).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let Some(commit) = git(&["rev-parse", "--short=12", "HEAD"]) else { return "unknown".to_owned() };
    let changed =
        git(&["status", "--porcelain", "--untracked-files=no"]).is_some_and(|text| !text.is_empty());
    commit + if changed { "+" } else { "" }
}
