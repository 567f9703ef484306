//! Asks a search of this program for its answer in each turn, and, with more nodes, in those that may have lost the game.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::time::Instant;

use contest::session::{Session, SessionError, SessionSettings};
use contest::{Contest, IllegalMove, Seat};

use super::lines::{self, marked, Answer};
use super::losing::{before_fall, candidates};
use super::numbers::WIN;
use super::outcome::{is_lost, losers};
use super::{Checked, Other, Viewed, ViewedTurn};
use coppice_referee::game::in_process::{InProcess, Limit};
use coppice_referee::process;

/// How many times the nodes or the time with which turns that may have lost the game are asked about again.
const AGAIN: u64 = 8;

/// Turns of a seat that are asked about again because their answers cost most.
const MOST_AGAIN: usize = 3;

/// Turns of a seat that are asked about again because the search's own score fell after them.
const MOST_BEFORE: usize = 6;

/// The reason that a search can't be asked about a game.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CompareError {
    /// The contest is for one.
    #[error("one player, whose games don't all begin alike: a search can't be put into its positions")]
    OnePlayer,
    /// The search can't start.
    #[error(transparent)]
    Search(#[from] SessionError),
}

/// Asks the search about each turn of a game of two or more, in the positions of its record, and again about those that cost
/// a loser most: fills in [`ViewedTurn::other`](super::ViewedTurn::other), and the lines of the turns that are marked. The page's
/// viewpoint must be known.
///
/// # Errors
/// If the contest has no such search, or is for one player.
pub fn compare(viewed: &mut Viewed, contest: &dyn Contest, search: &InProcess) -> Result<(), CompareError> {
    if contest.seats() < 2 {
        return Err(CompareError::OnePlayer);
    }
    let begin = Instant::now();
    let settings = SessionSettings { game_seed: viewed.seed, ..search.settings.clone() };
    let mut session = contest.session(&search.search, &settings)?;
    let moves: Vec<String> = viewed.moves.split_whitespace().map(str::to_owned).collect();
    for at in 0..viewed.turns.len() {
        if process::interrupted() {
            break;
        }
        let turn = &viewed.turns[at];
        let Some(before) = turn.moves_before else { continue };
        if let Err(reason) = play_to(&mut *session, &moves, before) {
            // Searches don't know seats that are out of a game that goes on.
            viewed.notes.push(format!(
                "{} can't be asked from {} on: {reason}",
                search.search,
                viewed.label(at + 1)
            ));
            break;
        }
        let thought = session.think_for(turn.seat, search.limit.budget());
        let score = f64::from(thought.score.value());
        viewed.turns[at].other = thought.best.map(|answer| Other {
            marks: session.mark(viewed.turns[at].seat, &answer),
            words: session.words(viewed.turns[at].seat, &answer),
            answer,
            score,
            ..Other::default()
        });
    }
    let is_whole = play_to(&mut *session, &moves, moves.len()).is_ok();
    let result = (is_whole && session.to_move().is_none()).then(|| session.scores());
    fill_worth(viewed, result.as_deref());
    let limit = search.limit.times(AGAIN);
    let mut again = Again { contest, search, settings, moves, limit, known: BTreeMap::new() };
    again.ask(viewed, result.as_deref())?;
    again.add_lines(viewed)?;
    viewed.asked = Some(begin.elapsed());
    Ok(())
}

fn play_to(session: &mut dyn Session, moves: &[String], count: usize) -> Result<(), IllegalMove> {
    while session.played().len() < count {
        let next = moves.get(session.played().len()).ok_or("the record has too few moves")?;
        session.play(next)?;
    }
    Ok(())
}

/// Asks about turns with a larger budget. Each time the search is a new one: what it says then doesn't depend on the turns
/// before, and `arena debug` says the same.
struct Again<'a> {
    contest: &'a dyn Contest,
    search: &'a InProcess,
    settings: SessionSettings,
    moves: Vec<String>,
    limit: Limit,
    /// Answers with the larger budget, by the turn's index.
    known: BTreeMap<usize, Answer>,
}

