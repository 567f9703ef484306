//! The decision that lost a game: where it is, why, and how sure that is.

use contest::Seat;

use super::numbers::{is_certain, shown};
use super::outcome::is_lost;
use super::values::{evaluation, Values};
use super::{Advice, Viewed, ViewedTurn};

/// The least fall of an evaluation, on the scale of [`Values`], that is worth a look.
const LEAST_FALL: f64 = 0.25;

/// The least cost of an answer, on the same scale.
const LEAST_COST: f64 = 0.1;

/// The share of the highest cost from which another turn could be meant as well.
const NEARLY: f64 = 0.6;

/// How sure it is that a turn lost the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sureness {
    /// The bot failed there.
    Failed,
    /// The position after it is a certain loss by a search, the one before it isn't.
    Proved,
    /// By estimates, and no other turn's come near.
    Estimated,
    /// Estimates, and another turn may be meant.
    Unsure,
}

impl Sureness {
    /// How the turn lost the game, as a clause.
    pub fn phrase(self) -> &'static str {
        match self {
            Self::Failed | Self::Proved => "lost the game here",
            Self::Estimated => "probably lost the game here",
            Self::Unsure => "may have lost the game here",
        }
    }

    /// A word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Failed => "failed",
            Self::Proved => "proved",
            Self::Estimated => "estimate",
            Self::Unsure => "unsure",
        }
    }
}

/// The turn that lost a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Losing {
    /// Turn number, from 1.
    pub turn: usize,
    /// Why, as sentences.
    pub why: String,
    /// How sure that is.
    pub sureness: Sureness,
}

/// The turn in which a seat lost the game to another: the one that a page opens at, and a report leads to. None if the seat
/// didn't lose, or nothing is known about its turns.
pub fn losing(game: &Viewed, seat: Seat) -> Option<Losing> {
    let failed = || game.turns.iter().position(|turn| turn.seat == seat && turn.failure.is_some());
    is_lost(game, seat).then(|| failed().and_then(|at| failure(game, at)).or_else(|| decision(game, seat)))?
}

/// A turn in which a bot failed.
pub fn failure(game: &Viewed, at: usize) -> Option<Losing> {
    let turn = game.turns.get(at)?;
    let why = format!("{} failed: {}", game.name(turn.seat), turn.failure.as_ref()?);
    Some(Losing { turn: at + 1, why, sureness: Sureness::Failed })
}

/// The decision that cost a seat most, by what is known: what another bot thinks, or what the bots said themselves.
pub fn decision(game: &Viewed, seat: Seat) -> Option<Losing> {
    if game.turns.iter().any(|turn| turn.other.is_some()) {
        return disagreement(game, seat).or_else(|| fall_of_other(game, seat));
    }
    opinions(game, seat).into_iter().next()
}

/// The bots' own opinions on the decision that cost a seat most. The bot that saw it first comes first, since the loser may
/// have been blind.
pub fn opinions(game: &Viewed, seat: Seat) -> Vec<Losing> {
    let mut found: Vec<_> =
        [own_fall(game, seat), rise_of_opponent(game, seat)].into_iter().flatten().collect();
    found.sort_by_key(|losing| losing.turn);
    found
}

/// The turns in which a seat's answer cost most in the other bot's view, by index, the costliest first. A loss that was made
/// good later costs nothing, and neither does a move in a clearly lost game, unless it was lost from the first turn.
pub fn candidates(game: &Viewed, seat: Seat) -> Vec<(usize, f64)> {
    let values = Values::of_other(game, seat);
    let costs = |place: &dyn Fn(f64) -> f64| {
        let cost = |at: usize| Some((at, cost(game, &values, place, at)?));
        let turns = (0..game.turns.len()).filter(|&at| game.turns[at].seat == seat);
        let mut costs: Vec<_> = turns.filter_map(cost).filter(|(_, cost)| *cost >= LEAST_COST).collect();
        // Of equal ones the first.
        costs.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        costs
    };
    match costs(&|value| values.place(value)) {
        near if !near.is_empty() => near,
        _ => {
            let mut far = costs(&|value| values.far_place(value));
            if let Some((lost, _)) = values.clearly_lost().filter(|(lost, _)| *lost > first_turn(game, seat))
            {
                far.retain(|(at, _)| at + 1 < lost);
            }
            far
        }
    }
}

