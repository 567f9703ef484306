//! Where to look first in a game: the turn that lost it, failures, other turns that may have, the turn from which it was lost.

use std::cmp::Reverse;

use contest::Seat;

use super::losing::{
    advice, candidates, choice_before, costly_choices, decision, failure, fall_besides, losing, opinions,
    Losing, Sureness,
};
use super::numbers::shown;
use super::outcome::{is_lost, losers, place, rank_word};
use super::values::{evaluation, Values};
use super::{Viewed, ViewedTurn};

/// Turns of a won game that are looked at.
const MOST_NEAR_MISSES: usize = 3;

/// A turn to look at.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    /// The number of the turn, from 1.
    pub turn: usize,
    /// Why.
    pub why: String,
    /// The seat that it is about.
    pub seat: Seat,
    /// The seat that lost the game in this turn, if one did.
    pub lost_by: Option<Seat>,
    /// How sure that is, as what the bot did; empty for other turns.
    pub told: &'static str,
}

impl Look {
    fn of(losing: Losing, seat: Seat, is_lost: bool) -> Self {
        let told = if is_lost { losing.sureness.phrase() } else { "" };
        Self { turn: losing.turn, why: losing.why, seat, lost_by: is_lost.then_some(seat), told }
    }

    /// A turn of less importance.
    fn other(turn: usize, seat: Seat, why: String) -> Self {
        Self { turn, why, seat, lost_by: None, told: "" }
    }
}

/// The turns to look at, the most telling first: the page opens there. Turns of one seat stand together. Among the losers
/// the page's bot comes first, then the worst placed.
pub fn looks(game: &Viewed) -> Vec<Look> {
    let mut looks = Vec::new();
    for seat in losers_in_order(game) {
        match is_lost(game, seat) {
            true => looks.extend(of_loser(game, seat)),
            false => looks.extend(decision(game, seat).map(|found| Look::of(found, seat, false))),
        }
    }
    looks.extend(near_misses(game));
    let failed = |at: usize| Some(Look::of(failure(game, at)?, game.turns[at].seat, false));
    looks.extend((0..game.turns.len()).filter_map(failed));
    let mut told = Vec::new();
    looks.retain(|look| {
        let is_new = !told.contains(&(look.turn, look.why.clone())) && !is_failure_again(game, look, &told);
        told.push((look.turn, look.why.clone()));
        is_new
    });
    // Another failure of a loser stands with its other turns.
    let first = |look: &Look| looks.iter().position(|other| other.seat == look.seat);
    let mut order = looks.iter().map(first).enumerate().collect::<Vec<_>>();
    order.sort_by_key(|(_, first)| *first);
    order.into_iter().map(|(at, _)| looks[at].clone()).collect()
}

/// The losers, that of the page first, then from the last place up.
fn losers_in_order(game: &Viewed) -> Vec<Seat> {
    let mut losers = losers(game);
    losers.sort_by_key(|&seat| {
        (seat != game.viewpoint, Reverse(place(game, seat).map_or(0, |(place, _)| place)))
    });
    losers
}

/// The turns of a seat that lost.
fn of_loser(game: &Viewed, seat: Seat) -> Vec<Look> {
    let is_compared = game.turns.iter().any(|turn| turn.other.is_some());
    let failures = (0..game.turns.len()).filter(|&at| game.turns[at].seat == seat);
    let found = losing(game, seat);
    let is_proved = found.as_ref().is_some_and(|found| found.sureness == Sureness::Proved);
    let mut looks: Vec<_> = found.map(|found| Look::of(found, seat, true)).into_iter().collect();
    looks.extend(failures.filter_map(|at| Some(Look::of(failure(game, at)?, seat, false))));
    // Where no search was asked, the opponent's evaluation is a second opinion.
    let second = opinions(game, seat).into_iter().nth(1).filter(|_| !is_compared);
    looks.extend(second.map(|found| Look::of(found, seat, false)));
    let losing = looks.first().filter(|look| look.lost_by.is_some()).map_or(0, |look| look.turn);
    looks.extend(next_costliest(game, seat));
    looks.extend(earlier_choice(game, seat, losing).or_else(|| other_fall(game, seat, losing)));
    // After a proved loss an estimate that it is lost tells nothing.
    looks.extend(Lost::of(game, seat, losing).filter(|_| !is_proved).map(|lost| lost.look(game, seat)));
    looks.extend(elimination_turn(game, seat));
    looks
}

