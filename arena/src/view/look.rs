//! Where to look first in a game: the turn of a failure, the turn after which the loser's own evaluation fell most, the turn
//! that another bot holds for the worst, the turn from which the game was lost.

use contest::Seat;

use super::bend::Bend;
use super::numbers::{is_certain, shown};
use super::outcome::{is_lost, losers};
use super::{Viewed, ViewedTurn};

/// Names under which bots report what they think of a position, the first that is there counts.
const EVALUATIONS: [&str; 4] = ["score", "eval", "evaluation", "value"];

/// The least fall of an evaluation, on the scale of [`Bend`], that is worth a look.
const LEAST_FALL: f64 = 0.25;

/// The least cost of an answer, on the same scale.
const LEAST_COST: f64 = 0.1;

/// The share of the largest size at which an evaluation is low.
const LOW_SHARE: f64 = 1.0 / 3.0;

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
        let mut falls = own_fall(game, seat).into_iter().collect::<Vec<_>>();
        // The other bot's evaluation is a second opinion, where there is no third.
        if game.turns.iter().all(|turn| turn.other.is_none()) {
            falls.extend(rise_of_other(game, seat));
        }
        falls.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        looks.extend(falls.into_iter().map(|(_, look)| look));
        let lost = lost_from(game, seat).filter(|_| is_lost(game, seat));
        looks.extend(lost.map(|lost| lost.look(game, seat, compared)));
    }
    looks
}

/// The turn in which a seat lost the game: that of its failure, or the first in which its own evaluation or the other bot's
/// says that it is clearly lost.
pub fn losing_turn(game: &Viewed, seat: Seat) -> Option<usize> {
    let failed = game.turns.iter().position(|turn| turn.seat == seat && turn.failure.is_some());
    is_lost(game, seat).then(|| failed.map(|at| at + 1).or_else(|| Some(lost_from(game, seat)?.turn)))?
}

/// The name under which a game's bots report their evaluation.
pub fn evaluation(game: &Viewed) -> Option<&'static str> {
    EVALUATIONS.into_iter().find(|name| game.turns.iter().any(|turn| turn.numbers.contains_key(*name)))
}

fn failures(game: &Viewed) -> Vec<Look> {
    let failed =
        game.turns.iter().enumerate().filter_map(|(at, turn)| Some((at, turn, turn.failure.as_ref()?)));
    failed
        .map(|(at, turn, what)| Look {
            turn: at + 1,
            why: format!("{} failed: {what}", game.name(turn.seat)),
        })
        .collect()
}

/// The first turn in which an evaluation says that the game is lost.
#[derive(Debug, Clone, Copy)]
struct Lost {
    turn: usize,
    value: f64,
    /// Whether the bot itself says so.
    is_own: bool,
}

impl Lost {
    fn look(self, game: &Viewed, seat: Seat, compared: &str) -> Look {
        let value = shown(self.value);
        let told = match (self.is_own, evaluation(game)) {
            (true, Some(key)) => format!("its own {key} is {value}"),
            _ => format!("{value} as {compared} sees it"),
        };
        let name = game.name(seat);
        Look {
            turn: self.turn,
            why: format!(
                "{name} was clearly lost from here on ({told}): what decided the game was played before"
            ),
        }
    }
}

/// The first turn in which a seat's own evaluation or the other bot's is clearly lost.
fn lost_from(game: &Viewed, seat: Seat) -> Option<Lost> {
    let lost = |is_own: bool| move |(turn, value): (usize, f64)| Lost { turn, value, is_own };
    let own = clearly_lost(&own_values(game, seat)).map(lost(true));
    let other = clearly_lost(&other_values(game, seat)).map(lost(false));
    [own, other].into_iter().flatten().min_by_key(|lost| lost.turn)
}

/// The numbers of a seat's turns with what it says about them.
fn own_values(game: &Viewed, seat: Seat) -> Vec<(usize, f64)> {
    let key = evaluation(game);
    values(game, seat, |turn| key.and_then(|key| turn.numbers.get(key).copied()))
}

/// The numbers of a seat's turns with what the other bot says about them.
fn other_values(game: &Viewed, seat: Seat) -> Vec<(usize, f64)> {
    values(game, seat, |turn| turn.other.as_ref().map(|other| other.score))
}

