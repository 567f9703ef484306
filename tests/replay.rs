//! Replays recorded games: every line that their referee sent must equal the one this project would send. The games of
//! reversi, uttt, wondev, photosynthesis and podracing are of the published referees. The others were refereed by this arena:
//! they show what has changed since, not that it is right.

use std::path::PathBuf;

use contest::Setup;
use coppice_arena::{Log, Next, Recording};
use coppice_tests::recorded;

#[test]
fn every_recorded_game_agrees_with_the_rules() {
    for contest in bots::contests() {
        let games = recorded(contest.name());
        // A fifth game of Wondev Woman is of its first league: rules/wondev.rs.
        let fewest = if contest.name() == "wondev" { 4 } else { 5 };
        assert!(games.len() >= fewest, "{} has {} recorded games", contest.name(), games.len());
        let shortest = match contest.name() {
            "reversi" | "uttt" => 40,
            "sudoku" => 1,
            _ => 5,
        };
        for game in games {
            let recording = Recording::read(&game.logs).unwrap_or_else(|error| panic!("{error}"));
            let replayed = recording.replay(*contest, 0, 0).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(replayed.scores, game.scores, "{} {}", contest.name(), game.name);
            assert!(
                replayed.answers >= shortest,
                "{} {}: {} answers",
                contest.name(),
                game.name,
                replayed.answers
            );
        }
    }
}

/// The maps of the published referee follow from the seed.
#[test]
fn recorded_maps_are_those_of_their_seeds() {
    let contest = bots::contest("photosynthesis").expect("a contest");
    for game in recorded("photosynthesis") {
        let recording = Recording::read(&game.logs).unwrap_or_else(|error| panic!("{error}"));
        let seed = game.name.parse().expect("the game's seed");
        let mut referee = contest.new_game(Setup { seed, opening_plies: 0, limits: contest.limits() });
        let replayed = recording.walk(&mut *referee, &[], &mut 0, |_, _| Ok(Next::GoOn));
        let replayed = replayed.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(replayed.scores, game.scores, "seed {seed}");
    }
}

/// Replays the first reversi game with lines changed by `change`; returns the error's text.
fn disagreement(change: impl Fn(usize, &str) -> Option<String>) -> String {
    let game = &recorded("reversi")[0];
    let logs = game.logs.iter().enumerate().map(|(seat, path)| {
        let text = std::fs::read_to_string(path).expect("a recorded game");
        let lines = text.lines().enumerate().filter_map(|(i, line)| match seat {
            0 => change(i + 1, line),
            _ => Some(line.to_owned()),
        });
        let text: String = lines.map(|line| line + "\n").collect();
        let path = PathBuf::from(format!("p{seat}.log"));
        let log = Log::parse(&path, text.as_bytes()).expect("still a log");
        (path, log)
    });
    let recording = Recording::new(logs.collect());
    let reversi = bots::contest("reversi").expect("reversi");
    recording.replay(reversi, 0, 0).expect_err("a changed game was accepted").to_string()
}

#[test]
fn a_disagreement_reports_file_line_expected_and_found() {
    let keep = |line: &str| Some(line.to_owned());
    for (number, with, expected) in [
        (6, "> ...1....", "p0.log:6: expected `> ...10...`, found `> ...1....`"),
        (11, "> 5", "p0.log:11: expected `> 4`, found `> 5`"),
        (12, "> a1", "p0.log:12: expected `> ` and one of "),
    ] {
        let error = disagreement(|i, line| if i == number { keep(with) } else { keep(line) });
        assert!(error.starts_with(expected), "{error}");
    }
    let error = disagreement(|i, line| if i == 16 { keep("< EXPERT a1") } else { keep(line) });
    assert!(
        error.starts_with("p0.log:16: expected one of ") && error.ends_with("found the answer `EXPERT a1`"),
        "{error}"
    );
    let error = disagreement(|_, line| keep(line).filter(|line| !line.ends_with(';')));
    assert!(error.contains("expected `> ") && error.contains(";`"), "a history line is missing: {error}");
    let error = disagreement(|i, line| keep(line).filter(|_| i < 40));
    assert!(error.contains("found the end of the file"), "{error}");
}
