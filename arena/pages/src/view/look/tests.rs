//! Tests of the turns to look at, and of the one that lost the game.

use super::*;
use crate::view::losing::Sureness;
use crate::view::{Checked, Other, ViewedBot, ViewedTurn};

/// Bots A, B, … in turn, with these evaluations of their own.
fn game(scores: &[i64], evaluations: &[f64]) -> Viewed {
    let seats = scores.len();
    let turn = |(at, &value): (usize, &f64)| ViewedTurn {
        seat: at % seats,
        round: at + 1,
        answer: format!("m{}", at + 1),
        played: Some(format!("m{}", at + 1)),
        numbers: [("score".to_owned(), value)].into(),
        ..ViewedTurn::default()
    };
    let bot = |name: &&str| ViewedBot { name: (*name).to_owned(), ..ViewedBot::default() };
    Viewed {
        bots: ["A", "B", "C", "D"][..seats].iter().map(bot).collect(),
        scores: scores.to_vec(),
        turns: evaluations.iter().enumerate().map(turn).collect(),
        ..Viewed::default()
    }
}

/// A game with another bot's opinions: it would always play x, and a move is worth the seat's next value.
fn compared(scores: &[i64], values: &[f64]) -> Viewed {
    let mut game = game(scores, values);
    let seats = scores.len();
    for (at, turn) in game.turns.iter_mut().enumerate() {
        turn.numbers.clear();
        let worth =
            if seats == 2 { values.get(at + 1).map(|next| -next) } else { values.get(at + seats).copied() };
        turn.other = Some(Other { answer: "x".to_owned(), score: values[at], worth, ..Other::default() });
    }
    game
}

fn turns(game: &Viewed) -> Vec<usize> {
    looks(game).iter().map(|look| look.turn).collect()
}

#[test]
fn the_loser_fell_where_its_own_score_fell_most() {
    let game = game(&[0, 1], &[10.0, 5.0, 20.0, 400.0, -300.0, 900.0, -400.0, 950.0]);
    let looks = looks(&game);
    assert_eq!(looks.iter().map(|look| look.turn).collect::<Vec<_>>(), [3, 5, 5], "{looks:?}");
    assert_eq!((looks[0].lost_by, looks[1].lost_by), (Some(0), None));
    assert!(looks[0]
        .why
        .starts_with("A played m3; its own score fell most after that, from 20 to -300 in turn 5"));
}

#[test]
fn a_lead_that_is_lost_counts_more_than_the_size_of_a_loss() {
    let game = game(&[0, 1], &[50.0, 0.0, -60.0, 0.0, -900_000.0 + 1.0, 0.0, -990_000.0, 0.0, -999_990.0]);
    assert_eq!(turns(&game)[0], 3);
}

#[test]
fn the_costliest_disagreement_is_the_losers() {
    // As the mover sees it: A's second answer turns +100 into -500.
    let game = compared(&[0, 1], &[10.0, -10.0, 100.0, 500.0, -450.0, 400.0]);
    let looks = looks(&game);
    assert_eq!((looks[0].turn, looks.last().unwrap().turn), (3, 5), "{looks:?}");
    let words = "A played m3; the search would play x (100) instead of m3 (-500). An estimate: more nodes";
    assert!(looks[0].why.starts_with(words), "{looks:?}");
    let last = &looks.last().unwrap().why;
    assert!(last.starts_with("A was clearly lost from here on (the search's score is -450)"), "{last}");
}

#[test]
fn what_the_opponent_gave_back_was_not_the_losing_turn() {
    // A lost 400 in its first turn, was given them back, and lost 450 for good in its fourth.
    let values = [100.0, 300.0, -290.0, -200.0, 210.0, -150.0, 160.0, 300.0, -310.0, 500.0];
    let game = compared(&[0, 1], &values);
    assert_eq!(losing(&game, 0).unwrap().turn, 7);
}

#[test]
fn asked_again_a_search_says_how_sure_it_is() {
    let mut game = compared(&[0, 1], &[200.0, 100.0, -90.0, 80.0, -70.0, 500.0, -600.0, 700.0]);
    let found = losing(&game, 0).unwrap();
    assert_eq!((found.turn, found.sureness), (1, Sureness::Unsure), "{found:?}");
    let checked = |answer: &str, score: f64, worth: f64| {
        let budget = "80 nodes".to_owned();
        Some(Checked { answer: answer.to_owned(), score, worth: Some(worth), budget, ..Checked::default() })
    };
    // With more nodes it would play the first move too, and the third loses for certain.
    game.turns[0].other.as_mut().unwrap().checked = checked("m1", 50.0, 50.0);
    game.turns[4].other.as_mut().unwrap().checked = checked("x", -60.0, -999_990.0);
    let found = losing(&game, 0).unwrap();
    assert_eq!((found.turn, found.sureness), (5, Sureness::Proved), "{found:?}");
    assert!(looks(&game).iter().all(|look| !look.why.contains("clearly lost")), "{:?}", looks(&game));
    assert!(
        found
            .why
            .contains("; with 80 nodes the search would play x (-60) instead of m5 (loss in 10). Proved"),
        "{found:?}"
    );
}