/// The turns of the page's bot, if it won, that would have cost it most against a better opponent, the costliest first.
fn near_misses(game: &Viewed) -> Vec<Look> {
    let seat = game.viewpoint;
    if game.bots.len() < 2 || place(game, seat) != Some((1, 1)) {
        return Vec::new();
    }
    let near_miss = |at: usize| {
        let turn = &game.turns[at];
        let advice = advice(turn, turn.other.as_ref()?.last());
        let why = format!("{} played {}; {advice}: a near miss", game.name(seat), turn.shown_move());
        Some(Look::other(at + 1, seat, why))
    };
    costly_choices(game, seat).into_iter().take(MOST_NEAR_MISSES).filter_map(near_miss).collect()
}

/// Whether a failed turn is in the list already.
fn is_failure_again(game: &Viewed, look: &Look, told: &[(usize, String)]) -> bool {
    let has_failed = game.turns.get(look.turn - 1).is_some_and(|turn| turn.failure.is_some());
    has_failed && told.iter().any(|(turn, _)| *turn == look.turn)
}

/// The turn that cost a seat most but one.
fn next_costliest(game: &Viewed, seat: Seat) -> Option<Look> {
    let &(at, _) = candidates(game, seat).get(1)?;
    let turn = &game.turns[at];
    let why = format!(
        "{} played {}; {}: the next in cost",
        game.name(seat),
        turn.shown_move(),
        advice(turn, turn.other.as_ref()?.last())
    );
    Some(Look::other(at + 1, seat, why))
}

/// The costliest choice of a seat before its losing turn, if the search had nothing better to play there.
fn earlier_choice(game: &Viewed, seat: Seat, losing: usize) -> Option<Look> {
    let had_nothing_better = |turn: &ViewedTurn| {
        turn.failure.is_none()
            && turn.other.as_ref().is_some_and(|other| Some(other.last().answer) == turn.played.as_deref())
    };
    game.turns.get(losing.checked_sub(1)?).filter(|turn| had_nothing_better(turn))?;
    let at = choice_before(game, seat, losing)?;
    let turn = &game.turns[at];
    let why = format!(
        "{} played {}; {}: the costliest choice before {}",
        game.name(seat),
        turn.shown_move(),
        advice(turn, turn.other.as_ref()?.last()),
        game.label(losing)
    );
    Some(Look::other(at + 1, seat, why))
}

/// The turn after which the search's score fell most but for the losing one, if no choice explains that.
fn other_fall(game: &Viewed, seat: Seat, losing: usize) -> Option<Look> {
    game.turns.get(losing.checked_sub(1)?).filter(|turn| turn.failure.is_none())?;
    if !candidates(game, seat).is_empty() || choice_before(game, seat, losing).is_some() {
        return None;
    }
    let (turn, told) = fall_besides(game, seat, losing)?;
    let (name, played) = (game.name(seat), game.turns[turn - 1].shown_move());
    let why = format!("{name} played {played}; the search's score fell for good after that, {told}");
    Some(Look::other(turn, seat, why))
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
    /// The first by a seat's own evaluation or the other bot's. The bot's own word that all was lost before the losing turn
    /// doesn't count: it would contradict what is said of that.
    fn of(game: &Viewed, seat: Seat, losing: usize) -> Option<Self> {
        let lost = |is_own: bool| move |(turn, value): (usize, f64)| Self { turn, value, is_own };
        let own = Values::own(game, seat).clearly_lost().filter(|(turn, _)| *turn > losing).map(lost(true));
        let other = Values::of_other(game, seat).clearly_lost().map(lost(false));
        [own, other].into_iter().flatten().min_by_key(|lost| lost.turn)
    }

    fn look(self, game: &Viewed, seat: Seat) -> Look {
        let value = shown(self.value);
        let told = match (self.is_own, evaluation(game)) {
            (true, Some(key)) => format!("its own {key} is {value}"),
            _ => format!("the search's score is {value}"),
        };
        let name = game.name(seat);
        let why = format!("{name} was clearly lost from here on ({told}): the game was decided earlier");
        Look::other(self.turn, seat, why)
    }
}

/// The last turn of a seat that was out before the game's end, with its place.
fn elimination_turn(game: &Viewed, seat: Seat) -> Option<Look> {
    let last = game.turns.iter().rposition(|turn| turn.seat == seat)?;
    let goes_on = game.turns[last + 1..].iter().any(|later| later.round != game.turns[last].round);
    let turn =
        game.turns.get(last).filter(|turn| goes_on && game.bots.len() > 2 && turn.failure.is_none())?;
    place(game, seat)?;
    let why = format!(
        "{} played {} and was out, {} of {}: what decided that was played before",
        game.name(seat),
        turn.shown_move(),
        rank_word(game, seat),
        game.bots.len()
    );
    Some(Look::other(last + 1, seat, why))
}

#[cfg(test)]
mod tests;
