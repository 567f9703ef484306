//! The version that `arena --version` prints, with the commit.

use std::path::Path;
use std::process::Command;

fn main() {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
        Some(text).filter(|text| output.status.success() && !text.is_empty())
    };
    let commit = git(&["rev-parse", "--short=10", "HEAD"]);
    let version = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let version = commit.map_or(version.clone(), |commit| format!("{version} ({commit})"));
    println!("cargo::rustc-env=ARENA_VERSION={version}");
    // Changes with each commit, and with each checkout.
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|path| Path::new(path).is_file());
    println!("cargo::rerun-if-changed={}", log.as_deref().unwrap_or("build.rs"));
}