/// The number of a seat's first turn.
fn first_turn(game: &Viewed, seat: Seat) -> usize {
    game.turns.iter().position(|turn| turn.seat == seat).map_or(0, |at| at + 1)
}

/// The turns of a seat up to the one after which the other bot's evaluation fell most for good, by index, the last first: one
/// of them may have lost the game before that bot saw it. None if a disagreement explains as much.
pub fn before_fall(game: &Viewed, seat: Seat) -> Vec<usize> {
    let values = Values::of_other(game, seat);
    let Some((at, fall)) = values.lasting_fall().filter(|(_, fall)| *fall >= LEAST_FALL) else {
        return Vec::new();
    };
    if candidates(game, seat).first().is_some_and(|(_, cost)| *cost >= NEARLY * fall) {
        return Vec::new();
    }
    values.all[..=at].iter().rev().map(|(turn, _)| turn - 1).collect()
}

/// The turn before another, by index, in which a seat's answer cost most as it was seen then, whatever came back later: where to
/// look if the seat had nothing better to play in that other turn, a number from 1.
pub fn choice_before(game: &Viewed, seat: Seat, turn: usize) -> Option<usize> {
    costly_choices(game, seat).into_iter().find(|at| at + 1 < turn)
}

/// The turns in which a seat's answer cost something as it was seen then, by index, the costliest first, of equal ones the
/// last.
pub fn costly_choices(game: &Viewed, seat: Seat) -> Vec<usize> {
    let values = Values::of_other(game, seat);
    let cost = |at: usize| {
        let told = game.turns[at].other.as_ref().filter(|_| game.turns[at].failure.is_none())?.last();
        let is_choice = Some(told.answer) != game.turns[at].played.as_deref();
        Some((at, is_choice.then_some(values.place(told.score) - values.place(told.worth?))?))
    };
    let all = (0..game.turns.len()).rev().filter(|&at| game.turns[at].seat == seat).filter_map(cost);
    let mut costly = all.filter(|(_, cost)| *cost >= LEAST_COST).collect::<Vec<_>>();
    costly.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    costly.into_iter().map(|(at, _)| at).collect()
}

/// Whether a game was lost before a turn (from 1) in the other bot's view: with two bots for either of them, with more for
/// the one to move. Later moves decide nothing; up to the losing turn all moves count.
pub fn is_decided(game: &Viewed) -> impl Fn(usize) -> bool + '_ {
    let lost = |seat: Seat| {
        let (from, _) = Values::of_other(game, seat).clearly_lost().filter(|_| is_lost(game, seat))?;
        Some((seat, from.max(losing(game, seat).map_or(0, |losing| losing.turn + 1))))
    };
    let lost: Vec<(Seat, usize)> = (0..game.bots.len()).filter_map(lost).collect();
    let is_meant = |turn: usize, seat: Seat| game.bots.len() == 2 || game.turns[turn - 1].seat == seat;
    move |turn| lost.iter().any(|&(seat, from)| turn >= from && is_meant(turn, seat))
}

/// The cost of an answer that the other bot wouldn't give, by its answer with the larger budget.
fn cost(game: &Viewed, values: &Values, place: &dyn Fn(f64) -> f64, at: usize) -> Option<f64> {
    let turn = &game.turns[at];
    let other = turn.other.as_ref().filter(|_| turn.failure.is_none())?;
    let Advice { answer, score, worth, .. } = other.last();
    let worth = worth?;
    if Some(answer) == turn.played.as_deref() {
        return Some(0.0);
    }
    let later = values.best_after(at + 1).map_or(f64::NEG_INFINITY, place);
    Some(place(score) - place(worth).max(later))
}

