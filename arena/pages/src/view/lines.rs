//! Lines at the turns that are marked: the best one by the search that was asked, and the one that answers the move that was
//! played, with the positions that they lead to.

use std::collections::BTreeSet;

use contest::drawing::{Drawing, Shape};
use contest::session::{Session, Thought};
use contest::Seat;

use super::charts::costliest;
use super::look::looks;
use super::numbers::shown;
use super::{Viewed, ViewedTurn};
use coppice_referee::game::in_process::Limit;

/// Turns of a game that get lines.
const MOST_TURNS: usize = 12;

/// Moves of a line that are shown.
const MOST_MOVES: usize = 12;

/// Moves of a line below which the search is asked on at its end: some searches know their first move only.
const LEAST_MOVES: usize = 4;

/// Moves whose shares are shown.
const MOST_SHARES: usize = 6;

/// The least share of a search's visits that is shown.
const LEAST_SHARE: f64 = 0.02;

/// A line of moves from a turn on.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Line {
    /// The words before the moves: `better:`, `as played:`.
    pub title: String,
    /// The moves, each with the seat that makes it.
    pub moves: Vec<(Seat, String)>,
    /// The position after each move; empty where the moves can't be played one by one, as where all seats move at once.
    pub positions: Vec<Drawing>,
    /// The score at its end for the seat that was asked, in words.
    pub end: String,
}

/// A move's part of a search's visits or of its mixed strategy.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Share {
    /// The move.
    pub played: String,
    /// The part, 0 to 1.
    pub part: f64,
    /// The move as shapes in the position.
    pub marks: Vec<Shape>,
}

/// A search's answer to a turn, with the positions of its line and the shares of its moves.
#[derive(Debug, Clone)]
pub(super) struct Answer {
    pub thought: Thought,
    /// The best move's effect.
    pub marks: Vec<Shape>,
    /// The best move in the game's words.
    pub words: String,
    /// The line's moves in the game's words, each with the seat that makes it.
    line: Vec<(Seat, String)>,
    positions: Vec<Drawing>,
    shares: Vec<Share>,
}

impl Answer {
    /// The answer of a session that has just thought for a seat.
    pub(super) fn of(session: &dyn Session, seat: Seat, thought: Thought) -> Self {
        let marks = thought.best.as_ref().map(|answer| session.mark(seat, answer)).unwrap_or_default();
        // A session knows no position before all seats that are asked together have moved.
        let follows = session.to_move() == Some(seat);
        let line = if follows { &thought.line[..thought.line.len().min(MOST_MOVES)] } else { &[] };
        let words = thought.best.as_ref().map(|answer| session.words(seat, answer)).unwrap_or_default();
        let mut mover = seat;
        let looks = (1..=line.len()).map_while(|count| session.look(&line[..count]).ok());
        let (positions, mut line): (Vec<_>, Vec<_>) = looks
            .map(|look| {
                let made_by = std::mem::replace(&mut mover, look.to_move.unwrap_or(seat));
                (look.drawing, (made_by, look.words.unwrap_or_default()))
            })
            .unzip();
        // Without positions the first move alone has words.
        if line.is_empty() && !words.is_empty() {
            line.push((seat, words.clone()));
        }
        let shares = shares(session, seat, &thought);
        Self { thought, marks, words, line, positions, shares }
    }

    /// Lengthens a short line by what the search plays at its end. The session moves there.
    pub(super) fn ask_on(&mut self, session: &mut dyn Session, limit: Limit) {
        let mut known = self.thought.line.clone().into_iter().take(self.positions.len());
        while !self.positions.is_empty() && self.line.len() < LEAST_MOVES {
            let Some(seat) = session.to_move() else { return };
            let is_known = known.len() > 0;
            let next = known.next().or_else(|| session.think_for(seat, limit.budget()).best);
            let Some(played) = next else { return };
            let words = session.words(seat, &played);
            if session.play(&played).is_err() {
                return;
            }
            let Ok(look) = session.look(&[]) else { return };
            if !is_known {
                self.line.push((seat, words));
                self.positions.push(look.drawing);
            }
        }
    }
}