impl Again<'_> {
    /// Asks about the costliest turns of all losers.
    fn ask(&mut self, viewed: &mut Viewed, result: Option<&[i64]>) -> Result<(), SessionError> {
        let mut seats = losers(viewed);
        seats.retain(|&seat| is_lost(viewed, seat));
        for seat in seats {
            let costly = candidates(viewed, seat).into_iter().map(|(at, _)| at).take(MOST_AGAIN);
            let costly = costly.collect::<Vec<_>>();
            self.ask_about(viewed, &costly, result)?;
            // With more nodes a search sees earlier what it answers for.
            let before = before_fall(viewed, seat).into_iter().take(MOST_BEFORE).collect::<Vec<_>>();
            self.ask_about(viewed, &before, result)?;
            // The two that are compared at last have been asked about with the same budget.
            for _ in 0..MOST_AGAIN {
                let first = candidates(viewed, seat).into_iter().take(2).map(|(at, _)| at);
                let unasked = first.filter(|&at| !is_checked(&viewed.turns[at])).collect::<Vec<_>>();
                self.ask_about(viewed, &unasked, result)?;
            }
        }
        Ok(())
    }

    fn ask_about(
        &mut self,
        viewed: &mut Viewed,
        turns: &[usize],
        result: Option<&[i64]>,
    ) -> Result<(), SessionError> {
        for &at in turns {
            if process::interrupted() {
                break;
            }
            let seat = viewed.turns[at].seat;
            let Some(Answer { thought, marks, words, .. }) = self.answer(viewed, at)? else { continue };
            let worth = match next_of(viewed, at) {
                Some((next, sign)) => self.answer(viewed, next)?.map(|next| sign * value(&next)),
                None => result.and_then(|points| certain(points, seat)),
            };
            let score = f64::from(thought.score.value());
            let (budget, command) = (self.limit.words(), self.limit.command());
            let checked =
                thought.best.map(|answer| Checked { answer, words, score, worth, marks, budget, command });
            if let Some(other) = &mut viewed.turns[at].other {
                other.checked = checked;
            }
        }
        Ok(())
    }

    /// Adds the lines of marked turns, with the larger budget where that was asked.
    fn add_lines(&mut self, viewed: &mut Viewed) -> Result<(), SessionError> {
        for at in marked(viewed) {
            if process::interrupted() {
                break;
            }
            let limit = if self.known.contains_key(&at) { self.limit } else { self.search.limit };
            let answer = |at: usize| match self.known.get(&at) {
                Some(known) if limit == self.limit => Ok(Some(known.clone())),
                _ => self.think(viewed, at, limit),
            };
            let Some(best) = answer(at)? else { continue };
            let next = match next_of(viewed, at) {
                Some((next, sign)) => answer(next)?.map(|answer| (next, answer, sign)),
                None => None,
            };
            let next = next.as_ref().map(|(next, answer, sign)| (*next, answer, *sign));
            lines::add(viewed, at, &best, next);
        }
        Ok(())
    }

    /// The answer with the larger budget.
    fn answer(&mut self, viewed: &Viewed, at: usize) -> Result<Option<Answer>, SessionError> {
        if !self.known.contains_key(&at) {
            self.known.extend(self.think(viewed, at, self.limit)?.map(|answer| (at, answer)));
        }
        Ok(self.known.get(&at).cloned())
    }

    /// Asks a new search about a turn. `None` if the position can't be set up.
    fn think(&self, viewed: &Viewed, at: usize, limit: Limit) -> Result<Option<Answer>, SessionError> {
        let turn = &viewed.turns[at];
        let mut session = self.contest.session(&self.search.search, &self.settings)?;
        let is_there =
            turn.moves_before.is_some_and(|before| play_to(&mut *session, &self.moves, before).is_ok());
        Ok(is_there.then(|| {
            let thought = session.think_for(turn.seat, limit.budget());
            let mut answer = Answer::of(&*session, turn.seat, thought);
            // Where seats are asked together, no move has a position of its own.
            let are_together = |pair: &[ViewedTurn]| pair[0].round > 0 && pair[0].round == pair[1].round;
            if !viewed.turns.windows(2).any(are_together) {
                answer.ask_on(&mut *session, self.search.limit);
            }
            answer
        }))
    }
}

fn is_checked(turn: &ViewedTurn) -> bool {
    turn.other.as_ref().is_some_and(|other| other.checked.is_some())
}

fn value(answer: &Answer) -> f64 {
    f64::from(answer.thought.score.value())
}

