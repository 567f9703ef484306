//! Replay: the user's binary and the bundle give the same answers to recorded input, or the difference is reported.

mod common;

use common::{fixture, Run};

fn replayed(logs: &[&str], arguments: &[&str]) -> Run {
    let folder = tempfile::tempdir().unwrap();
    let paths: Vec<String> = (1..)
        .zip(logs)
        .map(|(i, log)| {
            let path = folder.path().join(format!("{i}.log"));
            std::fs::write(&path, log).unwrap();
            path.to_str().unwrap().to_owned()
        })
        .collect();
    let mut all = vec!["replay", "--replay"];
    all.extend(paths.iter().map(String::as_str));
    all.extend(arguments);
    Run::bundler(&fixture("replay"), &all)
}

#[test]
fn same_answers() {
    let run = replayed(&["> 1\n> 2\n< 9\n< 9\n> 3\n< 9\n", "4\n5\nbytes\n", "> 6\n> bytes\n> stop\n"], &[]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stderr.contains("; 3 logs, 8 answer lines identical in binary and bundle"), "{}", run.stderr);
    assert!(run.stdout.contains("fn main"));
    let run = replayed(&["quiet\n"], &["--", "5"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(
        run.stderr.contains("not proved: that binary and bundle give the same answers"),
        "{}",
        run.stderr
    );
}

fn fails(log: &str, arguments: &[&str], expected: &[&str]) {
    let run = replayed(&["1\n", log], arguments);
    assert_eq!((run.status, run.stdout.as_str()), (1, ""), "{}", run.stderr);
    for part in expected {
        assert!(run.stderr.contains(part), "no {part:?} in:\n{}", run.stderr);
    }
    assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
}

#[test]
fn different_answers() {
    let log = "> 1\n< 9\n> profile\n< 9\n> 2\n< 9\n";
    fails(log, &[], &["2.log:4: answer 2 of the bundle", "binary: `true`", "bundle: `false`"]);
    fails("1\nprofile\n", &["--", "3"], &["2.log: answer 2 of the bundle", "binary: `true`"]);
}

#[test]
fn logs_that_cannot_be_compared() {
    let log = "> 1\n< 9\n> clock\n< 9\n";
    fails(
        log,
        &[],
        &["2.log:4", "gives different answers when run twice", "first:  `SystemTime", "after `--`"],
    );
    let early = "> stop\n< 9\n";
    fails(
        early,
        &[],
        &[
            "2.log:2: the workspace's own binary exited",
            "asked to stop",
            "Check that the log belongs to this program",
        ],
    );
    let run = Run::bundler(&fixture("replay"), &["--replay", "no-such.log"]);
    assert_eq!((run.status, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.contains("no-such.log"), "{}", run.stderr);
    let run = Run::bundler(&fixture("replay"), &["replay", "--", "5"]);
    assert_eq!(run.status, 2, "{}", run.stderr);
}

/// A copy of the fixture with a recorded log of its own.
fn with_recorded(log: &str, arguments: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("recorded");
    std::fs::create_dir_all(root.join("src")).unwrap();
    std::fs::create_dir_all(root.join("tests/logs/replay")).unwrap();
    for file in ["Cargo.toml", "Cargo.lock", "src/main.rs"] {
        std::fs::copy(fixture("replay").join(file), root.join(file)).unwrap();
    }
    std::fs::write(root.join("tests/logs/replay/1.log"), log).unwrap();
    std::fs::write(root.join("tests/logs/replay/arguments"), arguments).unwrap();
    folder
}

#[test]
fn recorded_input_of_the_package_is_replayed() {
    let bundled = |log: &str, arguments: &str, more: &[&str]| {
        let folder = with_recorded(log, arguments);
        Run::bundler(&folder.path().join("recorded"), &[&["replay"], more].concat())
    };
    let run = bundled("> 1\n< 9\n> 2\n< 9\n", "5\n", &[]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stderr.contains("; 1 log, 2 answer lines identical in binary and bundle"), "{}", run.stderr);
    let run = bundled("> 1\n< 9\n> profile\n< 9\n", "", &[]);
    assert_eq!((run.status, run.stdout.as_str()), (1, ""), "{}", run.stderr);
    assert!(run.stderr.contains("1.log:4: answer 2 of the bundle differs"), "{}", run.stderr);
    let run = bundled("> 1\n< 9\n> profile\n< 9\n", "", &["--no-replay"]);
    assert!(run.status == 0 && !run.stderr.contains("answer lines"), "{}", run.stderr);
    // What cannot be compared is no error, since the user did not ask.
    let run = bundled("> 1\n< 9\n> clock\n< 9\n", "", &[]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let open = "not proved: that binary and bundle give the same answers: ";
    assert!(run.stderr.contains(open) && run.stderr.contains("when run twice"), "{}", run.stderr);
}
