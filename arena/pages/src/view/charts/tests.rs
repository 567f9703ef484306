//! Tests of the charts of a game.

use super::*;
use crate::view::{Other, ViewedBot};

fn game(seats: usize) -> Viewed {
    let turn = |at: usize| ViewedTurn {
        seat: at % seats,
        played: Some(format!("m{}", at + 1)),
        moves_before: Some(at + 8),
        ..ViewedTurn::default()
    };
    let bots =
        (0..seats).map(|seat| ViewedBot { name: ["A", "B", "C"][seat].to_owned(), ..ViewedBot::default() });
    Viewed {
        bots: bots.collect(),
        colours: (0..seats).rev().collect(),
        turns: (0..6).map(turn).collect(),
        ..Viewed::default()
    }
}

fn keys(chart: &Chart) -> Vec<(&str, &str, &str)> {
    chart.keys.iter().map(|key| (key.mark, key.colour.as_str(), key.text.as_str())).collect()
}

#[test]
fn games_without_numbers_have_the_comparisons_chart() {
    let mut game = game(2);
    for (turn, score) in game.turns.iter_mut().zip([5.0, -5.0, -391.0, 1832.0, -1900.0, 2000.0]) {
        turn.other = Some(Other { answer: "c1".to_owned(), score, worth: Some(-1832.0), ..Other::default() });
    }
    game.turns[5].played = Some("c1".to_owned());
    let charts = charts(&game, "turn=", &[]);
    assert_eq!(charts.len(), 1);
    let marked = "the search would play better: the 4 costliest of 5 turns in which it differs";
    let expected = [("dash", "text", "the search"), ("mark", "text", marked)];
    assert_eq!(keys(&charts[0]), expected);
    let svg = &charts[0].svg;
    assert_eq!(svg.matches("<a href=").count(), 4, "{svg}");
    let text = "turn 3, A m3. The search would play c1 (-391) instead of m3 (-1832).";
    assert!(svg.contains(&format!("<a href=\"#turn=3\" tabindex=\"-1\"><g><title>{text}</title>")), "{svg}");
    assert!(svg.contains("turn 4, B m4: score 1832 by the search"));
    assert!(svg.contains(">-1000</text>") && svg.contains(">6</text>"), "numbers on both axes: {svg}");
}

#[test]
fn lines_have_the_bots_colours_and_failures_are_red() {
    let mut game = game(2);
    for (at, turn) in game.turns.iter_mut().enumerate() {
        turn.numbers = [("depth".to_owned(), 9.0), ("score".to_owned(), at as f64 + 1.0)].into();
        turn.ms = Some(50.0);
    }
    game.limits_ms = Some([1000.0, 100.0]);
    game.turns[4].failure = Some("time-out on a later turn: expected one line".to_owned());
    let charts = charts(&game, "turn=", &[]);
    let titles = charts.iter().map(|chart| (chart.title.as_str(), chart.is_open)).collect::<Vec<_>>();
    assert_eq!(titles, [("score", true), ("answer time", true), ("depth", false)]);
    assert_eq!(keys(&charts[0]), [("line", "p1", "A"), ("line", "p0", "B"), ("bar", "bad", "failed")]);
    assert_eq!(charts[0].remark, "above 0 A is ahead");
    let red = "turn 5, A failed: time-out on a later turn: expected one line</title><rect";
    assert!(charts.iter().all(|chart| chart.svg.contains(red)), "{}", charts[0].svg);
    assert!(charts[1].svg.contains("turn 3, A m3: 50.0 ms of 100") && charts[1].svg.contains(">limit<"));
}

#[test]
fn scores_that_are_always_0_have_no_chart_beside_others() {
    let mut game = game(2);
    for turn in &mut game.turns {
        turn.numbers = [("score".to_owned(), if turn.seat == 0 { 0.0 } else { 5.0 })].into();
    }
    let told = charts(&game, "turn=", &[]);
    assert_eq!((told.len(), keys(&told[0])), (1, vec![("line", "p0", "B")]));
    game.turns.retain(|turn| turn.seat == 0);
    assert_eq!(charts(&game, "turn=", &[]).len(), 1, "alone it has one");
}

#[test]
fn evaluations_in_other_units_have_a_chart_each() {
    let mut game = game(3);
    for turn in &mut game.turns {
        let score = [0.5, 400.0, 300.0][turn.seat];
        turn.numbers = [("score".to_owned(), score)].into();
        turn.other = Some(Other { answer: "x".to_owned(), score: 2.0, ..Other::default() });
    }
    let charts = charts(&game, "turn=", &[]);
    let titles = charts.iter().map(|chart| (chart.title.as_str(), chart.is_open)).collect::<Vec<_>>();
    let own = ["own score of A", "own score of B, C"];
    assert_eq!(titles, [("score by the search", true), (own[0], false), (own[1], false)]);
    let search = ["A", "B", "C"].map(|name| format!("the search for {name}"));
    assert_eq!(keys(&charts[0]).iter().map(|key| key.2.to_owned()).collect::<Vec<_>>(), search);
    assert_eq!(keys(&charts[2]), [("line", "p1", "B"), ("line", "p0", "C")]);
    assert_eq!(
        charts[0].remark, "a line for each bot: above 0 it is ahead",
        "three bots have no common view"
    );
    assert!(!charts[1].remark.contains("in another unit"), "{}", charts[1].remark);
    assert!(charts[2].remark.contains("in another unit than the scores above"), "{}", charts[2].remark);
}
