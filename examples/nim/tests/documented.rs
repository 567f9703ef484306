//! Runs the commands of docs/own-contest.md.

use std::process::Command;

/// Runs the arena in a folder of its own, where it leaves its games.
fn arena(arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let output = Command::new(env!("CARGO_BIN_EXE_nim-arena"))
        .args(arguments)
        .current_dir(&folder)
        .output()
        .expect("the arena runs");
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn the_contest_is_listed() {
    let listed = arena(&["contests"]);
    assert!(listed.starts_with("nim ") && listed.contains("variants nim:PILE"), "{listed}");
}

#[test]
fn the_bot_has_no_fault() {
    let report =
        arena(&["check", "nim", env!("CARGO_BIN_EXE_nim"), "--first-ms", "10000", "--later-ms", "10000"]);
    assert!(report.contains("0 faults"), "{report}");
}

#[test]
fn games_are_solved_and_won() {
    let solved = arena(&["solve", "nim"]);
    assert!(solved.starts_with("nim: the first player wins in 11 plies"), "{solved}");
    let played = arena(&["match", "nim:20", "in:alpha-beta --nodes 200", "in:random", "-n", "20"]);
    assert!(played.contains("A: won 20, drawn 0, lost 0"), "{played}");
}
