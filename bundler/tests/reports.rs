//! Reports, sizes, errors as JSON, and the header of a bundle: licences and stamp.

mod common;

use common::{bundler, fixture, manifest, workspace, Run};
use serde_json::Value;
use std::process::Command;

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap_or_else(|e| panic!("{e}: {}", run.stdout))
}

/// The bytes of all parts; checks that no part is larger than the one that contains it.
fn adds_up(parts: &Value) -> u64 {
    let parts = parts.as_array().unwrap();
    parts
        .iter()
        .map(|part| {
            let bytes = part["bytes"].as_u64().unwrap();
            assert!(adds_up(&part["parts"]) <= bytes, "{part}");
            bytes
        })
        .sum()
}

#[test]
fn reports_as_json_and_text() {
    let out = tempfile::tempdir().unwrap();
    let file = out.path().join("submit.rs");
    let path = file.to_str().unwrap();
    let run = Run::bundler(&fixture("traits"), &["player", "--json", "-o", path]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let text = std::fs::read_to_string(&file).unwrap();
    let report = json(&run);
    assert_eq!(report["size"]["bytes"], text.len());
    assert_eq!(report["limit"], serde_json::json!({"size": 100_000, "unit": "bytes"}));
    assert_eq!(report["target"]["name"], "player");
    assert_eq!(adds_up(&report["crates"]), text.len() as u64);
    assert!(run.stdout.contains("traits::engine") && !run.stdout.contains("fn main()"), "{}", run.stdout);
    let steps: Vec<u64> =
        report["steps"].as_array().unwrap().iter().map(|s| s["bytes"].as_u64().unwrap()).collect();
    assert!(steps.len() >= 3 && steps[0] > steps[1], "{steps:?}");
    let removed = report["removed"].as_array().unwrap();
    assert!(removed
        .iter()
        .any(|r| r["kind"] == "mod" && r["path"] == "traits::other" && r["stage"] == "reached"));
    let places = removed
        .iter()
        .all(|r| r["kind"] == "crate" || r["place"].as_str().is_some_and(|p| p.contains(".rs:")));
    assert!(places, "{removed:?}");
    assert!(report["times"].as_array().is_some_and(|t| t.len() > 3));

    let run = Run::bundler(&fixture("traits"), &["player", "--report", "-q"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    for part in [
        "minified: `comments`, which fits the limit",
        "share  what",
        "crate player",
        "mod engine",
        "seconds  for",
        "mod traits::other",
        "main does not reach",
    ] {
        assert!(run.stdout.contains(part), "no {part:?} in {}", run.stdout);
    }
    assert!(!run.stdout.contains("fn main()"), "{}", run.stdout);
}

#[test]
fn errors_as_json() {
    let fails = |folder: &str, arguments: &[&str], status: i32, kind: &str| {
        let run = Run::bundler(&fixture(folder), &[arguments, &["--json"]].concat());
        let error = json(&run);
        assert_eq!((run.status, &error["status"]), (status, &Value::from(status)), "{}", run.stderr);
        assert_eq!(error["error"], kind);
        let message = error["message"].as_str().unwrap();
        assert!(
            !message.is_empty() && run.stderr.contains(message.lines().next().unwrap()),
            "{}",
            run.stderr
        );
        error
    };
    let place = |file: &str, line: u64, column: Option<u64>| serde_json::json!({"file": file, "line": line, "column": column});
    assert_eq!(fails("refused", &["broken"], 1, "source")["place"], place("src/bin/broken.rs", 2, Some(23)));
    assert_eq!(
        fails("refused", &["derived"], 1, "refused")["place"],
        place("src/bin/derived.rs", 5, Some(3))
    );
    assert_eq!(fails("refused", &["none-such"], 2, "usage")["place"], Value::Null);
    fails("refused", &["--none-such"], 2, "usage");
    fails("modules", &["-o", "nowhere/submit.rs"], 1, "write");
    let over = fails("traits", &["player", "--limit", "1000"], 3, "over-limit");
    assert!(over["bundle"]["size"]["bytes"].as_u64().is_some_and(|n| n > 1000), "{over}");
    assert_eq!(adds_up(&over["bundle"]["crates"]), over["bundle"]["size"]["bytes"].as_u64().unwrap());
}

#[test]
fn reports_of_bundles_over_the_limit() {
    let run = Run::bundler(&fixture("traits"), &["player", "--limit", "1000", "--report"]);
    assert_eq!((run.status, run.stdout.as_str()), (3, ""));
    assert!(run.stderr.contains("share  what") && run.stderr.contains("over the limit"), "{}", run.stderr);
}

#[test]
fn units_of_the_limit() {
    let main = "fn main() { println!(\"é漢🎲é漢🎲é漢🎲é漢🎲\") }\n";
    let folder = workspace(&[("Cargo.toml", &manifest("bot", "")), ("src/main.rs", main)]);
    let run = Run::bundler(folder.path(), &["--no-check"]);
    let (bytes, chars) = (run.stdout.len(), run.stdout.chars().count());
    assert!(run.stderr.contains(&format!("{bytes} bytes, {chars} characters, {} UTF-16", chars + 4)));
    let within = |limit: &str| {
        Run::bundler(folder.path(), &["--no-check", "--minify", "comments", "--limit", limit]).status
    };
    assert_eq!([within(&bytes.to_string()), within(&(bytes - 1).to_string())], [0, 3]);
    assert_eq!([within(&format!("{chars}chars")), within(&format!("{}chars", chars - 1))], [0, 3]);
    assert_eq!([within(&format!("{}utf16", chars + 4)), within(&format!("{}utf16", chars + 3))], [0, 3]);
    assert_eq!(within("many"), 2);
    // The level of minifying is chosen in the limit's unit.
    for (limit, unit) in [(bytes, ""), (chars, "chars"), (chars + 4, "utf16")] {
        let [plain, dense] = [limit, limit - 1]
            .map(|limit| Run::bundler(folder.path(), &["--no-check", "--limit", &format!("{limit}{unit}")]));
        assert_eq!((plain.status, plain.stdout.len()), (0, bytes), "{}", plain.stderr);
        assert!(dense.status == 0 && dense.stdout.len() < bytes, "{unit}: {}", dense.stderr);
        let said = format!("minified: `space`, because `comments` would have {limit} ");
        assert!(dense.stderr.contains(&said), "{}", dense.stderr);
    }
}

fn git(folder: &std::path::Path, arguments: &[&str]) {
    let identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"];
    let done = Command::new("git").args(identity).args(arguments).current_dir(folder).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn licences_and_stamps() {
    let own = manifest("bot", "[dependencies]\nused = { path = \"used\" }\nunused = { path = \"unused\" }\n");
    let lib = |name: &str| manifest(name, "").replace("\"MIT\"", "\"MIT OR Apache-2.0\"");
    let main = "use unused as _; fn main() { println!(\"{}\", used::f()) }\n";
    let folder = workspace(&[
        ("Cargo.toml", &own),
        ("src/main.rs", main),
        ("used/Cargo.toml", &lib("used")),
        ("used/src/lib.rs", "pub fn f() -> u8 { 7 }\n"),
        ("used/LICENSE-MIT", "MIT License\n\nCopyright (c) 2019 Ann\n\nPermission\n"),
        ("used/LICENSE-APACHE", "Copyright [yyyy] [name of copyright owner]\n"),
        ("unused/Cargo.toml", &lib("unused")),
        ("unused/src/lib.rs", "pub fn g() -> u8 { 7 }\n"),
        ("unused/LICENSE", "Copyright (c) 2019 Bob\n"),
        (".gitignore", "target\n"),
    ]);
    let run = |more: &[&str]| {
        let mut command = bundler(folder.path());
        Run::of(command.arg("--no-check").args(more).env("SOURCE_DATE_EPOCH", "1000000000").output().unwrap())
    };
    let plain = run(&[]).stdout;
    let lines: Vec<&str> = plain.lines().take(3).collect();
    assert_eq!(lines[0], "// The binary `bot` of package bot 1.2.3 (MIT) in one file, made by bundler.");
    assert_eq!(lines[1], "// with crate used 1.2.3 (MIT OR Apache-2.0), Copyright (c) 2019 Ann");
    assert!(!lines[2].starts_with("//") && !plain.contains("Bob"), "{plain}");
    assert!(run(&["--stamp"]).stdout.contains("\n// Bundled on 2001-09-09.\n"));
    git(folder.path(), &["init", "-q"]);
    git(folder.path(), &["add", "."]);
    git(folder.path(), &["commit", "-q", "-m", "x"]);
    let clean = run(&["--stamp"]).stdout;
    let line = clean.lines().nth(1).unwrap();
    assert!(line.starts_with("// Commit ") && !line.contains("dirty"), "{line}");
    std::fs::write(folder.path().join("src/main.rs"), format!("{main}\n")).unwrap();
    let dirty = run(&["--stamp"]).stdout;
    assert!(dirty.lines().nth(1).unwrap().contains("-dirty, bundled on 2001-09-09."), "{dirty}");
    assert_eq!(run(&[]).stdout, plain);
}

#[test]
fn bundles_do_not_depend_on_the_folder() {
    let first = Run::bundler(&fixture("names"), &["names"]).stdout;
    let elsewhere = tempfile::tempdir().unwrap();
    let copy = elsewhere.path().join("an other pläce");
    common::copy(&fixture("names"), &copy);
    let mut command = bundler(&copy.join("src"));
    command.args(["names", "--no-cache"]).env("CARGO_TARGET_DIR", elsewhere.path().join("target"));
    let second = Run::of(command.output().unwrap());
    assert_eq!(second.status, 0, "{}", second.stderr);
    assert_eq!(first, second.stdout);
}

#[test]
fn the_cache_does_not_change_the_bundle() {
    let folder = tempfile::tempdir().unwrap();
    let out = |name: &str| folder.path().join(name).display().to_string();
    let run = |cache: &[&str]| {
        let (text, map) = (out("main.rs"), out("map.json"));
        let output = bundler(&fixture("removal"))
            .env("CARGO_TARGET_DIR", folder.path().join("target"))
            .args(["removal", "--json", "--map", &map, "-o", &text])
            .args(cache)
            .output();
        let run = Run::of(output.unwrap());
        assert_eq!(run.status, 0, "{}", run.stderr);
        let mut report = json(&run);
        report["times"].take();
        (std::fs::read_to_string(text).unwrap(), std::fs::read_to_string(map).unwrap(), report)
    };
    let (without, first, second) = (run(&["--no-cache"]), run(&[]), run(&[]));
    assert!(first == without && second == first, "{without:#?}\n{first:#?}\n{second:#?}");
    assert!(first.2["removed"].as_array().is_some_and(|r| r.iter().any(|r| r["stage"] == "trimmed")));
    // The last run took the removal from the cache.
    let kept = std::fs::read_dir(folder.path().join("target/bundler")).unwrap();
    let kept =
        kept.filter(|e| e.as_ref().is_ok_and(|e| e.file_name().to_string_lossy().starts_with("trimmed-")));
    assert_eq!(kept.count(), 1);
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: .ci/run runs it"]
    fn slow_stages_are_shown() {
        let script = "fn main() { std::thread::sleep(std::time::Duration::from_secs(3)); }";
        let folder = workspace(&[
            ("Cargo.toml", &manifest("bot", "")),
            ("build.rs", script),
            ("src/main.rs", "fn main() {}\n"),
        ]);
        let run = |quiet: &[&str]| {
            let mut command = bundler(folder.path());
            // With the same target folder, the build script would not run again.
            let target = tempfile::tempdir().unwrap();
            Run::of(command.args(quiet).env("CARGO_TARGET_DIR", target.path()).output().unwrap())
        };
        let long = run(&[]);
        assert_eq!(long.status, 0, "{}", long.stderr);
        assert!(long.stderr.contains("bundler: compiling the source …\n"), "{}", long.stderr);
        let quiet = run(&["-q"]);
        assert_eq!((quiet.status, quiet.stderr.as_str()), (0, ""));
    }
}

/// Where a site's bundles are read by others, they keep comments and say where each part comes from.
#[test]
fn bundles_for_reading_name_the_files() {
    let folder = workspace(&[
        ("Cargo.toml", &manifest("solution", "")),
        ("src/main.rs", "//! Solves it.\n\nmod graph;\n\n/// Prints a number.\nfn main() {\n    let edges = 3; // of a triangle\n    println!(\"{}\", graph::faces(edges));\n}\n"),
        ("src/graph.rs", "/// Euler's formula.\npub fn faces(edges: u32) -> u32 {\n    2 + edges - 3\n}\n\npub fn unused() {}\n"),
    ]);
    for check in [&[][..], &["--no-check"]] {
        let run = Run::bundler(folder.path(), &[&["--platform", "atcoder"], check].concat());
        assert_eq!(run.status, 0, "{}", run.stderr);
        let lines: Vec<&str> = run.stdout.lines().map(str::trim).collect();
        let at = |line: &str| {
            lines.iter().position(|l| l.starts_with(line)).unwrap_or_else(|| panic!("{line}: {}", run.stdout))
        };
        assert!(at("// from src/main.rs") < at("// from src/graph.rs"), "{}", run.stdout);
        assert!(at("// from src/graph.rs") < at("/// Euler's formula."), "{}", run.stdout);
        at("let edges = 3; // of a triangle");
        assert!(!run.stdout.contains("unused"), "{}", run.stdout);
        // The user's level wins.
        let run =
            Run::bundler(folder.path(), &[&["--platform", "atcoder", "--minify", "space"], check].concat());
        assert!(!run.stdout.contains("// from"), "{}", run.stdout);
    }
}