fn values(game: &Viewed, seat: Seat, value: impl Fn(&ViewedTurn) -> Option<f64>) -> Vec<(usize, f64)> {
    let turns = game.turns.iter().enumerate().filter(|(_, turn)| turn.seat == seat);
    turns.filter_map(|(at, turn)| Some((at + 1, value(turn)?))).collect()
}

/// The first of these evaluations that is a certain loss, or low with none after it that isn't negative.
fn clearly_lost(values: &[(usize, f64)]) -> Option<(usize, f64)> {
    let bend = Bend::of(values.iter().map(|(_, value)| *value));
    let low = -bend.middle.max(bend.largest * LOW_SHARE);
    let is_lost = |at: usize| {
        let value = values[at].1;
        let stays = || values[at..].iter().all(|(_, later)| *later < 0.0);
        value < 0.0 && (is_certain(value) || (value <= low && stays()))
    };
    (0..values.len()).find(|&at| is_lost(at)).map(|at| values[at])
}

/// The place of the largest fall from one of these evaluations to the next, before the game is lost, and its size.
fn largest_fall(values: &[(usize, f64)]) -> Option<(usize, f64)> {
    let last = clearly_lost(values).map_or(usize::MAX, |(turn, _)| turn);
    let bend = Bend::of(values.iter().map(|(_, value)| *value));
    let falls = values.windows(2).take_while(|pair| pair[1].0 <= last).enumerate();
    let falls = falls.map(|(at, pair)| (at, bend.at(pair[0].1) - bend.at(pair[1].1)));
    falls.filter(|(_, fall)| *fall >= LEAST_FALL).max_by(|a, b| a.1.total_cmp(&b.1))
}

/// Where a bot's own evaluation fell most from one of its turns to its next.
fn own_fall(game: &Viewed, seat: Seat) -> Option<(f64, Look)> {
    let values = own_values(game, seat);
    let (at, fall) = largest_fall(&values)?;
    let ((turn, before), (next, after)) = (values[at], values[at + 1]);
    let (answer, name) = (game.turns[turn - 1].shown_move(), game.name(seat));
    let (before, after, next) = (shown(before), shown(after), game.label(next));
    let key = evaluation(game)?;
    let why = format!(
        "{name} played {answer}; its own {key} fell most after that, from {before} to {after} in {next}"
    );
    Some((fall, Look { turn, why }))
}

/// The move of a bot after which its only opponent's evaluation rose most.
fn rise_of_other(game: &Viewed, seat: Seat) -> Option<(f64, Look)> {
    let other = (game.bots.len() == 2).then(|| 1 - seat)?;
    let own_values = own_values(game, other);
    let values = own_values.iter().map(|&(turn, value)| (turn, -value)).collect::<Vec<_>>();
    let (at, fall) = largest_fall(&values)?;
    let ((_, before), (next, after)) = (own_values[at], own_values[at + 1]);
    let turn = game.turns[..next - 1].iter().rposition(|turn| turn.seat == seat)? + 1;
    let (answer, name) = (game.turns[turn - 1].shown_move(), game.name(seat));
    let (before, after, next) = (shown(before), shown(after), game.label(next));
    let (key, other) = (evaluation(game)?, game.name(other));
    let why = format!("{name} played {answer}; the {key} of {other} rose most after that, from {before} to {after} in {next}");
    Some((fall, Look { turn, why }))
}

