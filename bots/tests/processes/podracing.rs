//! Tests the real bot as a process: whole races, truncated input, impossible states.

use bots::podracing::protocol::{read_answer, read_order};
use bots::podracing::tools::contest::{random_orders, POD_RACING};
use contest::{Contest, Referee, Setup};
use coppice::Rng;

use crate::piped::{run, Ended, Talking};

const BOT: &str = env!("CARGO_BIN_EXE_podracing");

/// A track, and a turn.
const INIT: &str = "3\n3\n6017 5352\n11320 2834\n7530 6963\n";
const TURN: &str = "5803 4900 0 0 -1 1\n6231 5804 0 0 -1 1\n5374 3997 0 0 -1 1\n6660 6707 0 0 -1 1\n";

fn run_bot(input: &str) -> Ended {
    run(BOT, &["--nodes", "100"], input.as_bytes())
}

#[test]
fn the_bot_wins_against_random_orders() {
    let mut bot = Talking::start(BOT, &["--nodes", "400"]);
    let mut game = POD_RACING.game(Setup { seed: 5, opening_plies: 0, limits: POD_RACING.limits() });
    let mut rng = Rng::new(1);
    bot.write(&game.init(1));
    while !game.asked().is_empty() {
        bot.write(&game.turn(1));
        let lines = [0, 1].map(|_| bot.line());
        game.answer(1, &lines.join("\n")).expect("two orders");
        let random = bots::podracing::protocol::write_answer(random_orders(&mut rng));
        game.answer(0, &random).expect("two orders");
    }
    assert!(bot.end().success());
    let scores = game.scores();
    assert!(scores[1] == 2, "{scores:?}");
}

#[test]
fn input_may_end_anywhere() {
    let whole = format!("{INIT}{TURN}{TURN}");
    for end in (0..whole.len()).step_by(7) {
        let Ended { answers, said, status } = run_bot(&whole[..end]);
        assert_eq!(status, Some(0), "after {end} bytes: {said}");
        let lines = whole[..end].matches('\n').count();
        assert_eq!(answers.len(), lines.saturating_sub(INIT.lines().count()) / 4 * 2, "after {end} bytes");
    }
}

#[test]
fn a_line_that_makes_no_sense_is_named() {
    for (input, wrong) in [
        ("3\n0\n".to_owned(), 2),
        ("3\n-1\n".to_owned(), 2),
        ("none\n".to_owned(), 1),
        ("3\n3\n1 2\n3\n".to_owned(), 4),
        (format!("{INIT}5803 4900 0 0 -1 3\n"), 6),
        (format!("{INIT}5803 4900 0 0 -1 -1\n"), 6),
        (format!("{INIT}5803 4900 0 0 400 1\n"), 6),
        (format!("{INIT}5803 99999999999 0 0 -1 1\n"), 6),
    ] {
        let Ended { answers, said, status } = run_bot(&input);
        assert_eq!((answers.len(), status, said.lines().count()), (0, Some(1), 1), "{input:?}: {said}");
        assert!(said.contains(&format!("input line {wrong}: expected")), "{said}");
    }
}

#[test]
fn what_cannot_be_is_answered_all_the_same() {
    // Pods on one place, far outside, faster than any can be; checkpoints that come again.
    let turns = [
        TURN,
        "5803 4900 0 0 90 1\n5803 4900 0 0 0 1\n5803 4900 0 0 360 1\n5803 4900 0 0 -1 1\n",
        "-9999999 9999999 0 0 90 0\n0 0 9999999 -9999999 0 2\n0 0 0 0 0 1\n9000 0 0 0 0 0\n",
        TURN,
    ];
    let Ended { answers, said, status } = run_bot(&format!("{INIT}{}", turns.concat()));
    assert_eq!(status, Some(0), "{said}");
    assert_eq!(answers.len(), 2 * turns.len());
    assert!(answers.iter().all(|line| read_order(line).is_some()), "{answers:?}");
    assert!(read_answer(&answers[..2].join("\n")).is_ok());
    let lonely = "1\n2\n0 0\n0 0\n0 0 0 0 0 1\n0 0 0 0 0 1\n0 0 0 0 0 1\n0 0 0 0 0 1\n";
    assert_eq!(run_bot(lonely).status, Some(0), "two checkpoints on one place");
}
