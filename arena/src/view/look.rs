//! Where to look first in a game: the turn that lost it, failures, other turns that may have, the turn from which it was lost.

use contest::Seat;

use super::losing::{candidates, decision, failure, losing, opinions, Losing};
use super::numbers::shown;
use super::outcome::{is_lost, losers};
use super::values::{evaluation, Values};
use super::Viewed;

/// A turn to look at.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    /// The number of the turn, from 1.
    pub turn: usize,
    /// Why.
    pub why: String,
    /// The seat that lost the game in this turn, if one did.
    pub lost_by: Option<Seat>,
    /// How sure that is, as what the bot did; empty for other turns.
    pub told: &'static str,
}

impl Look {
    fn of(losing: Losing, lost_by: Option<Seat>) -> Self {
        let told = if lost_by.is_some() { losing.sureness.told() } else { "" };
        Self { turn: losing.turn, why: losing.why, lost_by, told }
    }

    /// A turn of less importance.
    fn other(turn: usize, why: String) -> Self {
        Self { turn, why, lost_by: None, told: "" }
    }
}

/// The turns to look at, the most telling first: the page opens there. `compared` is the bot that was asked about each turn.
pub fn looks(game: &Viewed, compared: &str) -> Vec<Look> {
    let mut losers = losers(game);
    losers.sort_by_key(|&seat| seat != game.viewpoint);
    let mut looks = Vec::new();
    // Of many seats only the one that the page is about, if it lost: a list of all would hide it.
    if game.bots.len() > 2 && is_lost(game, game.viewpoint) {
        losers.truncate(1);
    }
    for &seat in &losers {
        looks.extend(losing(game, seat, compared).map(|found| Look::of(found, Some(seat))));
        if !is_lost(game, seat) {
            looks.extend(decision(game, seat, compared).map(|found| Look::of(found, None)));
        }
    }
    looks.extend((0..game.turns.len()).filter_map(|at| Some(Look::of(failure(game, at)?, None))));
    let is_compared = game.turns.iter().any(|turn| turn.other.is_some());
    let is_told = |seat: &Seat| game.bots.len() < 3 || *seat == game.viewpoint;
    for &seat in losers.iter().filter(|seat| is_told(seat) && is_lost(game, **seat)) {
        // Where no search was asked, the opponent's evaluation is a second opinion.
        let second = opinions(game, seat).into_iter().nth(1).filter(|_| !is_compared);
        looks.extend(second.map(|found| Look::of(found, None)));
        looks.extend(next_costliest(game, seat, compared));
        looks.extend(Lost::of(game, seat).map(|lost| lost.look(game, seat, compared)));
        looks.extend(way_out(game, seat));
    }
    let mut told = Vec::new();
    looks.retain(|look| {
        let is_new = !told.contains(&(look.turn, look.why.clone())) && !is_failure_again(game, look, &told);
        told.push((look.turn, look.why.clone()));
        is_new
    });
    looks
}

/// Whether a failed turn is in the list already.
fn is_failure_again(game: &Viewed, look: &Look, told: &[(usize, String)]) -> bool {
    let has_failed = game.turns.get(look.turn - 1).is_some_and(|turn| turn.failure.is_some());
    has_failed && told.iter().any(|(turn, _)| *turn == look.turn)
}

/// The turn that cost a seat most but one.
fn next_costliest(game: &Viewed, seat: Seat, compared: &str) -> Option<Look> {
    let &(at, _) = candidates(game, seat).get(1)?;
    let turn = &game.turns[at];
    let other = turn.other.as_ref()?;
    let worth = other.worth.map_or_else(String::new, |worth| format!(", worth {}", shown(worth)));
    let why = format!(
        "{} played {}{worth}; {compared} would play {} ({}): the next in cost",
        game.name(seat),
        turn.shown_move(),
        other.answer,
        shown(other.score)
    );
    Some(Look::other(at + 1, why))
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
    /// The first by a seat's own evaluation or the other bot's.
    fn of(game: &Viewed, seat: Seat) -> Option<Self> {
        let lost = |is_own: bool| move |(turn, value): (usize, f64)| Self { turn, value, is_own };
        let own = Values::own(game, seat).clearly_lost().map(lost(true));
        let other = Values::of_other(game, seat).clearly_lost().map(lost(false));
        [own, other].into_iter().flatten().min_by_key(|lost| lost.turn)
    }

    fn look(self, game: &Viewed, seat: Seat, compared: &str) -> Look {
        let value = shown(self.value);
        let told = match (self.is_own, evaluation(game)) {
            (true, Some(key)) => format!("its own {key} is {value}"),
            _ => format!("{value} as {compared} sees it"),
        };
        let name = game.name(seat);
        let why =
            format!("{name} was clearly lost from here on ({told}): what decided the game was played before");
        Look::other(self.turn, why)
    }
}

/// The last turn of a seat that was out before the game's end, with its place.
fn way_out(game: &Viewed, seat: Seat) -> Option<Look> {
    let last = game.turns.iter().rposition(|turn| turn.seat == seat)?;
    let goes_on = game.turns[last + 1..].iter().any(|later| later.round != game.turns[last].round);
    let turn =
        game.turns.get(last).filter(|turn| goes_on && game.bots.len() > 2 && turn.failure.is_none())?;
    let mine = game.scores.get(seat)?;
    let is_better = |points: &&i64| if game.is_lower_better { *points < mine } else { *points > mine };
    let place = 1 + game.scores.iter().filter(is_better).count();
    let why = format!(
        "{} played {} and was out, place {place} of {}: what decided that was played before",
        game.name(seat),
        turn.shown_move(),
        game.bots.len()
    );
    Some(Look::other(last + 1, why))
}

#[cfg(test)]
mod tests;
