//! Tests the real bot as a process: whole flights, truncated input, impossible states.

use bots::lander::bot::protocol::{read_answer, write_init, write_turn};
use bots::lander::physics::flight::Judging;
use bots::lander::physics::ground::Fate;
use bots::lander::tools::cases::case::{Case, Flight};
use bots::lander::tools::cases::known::official;

use crate::piped::{run, Ended, Talking};

const LANDER: &str = env!("CARGO_BIN_EXE_lander");

/// A flat 1,000 m wide below a start, and a hill.
const INIT: &str = "3\n0 100\n1000 100\n6999 1500\n";

fn run_bot(input: &str) -> Ended {
    run(LANDER, &["--nodes", "2000"], input.as_bytes())
}

/// Flies a case with the bot.
fn flown(case: &Case, arguments: &[&str]) -> Flight {
    let mut bot = Talking::start(LANDER, arguments);
    bot.write(&write_init(case.ground.points()));
    let mut flight = Flight::new(case);
    while flight.fate == Fate::Flying {
        bot.write(&write_turn(&flight.now().observation()));
        flight.fly(&case.ground, read_answer(&bot.line()).expect("an order"));
    }
    assert!(bot.end().success());
    flight
}

/// Flies the platform's cases of an episode; returns their names.
fn landed(episode: char) -> Vec<String> {
    let mut names = Vec::new();
    for case in official().into_iter().filter(|case| case.name.starts_with(episode)) {
        assert_eq!(flown(&case, &["--nodes", "60000"]).fate, Fate::Landed, "{}", case.name);
        names.push(case.name);
    }
    names
}

#[test]
fn episode_1_is_landed() {
    assert_eq!(landed('1'), ["1.1"]);
}

#[test]
fn episode_2_is_landed() {
    assert_eq!(landed('2'), ["2.1", "2.2", "2.3", "2.4", "2.5"]);
}

#[test]
fn episode_3_is_landed() {
    assert_eq!(landed('3'), ["3.1", "3.2"]);
}

/// The strict bot lands below the limits before rounding.
#[test]
fn a_strict_landing_is_soft_before_rounding() {
    for strict in [false, true] {
        let case = official().remove(2);
        let arguments: &[&str] =
            if strict { &["--nodes", "20000", "--strict"] } else { &["--nodes", "20000"] };
        let flight = flown(&case, arguments);
        assert_eq!(flight.fate, Fate::Landed);
        assert!(!strict || flight.now().is_soft(Judging::Strict), "{:?}", flight.now());
    }
}

#[test]
fn input_may_end_anywhere() {
    let whole = format!("{INIT}500 1000 0 -10 500 0 0\n500 988 0 -13 499 0 1\n");
    for end in (0..whole.len()).step_by(3) {
        let Ended { answers, said, status } = run_bot(&whole[..end]);
        assert_eq!(status, Some(0), "after {end} bytes: {said}");
        let turns = whole[..end].lines().count() - usize::from(!whole[..end].ends_with('\n') && end > 0);
        assert_eq!(answers.len(), turns.saturating_sub(INIT.lines().count()), "after {end} bytes");
    }
}

#[test]
fn a_line_that_makes_no_sense_is_named() {
    for (line, wrong) in [
        ("0\n", 1),
        ("3\n0 100\n1000 x\n", 3),
        ("2\n0 100\n6999 200\n", 3),
        ("3\n0 100\n1000 100\n6999 1500\n500 1000 0 0 500 91 0\n", 5),
        ("3\n0 100\n1000 100\n6999 1500\n500 1000 0 0 99999999999 0 0\n", 5),
    ] {
        let Ended { answers, said, status } = run_bot(line);
        assert_eq!((answers.len(), status), (0, Some(1)), "{line:?}: {said}");
        assert!(said.contains(&format!("input line {wrong}: expected")), "{said}");
    }
}

#[test]
fn what_cannot_be_is_answered_all_the_same() {
    let turns = [
        // Without fuel, in the ground, on the border, and jumps.
        "500 1000 0 0 0 0 0",
        "6000 200 0 0 500 0 0",
        "0 0 -600 600 2000 -90 4",
        "7000 3000 600 600 1 90 0",
        "500 105 0 -39 3 0 4",
        "3500 2900 0 0 2000 0 0",
    ];
    let Ended { answers, said, status } = run_bot(&format!("{INIT}{}\n", turns.join("\n")));
    assert_eq!(status, Some(0), "{said}");
    assert_eq!(answers.len(), turns.len());
    assert!(answers.iter().all(|answer| read_answer(answer).is_some()), "{answers:?}");
    assert!(said.contains("told 6000 200 0 0 500 0 0 where 500 998 0 -4 0 "), "{said}");
}
