//! The referee's loop: plays one game between bots that have been started.

pub mod fault;
pub mod in_process;
pub mod log;
pub mod surplus;

use std::time::{Duration, Instant};

use contest::{Limits, Referee, Seat};

use crate::bot::data::BotData;
use crate::bot::usage::Usage;
use crate::bot::{Bot, Reply};
use crate::game::fault::{judge, last_lines, Ending, FaultReport, Turn, Verdict};
use crate::game::log::{Direction, Log};
use crate::game::surplus::Surplus;
use crate::process;

/// Maximum time for bots to exit after their input was closed.
const LEAVE: Duration = Duration::from_millis(200);

/// A player of a game.
pub struct Player {
    /// The name in the results.
    pub name: String,
    /// The bot.
    pub bot: Box<dyn Bot>,
}

/// A finished game.
#[derive(Debug, Clone, PartialEq)]
pub struct Played {
    /// The opening's moves.
    pub opening: String,
    /// All moves, the opening's included.
    pub moves: String,
    /// Points by seat.
    pub scores: Vec<i64>,
    /// The faults, in order; empty if the game ended normally.
    pub faults: Vec<FaultReport>,
    /// The time of each answer, by seat; the first is that of the first turn.
    pub times: Vec<Vec<Duration>>,
    /// The dialogues, by seat.
    pub dialogues: Vec<Log>,
    /// The resource usage, by seat.
    pub usage: Vec<Usage>,
    /// The numbers that each bot reported, by seat.
    pub data: Vec<BotData>,
}

impl Played {
    /// How the game ended: by its first fault, if there is one.
    pub fn ending(&self) -> Ending {
        self.faults.first().map_or(Ending::Normal, |fault| fault.ending)
    }
}

/// The reasons why a game has no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// The program was interrupted.
    #[error("interrupted")]
    Interrupted,
    /// A defect of the contest: the game might never end.
    #[error(
        "the contest asks seat {0} for a move, but that seat is out or doesn't exist: a bug of the contest"
    )]
    AsksNobody(Seat),
    /// A defect of the contest: a score is missing.
    #[error("the contest gives {0} scores for {1} seats: a bug of the contest")]
    Scores(usize, usize),
}

/// Plays a game to its end and ends the bots.
///
/// If several seats are asked together, all turns are made from the same state, but the bots
/// think one after the other, so that none takes another's processor time.
///
/// # Errors
/// If the program was interrupted or the contest misbehaves. Faults of bots are no errors.
pub fn play(
    referee: &mut dyn Referee,
    players: &mut [Player],
    limits: Limits,
    grace: Duration,
) -> Result<Played, GameError> {
    let limits = Limits { first: limits.first + grace, later: limits.later + grace };
    let mut game = Game::new(referee, players, limits);
    while game.round()? {}
    game.send_away();
    game.result()
}

struct Game<'a> {
    referee: &'a mut dyn Referee,
    players: &'a mut [Player],
    limits: Limits,
    opening: String,
    seats: Vec<SeatState>,
    faults: Vec<FaultReport>,
}

#[derive(Default)]
struct SeatState {
    turns: u32,
    is_out: bool,
    times: Vec<Duration>,
    dialogue: Log,
    surplus: Surplus,
}

impl<'a> Game<'a> {
    fn new(referee: &'a mut dyn Referee, players: &'a mut [Player], limits: Limits) -> Self {
        let opening = referee.moves();
        let seats = players.iter().map(|_| SeatState::default()).collect();
        Self { referee, players, limits, opening, seats, faults: Vec::new() }
    }

    /// Asks all seats that are to move; `false` if the game is over.
    fn round(&mut self) -> Result<bool, GameError> {
        let asked = self.referee.asked();
        if let Some(&seat) = asked.iter().find(|&&seat| self.seats.get(seat).is_none_or(|s| s.is_out)) {
            return Err(GameError::AsksNobody(seat));
        }
        let texts = asked.iter().map(|&seat| self.text(seat)).collect::<Vec<_>>();
        let verdicts = asked.iter().zip(&texts).map(|(&seat, text)| self.ask(seat, text)).collect::<Vec<_>>();
        if process::interrupted() {
            return Err(GameError::Interrupted);
        }
        for (&seat, verdict) in asked.iter().zip(verdicts) {
            let verdict = verdict.and_then(|answer| self.hand_over(seat, &answer));
            if let Err(verdict) = verdict {
                self.forfeit(seat, verdict);
            }
        }
        Ok(!asked.is_empty())
    }

