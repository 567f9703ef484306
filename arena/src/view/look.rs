//! Where to look first in a game: the turn of a failure, the turn after which the loser's own evaluation fell most, the turn
//! that another bot holds for the worst.

use super::{numbers, Viewed, ViewedTurn};

/// Names under which bots report what they think of a position, the first that is there counts.
const EVALUATIONS: [&str; 4] = ["score", "eval", "evaluation", "value"];

/// Above this, an evaluation is a certain win.
const CERTAIN: f64 = 9e5;

/// A turn to look at.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    /// The number of the turn, from 1.
    pub turn: usize,
    /// Why.
    pub why: String,
}

/// The turns to look at, the most telling first. `compared` is the bot that was asked about each turn.
pub fn looks(game: &Viewed, compared: &str) -> Vec<Look> {
    let mut looks = failures(game);
    let losers = losers(game);
    looks.extend(disagreement(game, &losers, compared));
    for &seat in &losers {
        let lost = first_certain_loss(game, seat);
        looks.extend(drop_of(game, seat, lost.as_ref().map_or(game.turns.len(), |look| look.turn)));
        looks.extend(lost);
    }
    looks
}

/// The name under which a game's bots report their evaluation.
pub fn evaluation(game: &Viewed) -> Option<&'static str> {
    EVALUATIONS.into_iter().find(|name| game.turns.iter().any(|turn| turn.numbers.contains_key(*name)))
}

fn name(game: &Viewed, seat: usize) -> String {
    game.bots.get(seat).map_or_else(|| format!("seat {seat}"), |bot| bot.name.clone())
}

/// The seats with fewer points than the best; all of them, if none has or nothing is known.
fn losers(game: &Viewed) -> Vec<usize> {
    let seats = 0..game.bots.len();
    let better = |a: i64, b: i64| if game.is_lower_better { a < b } else { a > b };
    let best = game.scores.iter().copied().reduce(|a, b| if better(b, a) { b } else { a });
    let lost = |&seat: &usize| {
        game.scores.get(seat).is_some_and(|&score| best.is_some_and(|best| better(best, score)))
    };
    let losers = seats.clone().filter(lost).collect::<Vec<_>>();
    if losers.is_empty() {
        seats.collect()
    } else {
        losers
    }
}

/// How a game ended for a bot, for sorting: 0 lost, 1 drawn or not known, 2 won, 3 without it.
pub fn rank(game: &Viewed, name: &str) -> u8 {
    let Some(seat) = game.bots.iter().position(|bot| bot.name == name) else { return 3 };
    let losers = losers(game);
    match losers.contains(&seat) {
        _ if losers.len() == game.bots.len() && game.bots.len() > 1 => 1,
        true => 0,
        false => 2,
    }
}

fn failures(game: &Viewed) -> Vec<Look> {
    let look = |(seat, number, what): &(usize, u32, String)| {
        let of_seat = game.turns.iter().enumerate().filter(|(_, turn)| turn.seat == *seat);
        let at = of_seat.map(|(at, _)| at + 1).nth((*number as usize).saturating_sub(1));
        // An answer that never came has no turn of its own.
        let turn = at.unwrap_or(game.turns.len() + 1);
        Look { turn, why: format!("{} failed: {what}", name(game, *seat)) }
    };
    game.failures.iter().map(look).collect()
}

/// An evaluation on a scale on which a lost lead counts more than the size of a certain win.
fn bent(value: f64, (scale, largest): (f64, f64)) -> f64 {
    // A certain win is a little more than the best estimate.
    if value.abs() >= CERTAIN {
        value.signum() * ((largest / scale).asinh() + 0.5)
    } else {
        (value / scale).asinh()
    }
}

/// The middle of all evaluations' sizes, and the largest.
fn scale(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let mut sizes = values.map(f64::abs).filter(|size| *size > 0.0 && *size < CERTAIN).collect::<Vec<_>>();
    sizes.sort_by(f64::total_cmp);
    (sizes.get(sizes.len() / 2).copied().unwrap_or(1.0), sizes.last().copied().unwrap_or(1.0))
}

/// The first turn in which a bot's own search, or the other one, saw a certain loss: nothing later cost anything.
fn first_certain_loss(game: &Viewed, seat: usize) -> Option<Look> {
    let key = evaluation(game);
    let own = |turn: &ViewedTurn| key.and_then(|key| turn.numbers.get(key).copied());
    let (at, value) =
        game.turns.iter().enumerate().filter(|(_, turn)| turn.seat == seat).find_map(|(at, turn)| {
            let other = turn.other.as_ref().map(|other| other.score);
            [own(turn), other].into_iter().flatten().find(|value| *value <= -CERTAIN).map(|value| (at, value))
        })?;
    let name = name(game, seat);
    let why = format!(
        "{name} was lost from here on ({}): what decided the game was played before",
        numbers::shown(value)
    );
    Some(Look { turn: at + 1, why })
}

/// Where a bot's own evaluation fell most from one of its turns to its next, up to turn `last`.
fn drop_of(game: &Viewed, seat: usize, last: usize) -> Option<Look> {
    let key = evaluation(game)?;
    let told = |(at, turn): (usize, &ViewedTurn)| Some((at, *turn.numbers.get(key)?));
    let own = game.turns.iter().enumerate().take(last).filter(|(_, turn)| turn.seat == seat);
    let own = own.filter_map(told).collect::<Vec<_>>();
    let scale = scale(own.iter().map(|(_, value)| *value));
    let fall = |pair: &[(usize, f64)]| bent(pair[0].1, scale) - bent(pair[1].1, scale);
    let pair = own.windows(2).max_by(|a, b| fall(a).total_cmp(&fall(b)))?;
    if fall(pair) < 0.25 {
        return None;
    }
    let ((at, before), (next, after)) = (pair[0], pair[1]);
    let answer = shown_move(&game.turns[at]);
    let (before, after) = (numbers::shown(before), numbers::shown(after));
    let name = name(game, seat);
    let why = format!(
        "{name} played {answer}; its own {key} fell most after that, from {before} to {after} in turn {}",
        next + 1
    );
    Some(Look { turn: at + 1, why })
}

