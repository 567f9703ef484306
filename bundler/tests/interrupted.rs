//! Ctrl-C: no partial files stay, and no child process keeps running.
#![cfg(unix)]

mod common;

use common::{bundler, manifest, workspace};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn interrupt(child: &Child) {
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
}

fn until(so: &dyn Fn() -> bool, what: &str) {
    let started = Instant::now();
    while !so() {
        assert!(started.elapsed() < Duration::from_secs(240), "{what}");
        std::thread::sleep(Duration::from_millis(25));
    }
}

/// Waits until the child exits; returns its status.
fn status(child: &mut Child) -> Option<i32> {
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        if started.elapsed() > Duration::from_secs(60) {
            let _ = child.kill();
            panic!("it keeps running");
        }
        std::thread::sleep(Duration::from_millis(25));
    }
}

/// Whether a process runs; a zombie does not count.
fn is_running(id: &str) -> bool {
    let output = Command::new("ps").args(["-o", "stat=", "-p", id]).output().unwrap();
    let state = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    !state.is_empty() && !state.starts_with('Z')
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn while_bundling() {
    // A build script that writes its id when it starts, and runs long.
    let script = "fn main() { let id = std::process::id().to_string(); std::fs::write(\"new\", id).unwrap();
        std::fs::rename(\"new\", \"id\").unwrap(); std::thread::sleep(std::time::Duration::from_secs(600)); }";
    let folder = workspace(&[
        ("Cargo.toml", &manifest("bot", "")),
        ("build.rs", script),
        ("src/main.rs", "fn main() {}\n"),
        ("out/submit.rs", "old"),
    ]);
    let temporary = tempfile::tempdir().unwrap();
    let mut child = bundler(folder.path())
        .args(["-o", "out/submit.rs"])
        .env("TMPDIR", temporary.path())
        .env("CARGO_TARGET_DIR", folder.path().join("target"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let id = folder.path().join("id");
    until(&|| id.exists() || !is_running(&child.id().to_string()), "the build script does not start");
    interrupt(&child);
    assert_eq!(status(&mut child), Some(130));
    let output = child.wait_with_output().unwrap();
    assert!(output.stdout.is_empty());
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(stderr.contains("interrupted") && !stderr.contains("panicked"), "{stderr}");
    let id = std::fs::read_to_string(id).unwrap();
    until(&|| !is_running(&id), "the build script keeps running");
    assert_eq!(names(&folder.path().join("out")), ["submit.rs"]);
    assert_eq!(std::fs::read_to_string(folder.path().join("out/submit.rs")).unwrap(), "old");
    assert!(names(temporary.path()).is_empty(), "{:?}", names(temporary.path()));
}

#[test]
fn while_watching() {
    let folder = workspace(&[("Cargo.toml", &manifest("bot", "")), ("src/main.rs", "fn main() {}\n")]);
    let mut child = bundler(folder.path())
        .args(["--watch", "-o", "submit.rs"])
        .stderr(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let file = folder.path().join("submit.rs");
    until(&|| file.exists(), "there is no output");
    interrupt(&child);
    assert_eq!(status(&mut child), Some(130));
}