    /// The lines for a seat; on its first turn, the init lines come first.
    fn text(&self, seat: Seat) -> String {
        let turn = self.referee.turn(seat);
        if self.seats[seat].turns == 0 {
            self.referee.init(seat) + &turn
        } else {
            turn
        }
    }

    fn ask(&mut self, seat: Seat, text: &str) -> Result<String, Verdict> {
        let state = &mut self.seats[seat];
        state.turns += 1;
        // What has arrived until now belongs to the turn before.
        state.dialogue.push_said(&self.players[seat].bot.stderr_news());
        let limit = if state.turns == 1 { self.limits.first } else { self.limits.later };
        let turn = Turn::new(state.turns, self.referee, seat, limit);
        let mut reply = state.surplus.ask(&mut *self.players[seat].bot, text, turn);
        state.surplus.keep(&mut reply, turn);
        state.write_down(text, &reply);
        if let Reply::Answer { bytes, extra, .. } = &mut reply {
            let answer = String::from_utf8_lossy(bytes);
            let may_follow = |line: &[u8]| {
                self.referee.may_follow(seat, &answer, String::from_utf8_lossy(line).trim_end())
            };
            if extra.as_deref().is_some_and(may_follow) {
                *extra = None;
            }
        }
        let judged = judge(&reply, turn);
        if judged.as_ref().is_err_and(Verdict::is_time_out) {
            return judged;
        }
        match self.players[seat].bot.excess() {
            Some(excess) => Err(Verdict::excess(&excess)),
            None => judged,
        }
    }

    /// Passes an answer to the contest, unless another seat's fault has made it unnecessary.
    fn hand_over(&mut self, seat: Seat, answer: &str) -> Result<(), Verdict> {
        if !self.referee.asked().contains(&seat) {
            return Ok(());
        }
        self.referee.answer(seat, answer).map_err(|fault| Verdict::refused(fault, answer))
    }

    /// Removes a seat from the game. Its process is ended immediately: the others need the processor.
    fn forfeit(&mut self, seat: Seat, verdict: Verdict) {
        let player = &mut self.players[seat];
        player.bot.stop(Duration::ZERO);
        self.seats[seat].is_out = true;
        self.faults.push(FaultReport {
            bot: player.name.clone(),
            seat,
            turn: self.seats[seat].turns,
            ending: verdict.ending,
            expected: verdict.expected,
            received: verdict.received,
            stderr: last_lines(&player.bot.stderr_tail()),
        });
        self.referee.forfeit(seat);
    }

    fn send_away(&mut self) {
        for player in &mut *self.players {
            player.bot.dismiss();
        }
        let end = Instant::now() + LEAVE;
        for player in &mut *self.players {
            player.bot.stop(end.saturating_duration_since(Instant::now()));
        }
    }

    fn result(mut self) -> Result<Played, GameError> {
        let (scores, seats) = (self.referee.scores(), self.seats.len());
        if scores.len() != seats {
            return Err(GameError::Scores(scores.len(), seats));
        }
        for (seat, player) in self.seats.iter_mut().zip(&mut *self.players) {
            seat.dialogue.push_said(&player.bot.stderr_news());
        }
        let (times, dialogues) = self.seats.into_iter().map(|seat| (seat.times, seat.dialogue)).unzip();
        let (usage, data) = self.players.iter_mut().map(|p| (p.bot.usage(), p.bot.data())).unzip();
        let moves = self.referee.moves();
        Ok(Played {
            opening: self.opening,
            moves,
            scores,
            faults: self.faults,
            times,
            dialogues,
            usage,
            data,
        })
    }
}

impl SeatState {
    fn write_down(&mut self, text: &str, reply: &Reply) {
        let came_first = matches!(reply, Reply::Unasked { .. });
        if !came_first {
            self.dialogue.push(Direction::ToBot, text);
        }
        if !reply.bytes().is_empty() || matches!(reply, Reply::Answer { .. } | Reply::Unasked { .. }) {
            self.dialogue.push_bytes(Direction::FromBot, reply.bytes());
        }
        if let Reply::Answer { after, extra, .. } = reply {
            self.times.push(*after);
            if let Some(extra) = extra {
                self.dialogue.push_bytes(Direction::FromBot, extra);
            }
        }
    }
}
