//! Target, package and features are chosen as cargo chooses them.

mod common;

use common::{fixture, manifest, workspace, Run};
use std::path::Path;

fn ran(folder: &Path, arguments: &[&str]) -> String {
    let run = Run::bundler(folder, &[arguments, &["--no-check"]].concat());
    assert_eq!(run.status, 0, "{arguments:?}: {}", run.stderr);
    run.stdout
}

fn refused(folder: &Path, arguments: &[&str], status: i32, expected: &[&str]) {
    let run = Run::bundler(folder, arguments);
    assert_eq!((run.status, run.stdout.as_str()), (status, ""), "{arguments:?}: {}", run.stderr);
    for part in expected {
        assert!(run.stderr.contains(part), "{arguments:?}: no {part:?} in {}", run.stderr);
    }
}

#[test]
fn binaries_and_examples() {
    let toml = manifest(
        "bot",
        "default-run = \"second\"\n[features]\nextra = []\n[[bin]]\nname = \"gated\"\nrequired-features = [\"extra\"]\n",
    );
    let folder = workspace(&[
        ("Cargo.toml", &toml),
        ("src/bin/first.rs", "fn main() { println!(\"first\") }"),
        ("src/bin/second.rs", "fn main() { println!(\"second\") }"),
        ("src/bin/gated.rs", "fn main() { println!(\"gated\", ) }"),
        ("src/bin/same.rs", "fn main() { println!(\"bin\") }"),
        ("examples/same.rs", "fn main() { println!(\"example\") }"),
    ]);
    let folder = folder.path();
    assert!(ran(folder, &[]).contains("\"second\""));
    assert!(ran(folder, &["first"]).contains("\"first\""));
    assert!(ran(folder, &["--bin", "same"]).contains("\"bin\""));
    assert!(ran(folder, &["--example", "same"]).contains("\"example\""));
    refused(folder, &["same"], 2, &["several", "--bin", "--example"]);
    refused(folder, &["--example", "first"], 2, &["no example is called `first`", "same"]);
    refused(folder, &["gated"], 2, &["`extra`", "--features extra"]);
    for on in [&["gated", "--features", "extra"][..], &["gated", "--all-features"]] {
        assert!(ran(folder, on).contains("\"gated\""));
    }
    refused(folder, &["first", "--bin", "first"], 2, &["--bin"]);
    refused(folder, &["first", "--features", "none-such"], 1, &["none-such"]);
}

#[test]
fn features_reach_the_source() {
    let main = "fn main() { if cfg!(feature = \"fast\") { println!(\"fast\") } else { println!(\"slow\") } }";
    let toml = manifest("bot", "[features]\ndefault = [\"fast\"]\nfast = []\n");
    let folder = workspace(&[("Cargo.toml", &toml), ("src/main.rs", main)]);
    assert!(ran(folder.path(), &[]).contains("if true"));
    assert!(ran(folder.path(), &["--no-default-features"]).contains("if false"));
    let with = ["--no-default-features", "-F", "fast", "--offline"];
    assert!(ran(folder.path(), &with).contains("if true"));
    refused(folder.path(), &["--package", "bto"], 2, &["no package `bto`", "Did you mean `bot`?"]);
}

#[test]
fn an_example_of_a_root_package_with_members() {
    let toml = manifest("bot", "[features]\nx = []").replace("[workspace]", "");
    let toml =
        format!("{toml}\n[workspace]\nmembers = [\".\", \"lib\"]\ndefault-members = [\".\", \"lib\"]\n");
    let folder = workspace(&[
        ("Cargo.toml", &toml),
        ("src/lib.rs", "pub fn two() -> u8 { 2 }"),
        ("examples/demo.rs", "fn main() { println!(\"{}\", bot::two()) }"),
        ("lib/Cargo.toml", "[package]\nname = \"lib\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"),
        ("lib/src/lib.rs", ""),
    ]);
    let run = Run::bundler(folder.path(), &["--example", "demo"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stdout.contains("fn two"), "{}", run.stdout);
}

#[test]
fn a_virtual_workspace() {
    let (one, two) = (manifest("one", "[features]\nx = []"), manifest("two", "[features]\nx = []"));
    let main = "fn main() { println!(\"{}\", cfg!(feature = \"x\")) }";
    let folder = workspace(&[
        (
            "Cargo.toml",
            "[workspace]\nresolver = \"2\"\nmembers = [\"one\", \"two\"]\ndefault-members = [\"two\"]",
        ),
        ("one/Cargo.toml", &one),
        ("two/Cargo.toml", &two),
        ("one/src/main.rs", main),
        ("two/src/main.rs", main),
    ]);
    let folder = folder.path();
    assert!(ran(folder, &[]).contains("of package two"));
    assert!(ran(&folder.join("one"), &[]).contains("of package one"));
    let one = ran(folder, &["-p", "one", "--features", "x"]);
    assert!(one.contains("of package one") && one.contains("true"), "{one}");
    std::fs::remove_file(folder.join("Cargo.lock")).unwrap();
    refused(folder, &["--locked"], 1, &["--locked", "cargo update"]);
}

#[test]
fn features_that_only_the_workspace_wants() {
    let folder = fixture("features-of-workspace");
    let run = Run::bundler(&folder, &["bot"]);
    assert!(run.status == 0 && run.stdout.contains("if false"), "{}", run.stdout);
    let note = "`cargo build --bin bot` also turns on the feature `loud` of engine 0.1.0";
    assert!(run.stderr.contains(note), "{}", run.stderr);
    let run = Run::bundler(&folder, &["-p", "bot", "--no-check"]);
    assert!(run.status == 0 && run.stdout.contains("if false"), "{}", run.stdout);
    assert!(!run.stderr.contains("loud"), "{}", run.stderr);
}