/// The shares of the most visited moves, the largest first; empty for a search that counts no visits.
fn shares(session: &dyn Session, seat: Seat, thought: &Thought) -> Vec<Share> {
    let mut parts: Vec<(String, f64)> =
        thought.strategy.iter().map(|share| (share.played.clone(), share.probability)).collect();
    if parts.is_empty() && session.to_move() == Some(seat) {
        let children = session.look(&[]).map(|look| look.children).unwrap_or_default();
        let all = children.iter().map(|child| child.visits).sum::<u64>().max(1) as f64;
        let part = |child: contest::session::SessionNode| Some((child.played?, child.visits as f64 / all));
        parts = children.into_iter().filter_map(part).collect();
    }
    parts.retain(|(_, part)| *part >= LEAST_SHARE);
    parts.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    parts.truncate(MOST_SHARES);
    let share = |(played, part): (String, f64)| Share {
        marks: session.mark(seat, &played),
        played: session.words(seat, &played),
        part,
    };
    parts.into_iter().map(share).collect()
}

/// The turns that get lines, by index: those to look at first, then the costliest.
pub(super) fn marked(viewed: &Viewed) -> BTreeSet<usize> {
    let looks = looks(viewed).into_iter().map(|look| look.turn);
    let turns = looks.chain(costliest(viewed)).filter_map(|turn| turn.checked_sub(1));
    let mut marked = BTreeSet::new();
    for at in turns.filter(|&at| viewed.turns.get(at).is_some_and(|turn| turn.other.is_some())) {
        if marked.len() < MOST_TURNS {
            marked.insert(at);
        }
    }
    marked
}

/// Adds a turn's lines and shares: `best` is the answer to it, `next` the turn that its move led to, with the answer to that
/// and the sign with which its score is the mover's.
pub(super) fn add(viewed: &mut Viewed, at: usize, best: &Answer, next: Option<(usize, &Answer, f64)>) {
    let (seat, name) = (viewed.turns[at].seat, viewed.name(viewed.turns[at].seat));
    let end = |score: f64| format!("→ {} for {name}", shown(score));
    let value = |answer: &Answer| f64::from(answer.thought.score.value());
    let is_same = best.thought.best.as_deref() == viewed.turns[at].played.as_deref();
    let moves = best.line.clone();
    let title = if is_same { "the search's line:" } else { "better:" }.to_owned();
    let mut lines = vec![Line { title, moves, positions: best.positions.clone(), end: end(value(best)) }];
    if let (Some((next, answer, sign)), false, None) = (next, is_same, &viewed.turns[at].failure) {
        // First the record's moves up to the next turn, those of others too: of more than two it is the seat's own.
        let is_alone = is_alone(viewed, at, seat);
        let recorded = if is_alone { at..next } else { at..at + 1 };
        let moves = viewed.turns[recorded].iter().map(|turn| (turn.seat, turn.shown_move()));
        let moves = moves.chain(answer.line.iter().cloned()).collect();
        let is_drawn = is_alone && !answer.positions.is_empty();
        let recorded = viewed.turns[at + 1..=next].iter().filter_map(|turn| turn.position.clone());
        let positions = recorded.chain(answer.positions.iter().cloned()).filter(|_| is_drawn).collect();
        let title = "as played:".to_owned();
        lines.push(Line { title, moves, positions, end: end(sign * value(answer)) });
    }
    viewed.turns[at].lines = lines;
    viewed.turns[at].shares = best.shares.clone();
}

/// Whether no other seat is asked together with this turn's.
fn is_alone(viewed: &Viewed, at: usize, seat: Seat) -> bool {
    let round = viewed.turns[at].round;
    let is_together = |turn: &ViewedTurn| round > 0 && turn.round == round && turn.seat != seat;
    !viewed.turns.iter().any(is_together)
}
