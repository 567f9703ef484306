//! Tests of the turns that may have lost a game, and of what is said about them.

use super::*;
use crate::view::{Checked, Other, ViewedBot};

/// A game of two that seat 0 lost, whose turns are all that seat's: its score before each, and that after the move played.
fn game(turns: &[(f64, f64)]) -> Viewed {
    let turn = |&(score, worth): &(f64, f64)| ViewedTurn {
        played: Some("m".to_owned()),
        other: Some(Other { answer: "x".to_owned(), score, worth: Some(worth), ..Other::default() }),
        ..ViewedTurn::default()
    };
    Viewed {
        bots: vec![ViewedBot::default(); 2],
        scores: vec![0, 1],
        turns: turns.iter().map(turn).collect(),
        ..Viewed::default()
    }
}

fn found(game: &Viewed) -> Vec<usize> {
    candidates(game, 0).into_iter().map(|(at, _)| at).collect()
}

#[test]
fn the_costliest_come_first_and_what_costs_little_is_left_out() {
    let game = game(&[(100.0, 60.0), (60.0, -100.0), (-120.0, -130.0)]);
    assert_eq!(found(&game), [1, 0]);
    assert!(candidates(&game, 0).windows(2).all(|pair| pair[0].1 >= pair[1].1));
    assert_eq!(candidates(&game, 1), [], "the other seat had no turn");
}

#[test]
fn a_move_as_the_other_bot_would_play_it_is_none() {
    let mut game = game(&[(100.0, -100.0), (100.0, -100.0), (-110.0, -120.0)]);
    game.turns[0].other.as_mut().unwrap().answer = "m".to_owned();
    game.turns[1].failure = Some("crash".to_owned());
    assert_eq!(found(&game), [] as [usize; 0], "failures are told elsewhere");
}

#[test]
fn what_came_back_later_is_none() {
    // The first move costs all, but the third turn is as good as the first was.
    let game = game(&[(100.0, -90.0), (-95.0, -95.0), (100.0, -100.0), (-110.0, -120.0)]);
    assert_eq!(found(&game), [2]);
}

#[test]
fn what_is_played_when_the_game_is_clearly_lost_is_none() {
    // Nothing is a candidate on the scale up to a lost game; on the one without ends, the last two turns would be.
    let game = game(&[(-90.0, -95.0), (-95.0, -96.0), (-200.0, -2_000.0), (-2_000.0, -30_000.0)]);
    let lost = Values::of_other(&game, 0).clearly_lost().unwrap().0;
    assert!(found(&game).iter().all(|at| at + 1 < lost), "{:?}, lost in turn {lost}", found(&game));
    // Lost from the first turn, all count.
    let game = self::game(&[(-9_000.0, -9_100.0), (-9_100.0, -30_000.0), (-30_000.0, -31_000.0)]);
    assert_eq!(found(&game).first(), Some(&1));
}

#[test]
fn the_last_word_decides() {
    let mut game = game(&[(100.0, 20.0), (20.0, -40.0), (-110.0, -120.0)]);
    assert_eq!(found(&game)[0], 0);
    // With more nodes, the first move is as good as the other one.
    let checked = |score: f64, worth: f64| {
        let budget = "80 nodes".to_owned();
        Some(Checked { answer: "y".to_owned(), score, worth: Some(worth), budget, ..Checked::default() })
    };
    game.turns[0].other.as_mut().unwrap().checked = checked(90.0, 90.0);
    game.turns[1].other.as_mut().unwrap().checked = checked(90.0, -90.0);
    assert_eq!(found(&game), [1]);
    assert_eq!(
        would_play(&game.turns[1]),
        "The search would play x (20) instead of m (-40). With 80 nodes the search would play y (90) instead of m (-90)."
    );
}