/// The turn whose position a move led to, and the sign with which its score is the mover's. Of seats that are asked
/// together, and of more than two, the mover's own next one.
fn next_of(viewed: &Viewed, at: usize) -> Option<(usize, f64)> {
    let turn = &viewed.turns[at];
    let is_later = |next: &ViewedTurn| next.moves_before > turn.moves_before;
    let first = (at..viewed.turns.len()).find(|&next| is_later(&viewed.turns[next]))?;
    let before = viewed.turns[first].moves_before;
    let is_own = |&next: &usize| viewed.turns[next].seat == turn.seat;
    let is_near = |next: &usize| viewed.bots.len() > 2 || viewed.turns[*next].moves_before == before;
    match (first..viewed.turns.len()).filter(is_near).find(is_own) {
        Some(own) => Some((own, 1.0)),
        None => (viewed.bots.len() == 2).then_some((first, -1.0)),
    }
}

/// Fills in each move's worth: the search's score in the next position, or the result after a seat's last move.
fn fill_worth(viewed: &mut Viewed, result: Option<&[i64]>) {
    for at in 0..viewed.turns.len() {
        let turn = &viewed.turns[at];
        let worth = match next_of(viewed, at) {
            Some((next, sign)) => viewed.turns[next].other.as_ref().map(|other| sign * other.score),
            None => result.and_then(|points| certain(points, turn.seat)),
        };
        let worth = worth.filter(|_| turn.failure.is_none());
        if let Some(other) = &mut viewed.turns[at].other {
            other.worth = worth;
        }
    }
}

/// A finished game's score for a seat.
fn certain(points: &[i64], seat: Seat) -> Option<f64> {
    let mine = points.get(seat)?;
    let best =
        points.iter().enumerate().filter(|(other, _)| *other != seat).map(|(_, points)| points).max()?;
    Some(match mine.cmp(best) {
        Ordering::Less => -WIN,
        Ordering::Equal => 0.0,
        Ordering::Greater => WIN,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::ViewedBot;

    #[test]
    fn a_move_is_worth_what_the_next_position_is() {
        // Seat 0, then 1, which moves twice since 0 must pass, then 0 makes the last move.
        let turn = |(seat, before, score): (Seat, usize, f64)| ViewedTurn {
            seat,
            moves_before: Some(before),
            other: Some(Other { score, ..Other::default() }),
            ..ViewedTurn::default()
        };
        let mut viewed = Viewed {
            bots: vec![ViewedBot::default(); 2],
            turns: [(0, 0, 5.0), (1, 1, -7.0), (1, 3, 9.0), (0, 4, -20.0)].map(turn).to_vec(),
            ..Viewed::default()
        };
        let worth = |viewed: &Viewed| {
            viewed
                .turns
                .iter()
                .map(|turn| turn.other.as_ref().and_then(|other| other.worth))
                .collect::<Vec<_>>()
        };
        fill_worth(&mut viewed, Some(&[12, 52]));
        assert_eq!(worth(&viewed), [Some(7.0), Some(9.0), Some(20.0), Some(-WIN)]);
        viewed.turns[1].failure = Some("crash".to_owned());
        fill_worth(&mut viewed, None);
        assert_eq!(worth(&viewed), [Some(7.0), None, Some(20.0), None]);
        assert_eq!([0, 1].map(|seat| certain(&[3, 3], seat)), [Some(0.0), Some(0.0)]);
    }

    #[test]
    fn of_more_than_two_a_move_is_worth_what_its_own_next_turn_is() {
        let turn = |(seat, score): (Seat, f64)| ViewedTurn {
            seat,
            other: Some(Other { score, ..Other::default() }),
            ..ViewedTurn::default()
        };
        let mut viewed = Viewed {
            bots: vec![ViewedBot::default(); 3],
            turns: [(0, 5.0), (1, 6.0), (2, 7.0), (0, -50.0), (2, 8.0), (0, -90.0)].map(turn).to_vec(),
            ..Viewed::default()
        };
        viewed.turns.iter_mut().enumerate().for_each(|(at, turn)| turn.moves_before = Some(at));
        fill_worth(&mut viewed, Some(&[1, 0, 2]));
        let worth = viewed.turns.iter().map(|turn| turn.other.as_ref().and_then(|other| other.worth));
        let expected = [-50.0, -WIN, 8.0, -90.0, WIN, -WIN].map(Some);
        assert_eq!(worth.collect::<Vec<_>>(), expected);
    }
}
