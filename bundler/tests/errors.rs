//! Errors: nothing on stdout, the right exit status, and a message with the problem, the place and advice.

mod common;

use common::{bundler, fixture, manifest, workspace, Run};

fn fails(folder: &str, arguments: &[&str], status: i32, expected: &[&str]) {
    let run = Run::bundler(&fixture(folder), arguments);
    assert_eq!(run.stdout, "", "{arguments:?}");
    assert_eq!(run.status, status, "{arguments:?}: {}", run.stderr);
    for part in expected {
        assert!(run.stderr.contains(part), "{arguments:?}: no {part:?} in:\n{}", run.stderr);
    }
    assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
}

#[test]
fn which_binary() {
    fails("refused", &["derivd"], 2, &["`derivd`", "Did you mean `derived`?", "scripted"]);
    fails("refused", &[], 2, &["say which one", "broken", "dead-derive"]);
    fails("refused", &["--no-such-option"], 2, &["--no-such-option"]);
}

#[test]
fn two_binaries_of_one_name() {
    fails("twins", &["twin"], 2, &["several binaries", "package one", "package two", "--manifest-path"]);
    let named = Run::bundler(&fixture("twins"), &["twin", "--manifest-path", "two/Cargo.toml"]);
    assert!(named.stdout.contains("println!(\"two\")"), "{}", named.stderr);
    let inside = Run::bundler(&fixture("twins").join("one/src"), &[]);
    assert!(inside.stdout.contains("println!(\"one\")"), "{}", inside.stderr);
}

#[test]
fn over_the_limit() {
    fails("traits", &["player", "--limit", "1000"], 3, &["over the limit of 1,000", "traits::engine"]);
}

#[test]
fn the_source_is_wrong() {
    fails("refused", &["broken"], 1, &["does not compile", "broken.rs:2:23", "mismatched types"]);
    fails("refused", &["unparsable"], 1, &["does not compile", "unparsable.rs:2"]);
    fails("refused", &["lost"], 1, &["nowhere", "lost.rs:1"]);
    // Code that `main` does not reach would not be in the bundle, but the source must still compile.
    fails("refused", &["unreached"], 1, &["does not compile", "unreached.rs:5:9", "mismatched types"]);
}

#[test]
fn unsupported_code_is_refused() {
    fails("refused", &["derived"], 1, &["src/bin/derived.rs:5", "procedural macro", "cargo expand"]);
    fails("refused", &["scripted"], 1, &["scripted/src/lib.rs:3", "`env!` would give another value"]);
    fails("refused", &["placed"], 1, &["src/bin/placed.rs:2", "`file!`"]);
    fails("refused", &["called"], 1, &["src/bin/called.rs:3", "`Location::caller`"]);
    fails("refused", &["elsewhere"], 1, &["src/bin/elsewhere.rs:2", "depends on the target"]);
}

#[test]
fn missing_output_folder() {
    fails("modules", &["-o", "nowhere/submit.rs"], 1, &["nowhere/submit.rs", "does not exist"]);
}

