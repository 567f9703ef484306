//! Tests `arena check` on good and bad bots.

use serde_json::Value;

use crate::{first_bot, run};

/// The checks of the example bot with the argument `word`, without the machine-dependent times.
fn list(code: i32, word: &str, options: &[&str]) -> Vec<(String, String, String)> {
    let bot = format!("{} {word}", shell_words::quote(&first_bot()));
    let words = ["check", "reversi", bot.trim(), "--first-ms", "20000", "--json"];
    let (out, _) = run(code, &[&words[..], options].concat());
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report["ok"], code == 0);
    let items = report["items"].as_array().unwrap().iter().map(|item| {
        let text = |key: &str| item[key].as_str().unwrap().to_owned();
        (text("name"), text("status"), text("detail"))
    });
    items.collect()
}

fn statuses(list: &[(String, String, String)], status: &str) -> Vec<String> {
    list.iter().filter(|item| item.1 == status).map(|item| item.0.clone()).collect()
}

const PATIENT: [&str; 2] = ["--later-ms", "20000"];

#[test]
fn a_good_bot_has_no_fault() {
    let list = list(0, "", &PATIENT);
    let names: Vec<&str> = list.iter().map(|item| item.0.as_str()).collect();
    let games = ["start", "game 1", "game 2", "game 3", "game 4", "first answers", "later answers", "stderr"];
    assert_eq!(names[..8], games);
    assert_eq!(statuses(&list[..9], "ok").len(), 9, "{list:?}");
    // How soon a process exits depends on the machine too.
    assert_eq!((statuses(&list, "fault").len(), list.len()), (0, 15), "{list:?}");
    assert!(
        list[1].2.starts_with("seat 0, opening ") && list[2].2.starts_with("seat 1, opening "),
        "{list:?}"
    );
    // Different games have different openings.
    assert_ne!(list[1].2.split(':').next(), list[3].2.split(':').next());
    assert!(list[5].2.starts_with("4 answers, slowest "), "{list:?}");
}

#[test]
fn the_first_fault_shows_the_exchanged_bytes() {
    let bot = format!("{} zz", shell_words::quote(&first_bot()));
    let (out, err) = run(1, &["check", "reversi", &bot, "--first-ms", "20000"]);
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].starts_with("ok       start: "), "{out}");
    assert!(lines[1].starts_with("FAULT    game 1: seat 0, opening "), "{out}");
    assert!(lines[1].ends_with(
        "turn 1: protocol; expected [EXPERT ]CELL[ MSG text] with a CELL such as d3; received \"zz\""
    ));
    assert_eq!(lines[2..4], ["           > 0", "           > 8"]);
    assert!(lines.contains(&"           < zz"), "{out}");
    assert!(lines.contains(&"           its standard error is empty"), "{out}");
    assert!(!out.contains("game 2"), "no more games after a fault: {out}");
    assert!(err.starts_with("error: 1 faults: the bot will lose games"), "{err}");
}

/// The same words of a game, of a check and of a run through an external referee.
#[test]
fn a_line_too_many_is_a_fault_of_its_turn() {
    let folder = tempfile::tempdir().unwrap();
    let words = |list: &[&str]| list.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    let of = |code: i32, list: &[String]| {
        let list = list.iter().map(String::as_str).collect::<Vec<_>>();
        let output = crate::arena_in(folder.path(), &list);
        let text =
            [&output.stdout[..], &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        assert_eq!(output.status.code(), Some(code), "{list:?}: {text:?}");
        text.concat()
    };
    let bot = |word: &str| format!("{} {word}", shell_words::quote(&first_bot()));
    let limits = ["--first-ms", "20000", "--later-ms", "20000"];
    let play =
        [words(&["play", "tictactoe", &bot("grid-twice"), &bot("grid"), "--log-dir", "log"]), words(&limits)]
            .concat();
    let played = of(0, &play);
    assert!(played.contains("protocol by A, turn 1\n"), "{played}");
    let fault = "one line and no more (the site takes a further line for the next turn's answer)";
    assert!(
        played.contains(&format!(
            "bot A (seat 0), turn 1: protocol\n  expected: {fault}\n  received: \"0 0\" and after it \"2 2\""
        )),
        "{played}"
    );
    of(0, &words(&["replay", "log"]));
    of(0, &words(&["view", "log/1.json"]));
    let check = [words(&["check", "tictactoe", &bot("grid-twice")]), words(&limits)].concat();
    let checked = of(1, &check);
    assert!(checked.contains(&format!("FAULT    game 1: seat 0, turn 1: protocol; expected {fault}; received \"0 0\" and after it \"2 2\"")), "{checked}");
    // Through the wrapper: the referee says it, and how a process ended is known from the wrapper alone.
    let referee =
        format!("{} referee tictactoe {}", shell_words::quote(env!("CARGO_BIN_EXE_arena")), limits.join(" "));
    let outside = |word: &str, dir: &str| {
        of(0, &words(&["play", "-r", &referee, &bot(word), &bot("grid"), "--log-dir", dir]))
    };
    let extra = outside("grid-twice", "extra");
    assert!(
        extra.contains(&format!(
            "the referee says: p1, turn 1: protocol, expected {fault}, received \"0 0\" and after it \"2 2\""
        )),
        "{extra}"
    );
    let crashed = outside("grid-crash", "crashed");
    assert!(
        crashed.contains("a score of -1; it crashed (exit status 7); the referee says: p1, turn 2: crash"),
        "{crashed}"
    );
    assert!(crashed.contains("last lines of its standard error:\n    index out of bounds"), "{crashed}");
    let checked = of(1, &words(&["check", "-r", &referee, &bot("grid-crash"), "--games", "1"]));
    assert!(checked.contains("it crashed (exit status 7)"), "{checked}");
}

#[test]
fn a_missing_answer_is_a_fault_at_its_turn() {
    let list = list(1, "late", &["--later-ms", "3000"]);
    assert!(statuses(&list, "fault").contains(&"game 1".to_owned()), "{list:?}");
    assert!(list[1].2.contains("turn 3: time-out on a later turn"), "{list:?}");
}

#[test]
fn bad_manners_are_warnings() {
    let list_of = |word: &str| list(0, word, &[&PATIENT[..], &["--games", "1"]].concat());
    let stays = list_of("stays");
    assert!(statuses(&stays, "warning").contains(&"end of the game".to_owned()), "{stays:?}");
    assert!(statuses(&stays, "warning").contains(&"closed input in a turn".to_owned()), "{stays:?}");
    let bye = list_of("bye");
    assert!(statuses(&bye, "warning").contains(&"output beyond answers".to_owned()), "{bye:?}");
    assert!(bye.iter().any(|item| item.2.contains("in game 1 it wrote \"bye")), "{bye:?}");
}

#[test]
fn a_bot_that_cannot_be_started_ends_the_checks() {
    let (out, _) = run(1, &["check", "reversi", "./no/such/bot"]);
    assert!(out.starts_with("FAULT    start: can't start `./no/such/bot` from "), "{out}");
    assert_eq!(out.lines().count(), 2);
    run(2, &["check", "chess", "./bot"]);
    run(2, &["check", "reversi", "'open"]);
}