/// The turn in which a loser's answer cost most, as the other bot sees it.
fn disagreement(game: &Viewed, losers: &[usize], compared: &str) -> Option<Look> {
    let others = game.turns.iter().filter_map(|turn| turn.other.as_ref().map(|other| other.score));
    let scale = scale(others);
    let cost = |at: usize| {
        let (turn, next) = (&game.turns[at], game.turns.get(at + 1)?);
        let other = turn.other.as_ref().filter(|_| turn.differs())?;
        let next_score = next.other.as_ref()?.score;
        let after = if next.seat == turn.seat { next_score } else { -next_score };
        Some((bent(other.score, scale) - bent(after, scale), other, after))
    };
    let asked = (0..game.turns.len()).filter(|&at| losers.contains(&game.turns[at].seat));
    let all = asked.filter_map(|at| Some((at, cost(at)?)));
    let (at, (cost, other, after)) = all.max_by(|(_, a), (_, b)| a.0.total_cmp(&b.0))?;
    if cost < 0.1 {
        return None;
    }
    let turn = &game.turns[at];
    let why = format!(
        "{} played {}; {compared} would play {} (score {}), and sees {} after what was played: the costliest \
         disagreement",
        name(game, turn.seat),
        shown_move(turn),
        other.answer,
        numbers::shown(other.score),
        numbers::shown(after)
    );
    Some(Look { turn: at + 1, why })
}

/// A turn's move as the rules write it, or its answer.
pub fn shown_move(turn: &ViewedTurn) -> String {
    turn.played.clone().unwrap_or_else(|| shortened(&turn.answer))
}

/// The first line of an answer, not too long.
fn shortened(answer: &str) -> String {
    let line = answer.lines().next().unwrap_or("nothing");
    match line.chars().count() {
        0..=40 => line.to_owned(),
        _ => line.chars().take(40).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::{Other, ViewedBot};

    /// A and B in turn, with these evaluations of their own.
    fn game(scores: &[i64], evaluations: &[f64]) -> Viewed {
        let turn = |(at, &value): (usize, &f64)| ViewedTurn {
            seat: at % 2,
            answer: format!("m{}", at + 1),
            played: Some(format!("m{}", at + 1)),
            numbers: [("score".to_owned(), value)].into(),
            ..ViewedTurn::default()
        };
        Viewed {
            bots: ["A", "B"].map(|name| ViewedBot { name: name.to_owned(), ..ViewedBot::default() }).to_vec(),
            scores: scores.to_vec(),
            turns: evaluations.iter().enumerate().map(turn).collect(),
            ..Viewed::default()
        }
    }

    #[test]
    fn the_loser_fell_where_its_own_score_fell_most() {
        let game = game(&[0, 1], &[10.0, 5.0, 20.0, 400.0, -300.0, 900.0, -400.0, -5.0]);
        let looks = looks(&game, "");
        assert_eq!(looks.len(), 1, "{looks:?}");
        assert_eq!(looks[0].turn, 3);
        assert!(looks[0].why.starts_with("A played m3; its own score fell most after that, from 20 to -300"));
    }

    #[test]
    fn a_lead_that_is_lost_counts_more_than_the_size_of_a_loss() {
        let game =
            game(&[0, 1], &[50.0, 0.0, -60.0, 0.0, -900_000.0 + 1.0, 0.0, -990_000.0, 0.0, -999_990.0]);
        assert_eq!(looks(&game, "")[0].turn, 3);
    }

    #[test]
    fn the_costliest_disagreement_is_the_losers() {
        let mut game = game(&[0, 1], &[0.0; 6]);
        // As the mover sees it: A's second answer turns +100 into -500.
        let scores = [10.0, -10.0, 100.0, 500.0, -450.0, 400.0];
        for (turn, score) in game.turns.iter_mut().zip(scores) {
            turn.other = Some(Other { answer: "x".to_owned(), score });
        }
        let looks = looks(&game, "in:bot");
        assert_eq!(looks.last().map(|look| look.turn), Some(3), "{looks:?}");
        assert!(looks[0]
            .why
            .contains("in:bot would play x (score 100), and sees -500 after what was played"));
    }

    #[test]
    fn lost_games_come_before_won_ones() {
        let rank = |scores: &[i64], name: &str| rank(&game(scores, &[]), name);
        assert_eq!(
            [rank(&[0, 1], "A"), rank(&[1, 1], "A"), rank(&[], "A"), rank(&[2, 1], "A")],
            [0, 1, 1, 2]
        );
        assert_eq!((rank(&[2, 1], "B"), rank(&[2, 1], "C")), (0, 3));
    }

    #[test]
    fn a_failure_comes_first() {
        let mut game = game(&[-1, 1], &[1.0, 2.0, 3.0]);
        game.failures = vec![(0, 2, "illegal move".to_owned())];
        assert_eq!(looks(&game, "")[0], Look { turn: 3, why: "A failed: illegal move".to_owned() });
        game.failures = vec![(0, 9, "crash".to_owned())];
        assert_eq!(looks(&game, "")[0].turn, 4, "the end");
    }
}
