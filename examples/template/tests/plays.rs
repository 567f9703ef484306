//! Runs the written programs: the bot has no fault and the arena plays.

use std::process::Command;

/// Runs the arena in a folder of its own, where it leaves its games.
fn arena(arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let output = Command::new(env!("CARGO_BIN_EXE_template-arena"))
        .args(arguments)
        .current_dir(&folder)
        .output()
        .expect("the arena runs");
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn the_bot_has_no_fault() {
    let bot = env!("CARGO_BIN_EXE_template");
    let report = arena(&["check", "template", bot, "--first-ms", "10000", "--later-ms", "10000"]);
    assert!(report.contains("0 warnings, 0 faults"), "{report}");
}

#[test]
fn games_are_counted_won_and_benched() {
    assert!(arena(&["contests"]).starts_with("template "), "listed");
    assert!(arena(&["perft", "template", "3"]).contains(" 12144 leaves"), "counted");
    let played = arena(&["match", "template", "in:bot --nodes 2000", "in:random", "-n", "20"]);
    assert!(played.contains(" lost 0,"), "{played}");
    assert!(arena(&["bench"]).contains("template   bot "), "every search is run");
}
