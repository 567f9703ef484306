//! Tests `--position` as a program: games that begin in a position of the contest's own notation.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;

use crate::outside::{arena, built, err, PATIENT};

/// Contests whose positions have a text, and a number of plies: after an odd one the second player is to move.
const CONTESTS: [(&str, &str); 6] = [
    ("mancala", "5"),
    ("oware", "6"),
    ("mnk:5,5,4", "5"),
    ("boop", "6"),
    ("freckers", "5"),
    ("reversi", "6"),
];

fn out(output: &Output) -> String {
    assert!(output.status.success(), "{}", err(output));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// The output of console commands.
fn debug(folder: &Path, arguments: &[&str], script: &str) -> String {
    let file = folder.join("script");
    fs::write(&file, script).unwrap();
    out(&arena(folder, &[&["debug", "--script", file.to_str().unwrap()], arguments].concat()))
}

#[test]
fn a_position_is_told_to_consoles_programs_and_records() {
    let folder = tempfile::tempdir().unwrap();
    for (contest, plies) in CONTESTS {
        let name = contest.split(':').next().unwrap();
        let there = debug(folder.path(), &[contest, "--openings", plies, "--seed", "3"], "position\nshow\n");
        let (text, shown) = there.split_once('\n').unwrap();
        let again = debug(folder.path(), &[contest, "--position", text], "position\nshow\n");
        assert_eq!(again, there, "{contest}");
        // A program on one seat, a search of this program on the other.
        let program = built(name);
        let bot = format!("{} --nodes 20", shell_words::quote(program.to_str().unwrap()));
        let logs = format!("{name}-games");
        let words =
            ["play", contest, "--position", text, &bot, "in:bot --nodes 20", "--log-dir", &logs, "--json"];
        let text_of_games = out(&arena(folder.path(), &[&words[..], &PATIENT].concat()));
        let game: Value = serde_json::from_str(text_of_games.lines().next().unwrap()).unwrap();
        assert_eq!(game["ending"], "normal", "{contest}: {game}");
        let named = game["contest"].as_str().unwrap();
        assert_eq!(named, format!("{contest}@{}", text.replace(' ', "_")));
        // The first move is one of the position, and the record is replayed from there.
        let first = game["moves"].as_str().unwrap().split(' ').next().unwrap().to_owned();
        let moved = debug(folder.path(), &[contest, "--position", text], &format!("play {first}\nundo\n"));
        assert!(moved.ends_with(shown), "{contest}: {moved}");
        let replayed = out(&arena(folder.path(), &["replay", &logs]));
        assert!(replayed.contains("1 of 1 games agree"), "{replayed}");
    }
}

#[test]
fn a_wrong_position_is_refused_with_the_notation() {
    let folder = tempfile::tempdir().unwrap();
    let cases = [
        ("mancala", "4,4/4,4 0", "expected the counters in the 6 holes of the first player"),
        ("mancala", "4,4,4,4,4,4,0/4,4,4,4,4,4,0 2", "expected player 0 or 1"),
        ("mancala", "0,0,0,0,0,0,9/4,4,4,4,4,4,0 0", "a row is empty, so the game is over"),
        ("oware", "4,4,4,4,4,4,0/4,4,4,4,4,3,0 0", "47 seeds; expected 48"),
        ("mnk:3,3,3", "x../.../..", "expected 3 rows of 3 cells with / between them"),
        ("mnk:3,3,3", "o../.../...", "0 x and 1 o; x begins"),
        ("mnk:3,3,3", "xxx/oo./...", "the game is over in this position"),
        ("boop", "....../......", "expected six rows"),
        ("freckers", "R", "such as *RRRRRR*/.******./"),
        ("reversi", "--X", "expected the 64 cells from a1 to h8"),
        ("uttt", "x", "positions of this game have no text form"),
    ];
    // Each case with one of the commands.
    let commands = ["debug", "play", "serve", "solve"].iter().cycle();
    for ((contest, text, said), &command) in cases.into_iter().zip(commands) {
        let bots: &[&str] = if command == "play" { &["in:bot", "in:bot"] } else { &[] };
        let output = arena(folder.path(), &[&[command, contest, "--position", text], bots].concat());
        assert_eq!(output.status.code(), Some(2), "{command} {contest} {text}: {}", err(&output));
        assert!(err(&output).contains(said), "{command} {contest}: {}", err(&output));
    }
}

/// Bundles know no positions.
#[cfg(unix)]
#[test]
fn a_bot_that_cannot_be_told_a_position_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let bot = "sh -c 'while read word rest; do case $word in init) echo ok;; go) echo move 0;; *) echo error $word;; esac; done'";
    let words = ["play", "mancala", "--position", "1,0,0,0,0,1,0/0,0,0,0,1,1,0 0", bot, "in:bot --nodes 20"];
    let output = arena(folder.path(), &[&words[..], &PATIENT].concat());
    assert!(err(&output).contains("expected: ok for init, position and play"), "{}", err(&output));
}
