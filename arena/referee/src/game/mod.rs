//! The referee's loop: plays one game between bots that have been started.

pub mod child;
pub mod debugging;
pub mod fault;
pub mod in_process;
pub mod limit;
pub mod log;
pub mod seat;
mod single_player;

use std::time::{Duration, Instant};

use contest::{Limits, Referee, Seat};

use crate::bot::data::BotData;
use crate::bot::usage::Usage;
use crate::bot::Bot;
use crate::failure::FailureKind;
use crate::game::fault::{Ending, FaultReport, Verdict};
use crate::game::log::Log;
use crate::game::seat::SeatState;
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
    /// Each search's reports by seat and turn, as bots write them to standard error; empty for processes, whose dialogues
    /// have them.
    pub reports: Vec<Vec<String>>,
}

impl Played {
    /// How the game ended: by its first fault, if there is one.
    pub fn ending(&self) -> Ending {
        self.faults.first().map_or(Ending::Normal, |fault| fault.ending)
    }
}

/// The reasons why a game has no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
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

impl GameError {
    /// The kind of failure, which decides the exit status.
    pub fn kind(&self) -> FailureKind {
        match self {
            Self::Interrupted => FailureKind::Interrupt,
            _ => FailureKind::Other,
        }
    }
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
    let Game { referee, players, opening, seats, faults, .. } = game;
    finish(referee, players, seats, opening, faults)
}

struct Game<'a> {
    referee: &'a mut dyn Referee,
    players: &'a mut [Player],
    limits: Limits,
    opening: String,
    seats: Vec<SeatState>,
    faults: Vec<FaultReport>,
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
        let text = |&seat: &Seat| self.seats[seat].text(self.referee, seat);
        let texts = asked.iter().map(text).collect::<Vec<_>>();
        let mut verdicts = Vec::new();
        for (&seat, text) in asked.iter().zip(&texts) {
            let player = &mut self.players[seat];
            verdicts.push(self.seats[seat].ask(player, self.referee, seat, text, self.limits));
        }
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

    /// Passes an answer to the contest, unless another seat's fault has made it unnecessary.
    fn hand_over(&mut self, seat: Seat, answer: &str) -> Result<(), Verdict> {
        if !self.referee.asked().contains(&seat) {
            return Ok(());
        }
        self.referee.answer(seat, answer).map_err(|fault| Verdict::refused(fault, answer))
    }

    /// Removes a seat from the game.
    fn forfeit(&mut self, seat: Seat, verdict: Verdict) {
        let fault = self.seats[seat].forfeit(&mut self.players[seat], seat, verdict);
        self.faults.push(fault);
        self.referee.forfeit(seat);
    }
}

/// Ends the bots of a game that is over, and gathers what is known of it.
///
/// # Errors
/// If the contest doesn't give a score to each seat.
pub fn finish(
    referee: &dyn Referee,
    players: &mut [Player],
    mut seats: Vec<SeatState>,
    opening: String,
    faults: Vec<FaultReport>,
) -> Result<Played, GameError> {
    send_away(players);
    let scores = referee.scores();
    if scores.len() != seats.len() {
        return Err(GameError::Scores(scores.len(), seats.len()));
    }
    for (seat, player) in seats.iter_mut().zip(&mut *players) {
        seat.dialogue.push_said(&player.bot.stderr_news());
    }
    let (times, dialogues) = seats.into_iter().map(|seat| (seat.times, seat.dialogue)).unzip();
    let (usage, data) = players.iter_mut().map(|p| (p.bot.usage(), p.bot.data())).unzip();
    Ok(Played {
        opening,
        moves: referee.moves(),
        scores,
        faults,
        times,
        dialogues,
        usage,
        data,
        reports: Vec::new(),
    })
}

/// Closes the bots' inputs and ends them.
pub fn send_away(players: &mut [Player]) {
    for player in &mut *players {
        player.bot.dismiss();
    }
    let end = Instant::now() + LEAVE;
    for player in players {
        player.bot.stop(end.saturating_duration_since(Instant::now()));
    }
}
