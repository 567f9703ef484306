//! Time-outs in the games of `arena verify`. The bots are searches of this program that answer at once, so they are the
//! machine's, and no difference between rules and referee.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use contest::{Limits, Seat};
use coppice_referee::external::{is_time_out, Game};
use coppice_referee::game::log::Direction;
use coppice_referee::replay::verify::Verdict;
use coppice_referee::text::{millis, printable};

/// Plays of a game before its time-out is an error.
pub(super) const TRIES: u32 = 3;

/// A legal answer that took longer than this share of the contest's limit may have been too late for the referee.
const SLOW_SHARE: f64 = 0.5;

/// A time-out of the bot on a seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TimeOut {
    seat: Seat,
    sign: Sign,
}

/// The sign of a time-out.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Sign {
    /// The referee's words.
    Told(String),
    /// No answer to the last turn, although the process was running.
    Silence,
    /// The time of an answer that the referee doesn't accept.
    Slowness(Duration),
}

impl fmt::Display for TimeOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the bot on seat {} ", self.seat)?;
        match &self.sign {
            Sign::Told(words) => {
                write!(f, "timed out (the referee says: {})", printable(words.as_bytes()))
            }
            Sign::Silence => write!(f, "timed out (it had not yet answered its last turn)"),
            Sign::Slowness(time) => {
                write!(f, "failed with a legal answer after {:.0} ms, which may be a time-out", millis(*time))
            }
        }
    }
}

/// A game that can't be compared.
#[derive(Debug, thiserror::Error)]
#[error(
    "game {game} (seed {seed}) can't be compared: {time_out}, in each of {TRIES} tries{}\n\
     if the machine is busy, try again later, or give the referee longer limits; otherwise the referee waits for more \
     than the rules' answer, such as another line",
    .kept.as_ref().map(|folder| format!("; the last is kept in {}", folder.display())).unwrap_or_default()
)]
pub(super) struct Persistent {
    pub game: u32,
    pub seed: String,
    pub time_out: TimeOut,
    pub kept: Option<PathBuf>,
}

impl TimeOut {
    /// The time-out that has ended a game, if one has.
    pub(super) fn of(verdict: &Verdict, game: &Game, limits: Limits) -> Option<Self> {
        let seats = game.scores.len();
        // Only where others play on, a time-out changes what is sent.
        if seats <= 2 && verdict.problem.as_ref().is_some_and(|problem| !problem.is_cut) {
            return None;
        }
        (0..seats).find_map(|seat| Some(Self { seat, sign: sign(seat, verdict, game, limits)? }))
    }

    /// Whether a game that ends so every time can't be compared. A late answer may have been refused, and a turn that is
    /// shorter than the rules' is a difference.
    pub(super) fn hides_the_rest(&self, verdict: &Verdict, game: &Game) -> bool {
        let is_in_turn = last(game, self.seat) == Some(Direction::ToBot)
            && verdict.failures.iter().all(|failure| failure.seat != self.seat);
        let differs = verdict.problem.as_ref().is_some_and(|problem| !problem.is_cut || is_in_turn);
        !differs && !matches!(self.sign, Sign::Slowness(_))
    }
}

fn sign(seat: Seat, verdict: &Verdict, game: &Game, limits: Limits) -> Option<Sign> {
    let has_answered = last(game, seat) == Some(Direction::FromBot);
    let failure = verdict.failures.iter().find(|failure| failure.seat == seat);
    // Refused by the rules as well, or shorter than they want it.
    if failure.is_some_and(|failure| failure.answer.is_some() || has_answered) {
        return None;
    }
    // Where another bot's answer ends the game, nobody waits for this one.
    let is_missed = failure.is_some() && verdict.failures.len() == 1;
    if !game.failed[seat] && !is_missed {
        return None;
    }
    if let Some(words) = game.words.get(seat).filter(|words| is_time_out(words)) {
        return Some(Sign::Told(words.clone()));
    }
    if !has_answered {
        let has_ended = game.remarks.get(seat).is_some_and(|remarks| remarks.has_ended_early);
        return (!has_ended).then_some(Sign::Silence);
    }
    let times = game.dialogues.times.get(seat)?;
    let limit = if times.len() == 1 { limits.first } else { limits.later };
    let &time = times.last()?;
    (time >= limit.mul_f64(SLOW_SHARE)).then_some(Sign::Slowness(time))
}

/// Who wrote the last line of a seat's dialogue.
fn last(game: &Game, seat: Seat) -> Option<Direction> {
    game.dialogues.logs[seat].entries().last().map(|entry| entry.direction)
}