#[test]
fn of_four_seats_the_decision_counts_not_the_way_out() {
    // A's values by turn: ahead, ahead, behind, far behind, out; the others stay.
    let mine = [900.0, 800.0, -3_000.0, -20_000.0, -899_800.0];
    let values: Vec<f64> = mine.iter().flat_map(|&value| [value, 500.0, 400.0, 300.0]).collect();
    let mut game = compared(&[0, 1, 2, 3], &values[..19]);
    game.turns[16].played = Some("OUT".to_owned());
    game.turns[16].other.as_mut().unwrap().answer = "OUT".to_owned();
    let looks = looks(&game);
    assert_eq!((looks[0].turn, looks[0].lost_by), (5, Some(0)), "{looks:?}");
    let out = looks.iter().find(|look| look.turn == 17).unwrap();
    assert!(out.why.starts_with("A played OUT and was out, 4th of 4"), "{looks:?}");
    // Then the other losers from the last place up, each with its own turns; the winner has none.
    let seats = looks.chunk_by(|a, b| a.seat == b.seat).map(|looks| looks[0].seat).collect::<Vec<_>>();
    assert_eq!(seats, [0, 1, 2], "{looks:?}");
}

#[test]
fn a_lead_that_goes_step_by_step_was_lost_where_it_was_last_there() {
    let mine = (0..=20).map(|turn| 100.0 - 10.0 * f64::from(turn));
    let values: Vec<f64> = mine.flat_map(|value| [value, -value]).collect();
    let mut game = game(&[0, 1], &values);
    game.turns.iter_mut().filter(|turn| turn.seat == 1).for_each(|turn| turn.numbers.clear());
    let found = losing(&game, 0).unwrap();
    assert_eq!(found.turn, 19, "{found:?}");
    assert!(
        found.why.contains("its own score was above 0 for the last time, 10, and fell step by step"),
        "{found:?}"
    );
}

#[test]
fn the_winners_evaluation_is_a_second_opinion() {
    // A is blind until the end; B sees that the fifth turn decided the game.
    let mut game = game(&[0, 1], &[10.0, 0.0, 9.0, 12.0, 11.0, 500.0, 8.0, 600.0, -900.0]);
    let told = looks(&game);
    assert_eq!((told[0].turn, told[1].turn), (5, 7), "it saw it first: {told:?}");
    let rise = "A played m5; the score of B rose most after that, from 12 to 500 in turn 6, and stayed there";
    assert!(told[0].why.starts_with(rise), "{told:?}");
    // With a comparison there is a better one.
    game.turns[0].other = Some(Other::default());
    assert!(looks(&game).iter().all(|look| look.turn != 5));
}

#[test]
fn a_game_that_was_lost_from_the_start_still_has_a_costliest_move() {
    let mut game = game(&[0, 1], &[0.0; 4]);
    for (turn, worth) in game.turns.iter_mut().zip([-130.0, 0.0, -400.0, 0.0]) {
        turn.other = Some(Other { score: -125.0, worth: Some(worth), ..Other::default() });
    }
    let told = looks(&game);
    assert_eq!((told[0].turn, told[1].turn), (3, 1), "{told:?}");
}

#[test]
fn a_failure_comes_first() {
    let mut game = game(&[-1, 1], &[1.0, 2.0, 3.0]);
    game.turns[2].failure = Some("illegal move: expected a1, received \"b9\"".to_owned());
    let why = "A failed: illegal move: expected a1, received \"b9\"".to_owned();
    assert_eq!(looks(&game)[0], Look { turn: 3, why, seat: 0, lost_by: Some(0), told: "lost the game here" });
    assert_eq!(looks(&game).iter().filter(|look| look.turn == 3).count(), 1);
    assert_eq!((losing(&game, 0).map(|found| found.turn), losing(&game, 1)), (Some(3), None));
}

#[test]
fn a_draw_has_turns_to_look_at_and_none_that_lost_it() {
    let game = compared(&[1, 1], &[10.0, -10.0, 100.0, 500.0, -450.0, 400.0]);
    assert_eq!(losing(&game, 0), None);
    assert!(looks(&game).iter().all(|look| look.lost_by.is_none()));
}

#[test]
fn a_page_opens_at_the_losing_turn_of_its_bot() {
    let mut game = game(&[0, 3, 1], &[9.0, 5.0, 8.0, -700.0, 6.0, -900.0, -800.0, 6.0, -950.0]);
    game.viewpoint = 2;
    assert_eq!(looks(&game)[0].lost_by, Some(2));
    assert_eq!(looks(&game)[0].turn, losing(&game, 2).unwrap().turn);
}