#[test]
fn the_same_advice_is_given_once_with_the_larger_budget() {
    let mut game = game(&[(100.0, 20.0)]);
    let budget = "80 nodes".to_owned();
    let checked =
        Checked { answer: "x".to_owned(), score: 90.0, worth: Some(-90.0), budget, ..Checked::default() };
    game.turns[0].other.as_mut().unwrap().checked = Some(checked);
    assert_eq!(would_play(&game.turns[0]), "With 80 nodes the search would play x (90) instead of m (-90).");
}

#[test]
fn no_move_is_advised_that_is_worth_less_without_saying_so() {
    let game = game(&[(-500.0, -300.0)]);
    assert_eq!(
        would_play(&game.turns[0]),
        "The search would play x (-500), but m (-300) turned out no worse."
    );
    assert_eq!(found(&game), [] as [usize; 0]);
}

#[test]
fn a_turn_that_cost_nearly_as_much_is_named() {
    let game = game(&[(100.0, 20.0), (20.0, -40.0), (-110.0, -120.0)]);
    let told = losing(&game, 0).unwrap();
    assert_eq!((told.turn, told.sureness), (1, Sureness::Unsure));
    assert!(
        told.why.ends_with(
            "turn 2 cost nearly as much, on the scale of the chart: a point far from 0 counts less."
        ),
        "{}",
        told.why
    );
    // The second opinion is the next in the list.
    let next = &crate::view::look::looks(&game)[1];
    assert!(next.turn == 2 && next.why.contains("would play x (20) instead of m (-40)"), "{next:?}");
}

#[test]
fn a_score_that_more_nodes_took_back_hides_nothing() {
    // After the first move the game looked won again, until the search looked longer.
    let mut game = game(&[(100.0, -50.0), (110.0, 110.0), (-110.0, -120.0)]);
    game.turns[1].other.as_mut().unwrap().answer = "m".to_owned();
    assert_eq!(found(&game), [] as [usize; 0], "what came back cost nothing");
    let (budget, answer) = ("80 nodes".to_owned(), "m".to_owned());
    let checked = Checked { answer, score: -60.0, worth: Some(-90.0), budget, ..Checked::default() };
    game.turns[1].other.as_mut().unwrap().checked = Some(checked);
    assert_eq!(found(&game), [0]);
}

#[test]
fn where_nothing_better_was_to_be_played_the_costliest_choice_before_is_named() {
    // Each choice came back, then the score fell after a move that the search would have played too.
    let mut game = game(&[(100.0, 20.0), (90.0, -20.0), (100.0, -100.0), (-110.0, -120.0)]);
    game.turns[2].other.as_mut().unwrap().answer = "m".to_owned();
    assert_eq!(choice_before(&game, 0, 3), Some(1));
    assert_eq!(choice_before(&game, 0, 1), None, "nothing stands before the first turn");
    let why = losing(&game, 0).unwrap().why;
    assert!(why.contains("as the search would have") && why.contains("look at turn 2 as well"), "{why}");
    game.turns[1].other.as_mut().unwrap().worth = Some(90.0);
    game.turns[0].other.as_mut().unwrap().worth = Some(100.0);
    assert!(losing(&game, 0).unwrap().why.contains("its scores show no costly earlier choice"));
}

#[test]
fn a_fall_without_a_costly_choice_has_another_turn_to_look_at() {
    // The first fall came back, the second only in part, and the third is the largest.
    let scores = [100.0, -90.0, 100.0, 40.0, 45.0, -300.0, -400.0];
    let mut game = game(&scores.map(|score| (score, score)));
    for turn in &mut game.turns {
        turn.other.as_mut().unwrap().answer = "m".to_owned();
    }
    let found = losing(&game, 0).unwrap();
    assert_eq!((found.turn, fall_besides(&game, 0, 5)), (5, Some((3, "from 100 to at most 45".to_owned()))));
    assert!(found.why.contains("look at turn 3 too"), "{}", found.why);
    let looks = crate::view::look::looks(&game);
    let why = "the search's score fell for good after that, from 100 to at most 45";
    assert!(looks[1].turn == 3 && looks[1].why.contains(why), "{looks:?}");
}