/// The turn of the costliest disagreement.
fn disagreement(game: &Viewed, seat: Seat) -> Option<Losing> {
    let candidates = candidates(game, seat);
    let &(at, cost) = candidates.first()?;
    let turn = &game.turns[at];
    let other = turn.other.as_ref()?;
    let nearly = candidates.get(1).filter(|(_, second)| *second >= NEARLY * cost).map(|(at, _)| *at);
    let Advice { score, worth, .. } = other.last();
    let sureness = match (worth, nearly) {
        (Some(worth), _) if is_certain(worth) && worth < 0.0 && !(is_certain(score) && score < 0.0) => {
            Sureness::Proved
        }
        (_, None) if other.checked.is_some() => Sureness::Estimated,
        _ => Sureness::Unsure,
    };
    let blind = match turn.differs() {
        true => String::new(),
        false => format!("; the search would have played it too ({})", shown(other.score)),
    };
    let sure = match (sureness, nearly) {
        (Sureness::Proved, _) => "Proved: after this move nothing could save the game".to_owned(),
        (_, Some(near)) => format!(
            "An estimate, and not sure: {} cost nearly as much, on the scale of the chart: a point far from 0 counts less",
            game.label(near + 1)
        ),
        (Sureness::Estimated, None) => "An estimate, but no other turn comes near".to_owned(),
        (_, None) => "An estimate: more nodes may say something else".to_owned(),
    };
    let (name, played) = (game.name(seat), turn.shown_move());
    let why = format!("{name} played {played}{blind}; {}. {sure}.", advice(turn, other.last()));
    Some(Losing { turn: at + 1, why, sureness })
}

/// The other bot's move instead of the move that was played, with its scores after both.
pub fn advice(turn: &ViewedTurn, Advice { answer, words, score, worth, budget }: Advice<'_>) -> String {
    let search = match budget {
        "" => "the search would".to_owned(),
        budget => format!("with {budget} the search would"),
    };
    let advised = format!("{words} ({})", shown(score));
    let told = |worth: f64| format!("{} ({})", turn.shown_move(), shown(worth));
    match worth {
        _ if Some(answer) == turn.played.as_deref() => format!("{search} have played {advised} too"),
        Some(worth) if worth < score => format!("{search} play {advised} instead of {}", told(worth)),
        // The score of the next position is a second look at this one, which can turn out better.
        Some(worth) => format!("{search} play {advised}, but {} turned out no worse", told(worth)),
        None => format!("{search} play {advised}"),
    }
}

/// Another bot's move in a turn and its opinion of the move that was played, as sentences; empty if it wasn't asked.
pub fn would_play(turn: &ViewedTurn) -> String {
    let Some(other) = &turn.other else { return String::new() };
    let mut advices = vec![other.last()];
    // The larger budget's advice replaces the same one.
    if other.checked.as_ref().is_some_and(|checked| checked.answer != other.answer) {
        advices.insert(0, other.first());
    }
    let sentence = |&told: &Advice<'_>| {
        let mut text = advice(turn, told);
        text[..1].make_ascii_uppercase();
        text + "."
    };
    advices.iter().map(sentence).collect::<Vec<_>>().join(" ")
}

/// The turn after which the other bot's evaluation fell for good, where it would have played all those moves too.
fn fall_of_other(game: &Viewed, seat: Seat) -> Option<Losing> {
    let values = Values::of_other(game, seat);
    let (turn, told) = fall(game, &values)?;
    let before = match choice_before(game, seat, turn) {
        Some(at) => format!("look at {} as well", game.label(at + 1)),
        None => format!(
            "its scores show no costly earlier choice; more nodes may find one{}",
            look_too(game, seat, turn)
        ),
    };
    let why = format!(
        "{} played {}{} {told}. It saw too late what lost the game: {before}.",
        game.name(seat),
        game.turns[turn - 1].shown_move(),
        match game.turns[turn - 1].differs() {
            true => "; the score of the search",
            false => ", as the search would have, whose score",
        },
    );
    Some(Losing { turn, why, sureness: Sureness::Unsure })
}

