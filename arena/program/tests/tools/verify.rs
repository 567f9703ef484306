//! Tests `arena verify` as a program: rules against a referee as a process, and against recorded games.

use std::fs;

use serde_json::Value;

use crate::{arena_in, run, tests_folder, text};

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