/// The turn in which a loser's answer cost most as the other bot sees it, before it sees the game as lost: what is played
/// later costs little. Where it was lost from the first turn, in all turns.
fn disagreement(game: &Viewed, losers: &[Seat], compared: &str) -> Option<Look> {
    let bend = Bend::of(game.turns.iter().filter_map(|turn| turn.other.as_ref().map(|other| other.score)));
    let cost = |at: usize| {
        let turn = &game.turns[at];
        let other = turn.other.as_ref().filter(|_| turn.differs() && turn.failure.is_none())?;
        Some((at, bend.at(other.score) - bend.at(other.worth?)))
    };
    let costs = (0..game.turns.len()).filter(|&at| losers.contains(&game.turns[at].seat)).filter_map(cost);
    let costs = costs.filter(|(_, cost)| *cost >= LEAST_COST).collect::<Vec<_>>();
    let lost = |seat: Seat| clearly_lost(&other_values(game, seat)).map_or(usize::MAX, |(turn, _)| turn);
    let before = costs.iter().filter(|(at, _)| at + 1 < lost(game.turns[*at].seat));
    let most = |a: &&(usize, f64), b: &&(usize, f64)| a.1.total_cmp(&b.1);
    let &(at, _) = before.max_by(most).or_else(|| costs.iter().max_by(most))?;
    let turn = &game.turns[at];
    let other = turn.other.as_ref()?;
    let why = format!(
        "{} played {}, worth {}; {compared} would play {} ({}): the costliest disagreement",
        game.name(turn.seat),
        turn.shown_move(),
        shown(other.worth?),
        other.answer,
        shown(other.score),
    );
    Some(Look { turn: at + 1, why })
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
        // The winner's score rose in the same turn.
        let turns = looks.iter().map(|look| look.turn).collect::<Vec<_>>();
        assert_eq!(turns, [3, 3, 5], "{looks:?}");
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
        for (turn, (score, worth)) in game
            .turns
            .iter_mut()
            .zip(scores.into_iter().zip(scores.map(|s| Some(-s)).into_iter().skip(1).chain([None])))
        {
            turn.other = Some(Other { answer: "x".to_owned(), score, worth, ..Other::default() });
        }
        let looks = looks(&game, "in:bot");
        assert_eq!((looks[0].turn, looks[1].turn), (3, 5), "{looks:?}");
        assert!(looks[0]
            .why
            .contains("A played m3, worth -500; in:bot would play x (100): the costliest disagreement"));
        assert!(looks[1].why.starts_with("A was clearly lost from here on (-450 as in:bot sees it)"));
    }

    #[test]
    fn the_winners_evaluation_is_a_second_opinion() {
        // A is blind until the end; B sees that the fifth turn decided the game.
        let mut game = game(&[0, 1], &[10.0, 0.0, 9.0, 12.0, 11.0, 500.0, 8.0, 600.0, -900.0]);
        let told = looks(&game, "");
        assert_eq!(told[0].turn, 7, "{told:?}");
        let rise = "A played m5; the score of B rose most after that, from 12 to 500 in turn 6";
        assert_eq!((told[1].turn, told[1].why.as_str()), (5, rise));
        // With a comparison there is a better one.
        game.turns[0].other = Some(Other::default());
        assert!(looks(&game, "in:bot").iter().all(|look| look.turn != 5));
    }

    #[test]
    fn a_game_that_was_lost_from_the_start_still_has_a_costliest_move() {
        let mut game = game(&[0, 1], &[0.0; 4]);
        for (turn, worth) in game.turns.iter_mut().zip([-130.0, 0.0, -400.0, 0.0]) {
            turn.other = Some(Other { score: -125.0, worth: Some(worth), ..Other::default() });
        }
        let told = looks(&game, "in:bot");
        assert_eq!((told[0].turn, told[1].turn), (3, 1), "{told:?}");
    }

    #[test]
    fn a_failure_comes_first() {
        let mut game = game(&[-1, 1], &[1.0, 2.0, 3.0]);
        game.turns[2].failure = Some("illegal move: expected a1, received \"b9\"".to_owned());
        let why = "A failed: illegal move: expected a1, received \"b9\"".to_owned();
        assert_eq!(looks(&game, "")[0], Look { turn: 3, why });
        assert_eq!((losing_turn(&game, 0), losing_turn(&game, 1)), (Some(3), None));
    }

    #[test]
    fn a_game_is_lost_where_the_evaluation_stays_low() {
        let lost = |values: &[f64]| {
            clearly_lost(&values.iter().copied().enumerate().collect::<Vec<_>>()).map(|(at, _)| at)
        };
        assert_eq!(lost(&[10.0, -80.0, 5.0, -20.0, -90.0, -200.0]), Some(4), "it recovered after the second");
        assert_eq!(lost(&[10.0, 20.0, -999_992.0]), Some(2));
        assert_eq!((lost(&[10.0, 20.0]), lost(&[]), lost(&[0.0])), (None, None, None));
        // The other bot sees it earlier.
        let mut game = game(&[0, 1], &[50.0, 0.0, 40.0, 0.0, -400.0, 0.0, -600.0]);
        assert_eq!(losing_turn(&game, 0), Some(5));
        game.turns[2].other = Some(Other { score: -999_980.0, ..Other::default() });
        assert_eq!(losing_turn(&game, 0), Some(3));
        game.scores = vec![1, 1];
        assert_eq!(losing_turn(&game, 0), None, "a draw has none");
    }
}