/// Where to look too in a game that the other bot saw lost too late.
fn look_too(game: &Viewed, seat: Seat, turn: usize) -> String {
    fall_besides(game, seat, turn).map_or_else(String::new, |(at, _)| {
        format!("; look at {} too, where its score fell for good", game.label(at))
    })
}

/// The turn, besides the losing one, after which the other bot's score fell most for good before the game was clearly lost, with
/// both scores in words.
pub fn fall_besides(game: &Viewed, seat: Seat, losing: usize) -> Option<(usize, String)> {
    let values = Values::of_other(game, seat);
    let lost = values.clearly_lost().map_or(usize::MAX, |(turn, _)| turn);
    let fall = |&(turn, value): &(usize, f64)| {
        let after = values.best_after(turn)?;
        Some((turn, value, after, values.place(value) - values.place(after)))
    };
    let others = values.all.iter().filter(|(turn, _)| *turn < lost && *turn != losing);
    let falls = others.filter_map(fall).filter(|(.., fall)| *fall >= LEAST_COST);
    let (turn, before, after, _) = falls.max_by(|a, b| a.3.total_cmp(&b.3))?;
    Some((turn, format!("from {} to at most {}", shown(before), shown(after))))
}

/// Where a bot's own evaluation fell most for good.
fn own_fall(game: &Viewed, seat: Seat) -> Option<Losing> {
    let (turn, told) = fall(game, &Values::own(game, seat))?;
    let (name, played, key) = (game.name(seat), game.turns[turn - 1].shown_move(), evaluation(game)?);
    let why = format!("{name} played {played}; its own {key} {told}. That is the bot's own word.");
    Some(Losing { turn, why, sureness: Sureness::Unsure })
}

/// A lasting fall, or without a large one the fall below 0: the turn, and a sentence.
fn fall(game: &Viewed, values: &Values) -> Option<(usize, String)> {
    const STEP_BY_STEP: &str = "step by step: no single turn stands out";
    let largest = values.lasting_fall().filter(|(_, fall)| *fall > 0.0);
    // A fall that starts far behind decides little, unless the bot never led.
    let decides = |at: usize| !values.is_far_behind(values.all[at].1) || values.last_ahead().is_none();
    let large = largest.filter(|(at, fall)| *fall >= LEAST_FALL && decides(*at));
    let from_to = |at: usize| match values.all.get(at + 1) {
        Some(&(next, after)) => {
            let (before, after, next) = (shown(values.all[at].1), shown(after), game.label(next));
            format!("fell most after that, from {before} to {after} in {next}, and didn't come back")
        }
        None => format!("was still {}, and the game was lost after that", shown(values.all[at].1)),
    };
    let (at, told) = match (large, values.last_ahead(), largest) {
        (Some((at, _)), ..) => (at, from_to(at)),
        (None, Some(at), _) => (
            at,
            format!("was above 0 for the last time, {}, and fell {STEP_BY_STEP}", shown(values.all[at].1)),
        ),
        (None, None, largest) => {
            let (at, _) = largest?;
            (at, format!("{}; it fell {STEP_BY_STEP}", from_to(at)))
        }
    };
    Some((values.all[at].0, told))
}

/// The move after which the only opponent's evaluation rose most for good.
fn rise_of_opponent(game: &Viewed, seat: Seat) -> Option<Losing> {
    let values = Values::of_opponent(game, seat)?;
    let (at, _) = values.lasting_fall().filter(|(_, fall)| *fall >= LEAST_FALL)?;
    let ((_, before), (next, after)) = (values.all[at], *values.all.get(at + 1)?);
    let turn = game.turns[..next - 1].iter().rposition(|turn| turn.seat == seat)? + 1;
    let (name, played, key) = (game.name(seat), game.turns[turn - 1].shown_move(), evaluation(game)?);
    let (other, before, after, next) = (game.name(1 - seat), shown(-before), shown(-after), game.label(next));
    let why = format!(
        "{name} played {played}; the {key} of {other} rose most after that, from {before} to {after} in {next}, and stayed \
         there. That is the opponent's word."
    );
    Some(Losing { turn, why, sureness: Sureness::Unsure })
}

#[cfg(test)]
mod tests;
