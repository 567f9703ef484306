//! Tests `arena verify` as a program: rules against a referee as a process, and against recorded games.

use std::fs;

use serde_json::Value;

use crate::{arena_in, example, run, tests_folder, text};

fn referee(contest: &str) -> String {
    format!("{} referee {contest}", shell_words::quote(env!("CARGO_BIN_EXE_arena")))
}

#[test]
fn rules_agree_with_their_own_referee() {
    // Most answers that are changed are legal in Tron, where a crash is.
    for (contest, refused) in [("tictactoe", 1), ("tron", 0)] {
        let (out, _) = run(0, &["verify", contest, "-r", &referee(contest), "-n", "8", "--json"]);
        let compared: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(compared["games"], 8, "{out}");
        assert!(
            compared["answers"].as_u64() > Some(20) && compared["refused"].as_u64() >= Some(refused),
            "{out}"
        );
    }
}

#[test]
fn the_first_line_that_differs_is_named_with_its_game_kept() {
    let folder = tempfile::tempdir().unwrap();
    let output = arena_in(folder.path(), &["verify", "tictactoe", "-r", &referee("uttt")]);
    let out = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{out}");
    assert!(out.starts_with("game 1 (seed "), "{out}");
    assert!(out.contains("\n  rules:   `> 9`\n  referee: `> 81`\n"), "{out}");
    let kept = fs::read_to_string(folder.path().join("verify-tictactoe/1.p0.log")).unwrap();
    assert!(kept.starts_with("> -1 -1\n> 81\n"), "{kept}");
    assert!(String::from_utf8(output.stderr)
        .unwrap()
        .contains("the rules of tictactoe differ from the referee's"));
}

/// Verifies tic-tac-toe by a referee whose first games have limits that no bot keeps; returns status, output and errors.
fn impatient(games: u32) -> (Option<i32>, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let outside = example("outside");
    let referee =
        format!("{} impatient {games} count {}", shell_words::quote(&outside), referee("tictactoe"));
    let output = arena_in(folder.path(), &["verify", "tictactoe", "-r", &referee, "-n", "2"]);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn a_time_out_is_no_difference() {
    let (status, out, err) = impatient(2);
    assert_eq!(status, Some(0), "{out}{err}");
    assert!(out.starts_with("2 games, "), "{out}");
    assert_eq!(err.matches("the bot on seat 0 timed out (the referee says: p1, turn 1: time-out").count(), 2);
    assert_eq!(err.matches("that is no difference, so the game is played again").count(), 2, "{err}");
    let (status, out, err) = impatient(u32::MAX);
    assert_eq!((status, out.as_str()), (Some(1), ""), "{err}");
    assert!(
        err.contains("error: game 1 (seed ")
            && err.contains("can't be compared: the bot on seat 0 timed out")
            && err.contains("in each of 3 tries; the last is kept in verify-tictactoe\n"),
        "{err}"
    );
}

#[test]
fn a_referee_without_bots_is_named() {
    let outside = shell_words::quote(&example("outside")).into_owned();
    for (mode, said) in [
        ("silent", "it printed nothing, instead of 2 scores"),
        ("say --text 'no game today'", "it printed no score, instead of 2"),
        ("say --text '3\n5'", "gave scores (3, 5) without starting a bot, so there is nothing to compare"),
    ] {
        let (out, err) = run(1, &["verify", "tictactoe", "-r", &format!("{outside} {mode}")]);
        assert!(out.is_empty() && err.contains(said), "{mode}: {out}{err}");
    }
    let (_, err) = run(2, &["verify", "tictactoe", "-r", &referee("tictactoe"), "--no-check-bots"]);
    assert!(err.contains("with --no-check-bots the bots' dialogues aren't recorded"), "{err}");
}

#[test]
fn recorded_games_are_compared_as_well() {
    let (out, _) = run(0, &["verify", "reversi", text(&tests_folder("logs/reversi"))]);
    assert!(out.contains("the rules of reversi and the referee agree"), "{out}");
    let folder = tempfile::tempdir().unwrap();
    for seat in 0..2 {
        let name = format!("4.p{seat}.log");
        let log = fs::read_to_string(tests_folder("logs/reversi").join(&name)).unwrap();
        fs::write(folder.path().join(name), log.replacen("> ..010...", "> ..011...", 1)).unwrap();
    }
    let (out, _) = run(1, &["verify", "reversi", text(folder.path())]);
    assert!(
        out.contains("rules:   `> ..010...`\n  referee: `> ..011...`") && out.contains("the position before"),
        "{out}"
    );
    let (_, err) = run(2, &["verify", "reversi"]);
    assert!(err.contains("give the published referee with -r, or files of recorded games"), "{err}");
}
