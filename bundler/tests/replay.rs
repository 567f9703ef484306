//! Recorded input is answered alike by the user's own binary and by the bundle, or it is said where not.

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
fn alike() {
    let run = replayed(&["> 1\n> 2\n< 9\n< 9\n> 3\n< 9\n", "4\n5\nbytes\n", "> 6\n> bytes\n> stop\n"], &[]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stderr.contains("; 3 logs, 8 lines of answers alike in binary and bundle"), "{}", run.stderr);
    assert!(run.stdout.contains("fn main"));
    let run = replayed(&["quiet\n"], &["--", "5"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stderr.contains("not proved: that binary and bundle answer alike"), "{}", run.stderr);
}

fn fails(log: &str, arguments: &[&str], says: &[&str]) {
    let run = replayed(&["1\n", log], arguments);
    assert_eq!((run.status, run.stdout.as_str()), (1, ""), "{}", run.stderr);
    for part in says {
        assert!(run.stderr.contains(part), "no {part:?} in:\n{}", run.stderr);
    }
    assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
}

#[test]
fn not_alike() {
    let log = "> 1\n< 9\n> profile\n< 9\n> 2\n< 9\n";
    fails(log, &[], &["2.log:4: answer 2 of the bundle", "binary: `true`", "bundle: `false`"]);
    fails("1\nprofile\n", &["--", "3"], &["2.log: answer 2 of the bundle", "binary: `true`"]);
}

#[test]
fn nothing_can_be_said() {
    let log = "> 1\n< 9\n> clock\n< 9\n";
    fails(
        log,
        &[],
        &["2.log:4", "does not answer alike when asked twice", "first:  `SystemTime", "after `--`"],
    );
    let early = "> stop\n< 9\n";
    fails(
        early,
        &[],
        &["2.log:2: the workspace's own binary ended", "asked to stop", "Is this log for this"],
    );
    let run = Run::bundler(&fixture("replay"), &["--replay", "no-such.log"]);
    assert_eq!((run.status, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.contains("no-such.log"), "{}", run.stderr);
    let run = Run::bundler(&fixture("replay"), &["replay", "--", "5"]);
    assert_eq!(run.status, 2, "{}", run.stderr);
}
