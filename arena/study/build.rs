//! Embeds every file of the studies folder and the commit in the program.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

fn main() {
    let folder = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("studies");
    println!("cargo::rerun-if-changed=studies");
    name_the_commit();
    let entries = fs::read_dir(&folder).expect("the folder of studies");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    let mut code = String::from("&[");
    for path in &files {
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name in UTF-8");
        let _ = writeln!(code, "({name:?}, include_str!({:?})),", path.to_str().expect("a path in UTF-8"));
    }
    code.push(']');
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("studies.rs"), code).expect("the list of studies");
}

/// Sets COPPICE_COMMIT for the program, which stores it with each result; unset outside a repository.
fn name_the_commit() {
    let git = |words: &[&str]| {
        let output =
            Command::new("git").args(words).output().ok().filter(|output| output.status.success())?;
        Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
    };
    let Some(commit) = git(&["describe", "--always", "--dirty", "--exclude=*"]) else { return };
    println!("cargo::rustc-env=COPPICE_COMMIT={commit}");
    if let Some(log) = git(&["rev-parse", "--path-format=absolute", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={log}");
    }
}