#[test]
fn no_workspace_and_no_tools() {
    let empty = tempfile::tempdir().unwrap();
    let run = Run::bundler(empty.path(), &[]);
    assert_eq!((run.status, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.contains("Cargo.toml") && run.stderr.contains("--manifest-path"), "{}", run.stderr);
    let run = Run::of(bundler(&fixture("modules")).env("CARGO", "/no/such/cargo").output().unwrap());
    assert_eq!((run.status, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.contains("/no/such/cargo") && run.stderr.contains("PATH"), "{}", run.stderr);
    let run = Run::of(bundler(&fixture("modules")).env("RUSTC", "/no/such/rustc").output().unwrap());
    assert_eq!((run.status, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.contains("/no/such/rustc"), "{}", run.stderr);
}

#[test]
fn a_file_is_replaced_only_on_success() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("submit.rs");
    std::fs::write(&file, "old").unwrap();
    let path = file.to_str().unwrap();
    fails("refused", &["broken", "-o", path], 1, &["does not compile"]);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "old");
    let run = Run::bundler(&fixture("modules"), &["-o", path]);
    assert_eq!((run.status, run.stdout.as_str()), (0, ""), "{}", run.stderr);
    assert!(std::fs::read_to_string(&file).unwrap().contains("fn main"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "a temporary file is left");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_failure() {
    fails("modules", &["-o", "/dev/full"], 1, &["/dev/full", "No space left"]);
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = bundler(&fixture("modules")).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write to standard output"));
}

#[cfg(target_os = "linux")]
#[test]
fn no_stdout_is_a_failure() {
    let bundler = env!("CARGO_BIN_EXE_bundler");
    let script = format!("'{bundler}' >&-");
    let output = std::process::Command::new("sh")
        .args(["-c", &script])
        .current_dir(fixture("modules"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("standard output: it is closed"));
    let to_null = format!("'{bundler}' > /dev/null");
    let status = std::process::Command::new("sh")
        .args(["-c", &to_null])
        .current_dir(fixture("modules"))
        .status()
        .unwrap();
    assert!(status.success());
}

/// Warnings of the source stay out of the way of its errors.
#[test]
fn errors_of_the_source_come_without_its_warnings() {
    let folder = workspace(&[
        ("Cargo.toml", &manifest("bot", "")),
        ("src/main.rs", "fn main() {\n    let unused = 1;\n    let wrong: u8 = \"x\";\n}\n#[allow(unused_mut)]\nfn f() { let mut spare = 2; }\n"),
    ]);
    let run = Run::bundler(folder.path(), &[]);
    assert_eq!(run.status, 1, "{}", run.stderr);
    assert!(run.stderr.contains("src/main.rs:3:21") && !run.stderr.contains("warning:"), "{}", run.stderr);
}

#[test]
fn places_have_a_column() {
    let run = Run::bundler(&fixture("refused"), &["derived", "--json"]);
    let error: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(error["place"]["line"], 5, "{error:#}");
    assert!(error["place"]["column"].as_u64().is_some_and(|column| column > 0), "{error:#}");
}

/// What rustc prints when its stack overflows is no message.
#[test]
fn deep_nesting_ends_in_a_sentence() {
    let nested = |term: &str, times: usize| {
        let main = format!(
            "fn main() {{\n    let x = std::env::args().count() as f64;\n    println!(\"{{}}\", x{});\n}}\n",
            term.repeat(times)
        );
        let folder = workspace(&[("Cargo.toml", &manifest("bot", "")), ("src/main.rs", &main)]);
        Run::bundler(folder.path(), &[])
    };
    // 8,400 tokens in one sum.
    let run = nested(" + x * 2.5", 2_100);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let run = nested(" + x * 2.5", 9_500);
    assert_eq!(run.status, 1, "{}", run.stderr);
    assert!(run.stderr.contains("nested") && run.stderr.contains("in several statements"), "{}", run.stderr);
    assert!(run.stderr.len() < 1_000 && !run.stderr.contains("librustc"), "{}", run.stderr);
}

/// It is refused before it is coded or compiled into anything.
#[test]
fn a_huge_embedded_file_is_refused() {
    let folder = workspace(&[
        ("Cargo.toml", &manifest("bot", "")),
        (
            "src/main.rs",
            "static ALL: &[u8] = include_bytes!(\"all.bin\");\nfn main() { println!(\"{}\", ALL.len()); }\n",
        ),
    ]);
    let file = std::fs::File::create(folder.path().join("src/all.bin")).unwrap();
    file.set_len(50_000_000).unwrap();
    let run = Run::bundler(folder.path(), &[]);
    assert_eq!((run.status, run.stdout.as_str()), (1, ""), "{}", run.stderr);
    for part in ["src/main.rs:1:", "all.bin has 50,000,000 bytes", "limit of 100,000 bytes"] {
        assert!(run.stderr.contains(part), "no {part} in {}", run.stderr);
    }
    // Nothing refers to it in what is left.
    file.set_len(300_000).unwrap();
    std::fs::write(
        folder.path().join("src/main.rs"),
        "#[allow(dead_code)] static ALL: &[u8] = include_bytes!(\"all.bin\");\nfn main() {}\n",
    )
    .unwrap();
    assert_eq!(Run::bundler(folder.path(), &["--limit", "1000"]).status, 0);
}
