//! The fields of a game's record that a replay needs. Unknown fields are ignored, and most known ones are
//! optional.

use std::time::Duration;

use contest::{Contest, IllegalMove, Limits, Referee, Seat, Setup};
use serde::Deserialize;

use crate::record::Seating;
use coppice_stats::Scoring;

/// A record; all fields are optional.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Fields {
    /// The game's number in its run.
    pub game: Option<u64>,
    /// The contest's name, with its variant.
    pub contest: Option<String>,
    /// The contest's seed for this game.
    pub seed: u64,
    /// The opening's moves.
    pub opening: String,
    /// All moves, the opening's included.
    pub moves: Option<String>,
    /// Points by seat.
    pub scores: Option<Vec<i64>>,
    /// The faults.
    pub faults: Vec<RecordedFault>,
    /// The run's settings.
    pub run: Option<RecordedRun>,
    /// The bots, by seat.
    pub bots: Vec<RecordedBot>,
    /// How the game ended.
    pub ending: Option<String>,
    /// The time of each answer in milliseconds, by seat.
    pub times_ms: Vec<Vec<f64>>,
    /// The searches' reports by seat and turn, of a game without processes.
    pub reports: Vec<Vec<String>>,
    /// The seat of each answer, in order, of a game of an external referee.
    pub turns: Vec<Seat>,
}

/// A fault.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct RecordedFault {
    /// The seat that failed.
    pub seat: Seat,
    /// The seat's turn, from 1.
    pub turn: u32,
    /// Whether it came after the answer of that turn, which counts.
    #[serde(default)]
    pub after_answer: bool,
    /// The kind of fault.
    #[serde(default)]
    pub ending: String,
    /// The expected form of the answer.
    #[serde(default)]
    pub expected: String,
    /// The answer that came.
    #[serde(default, rename = "came")]
    pub received: String,
    /// The end of the bot's standard error.
    #[serde(default)]
    pub stderr: String,
}

impl RecordedFault {
    /// The number of the seat's turn that has no answer because of it.
    pub fn forfeited_turn(&self) -> u32 {
        self.turn.saturating_add(self.after_answer.into())
    }
}

/// A bot.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct RecordedBot {
    /// Name in the run.
    pub name: String,
    /// Command line of the bot.
    pub command: String,
}

/// The limits of a run.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct RecordedRun {
    /// The seats of the bots in the games of a group.
    #[serde(default)]
    pub seating: Seating,
    /// For a first answer, in milliseconds.
    pub first_ms: f64,
    /// For every other, in milliseconds.
    pub later_ms: f64,
    /// How scores are compared.
    #[serde(default)]
    pub scoring: Scoring,
    /// The external referee that played the game.
    #[serde(default)]
    pub referee: Option<serde::de::IgnoredAny>,
}

impl Fields {
    /// Whether an external referee played the game.
    pub fn is_of_a_referee(&self) -> bool {
        self.run.as_ref().is_some_and(|run| run.referee.is_some())
    }

    /// The record's limits, or the contest's.
    pub fn limits(&self, contest: &dyn Contest) -> Limits {
        let duration = |ms: f64| Duration::try_from_secs_f64(ms / 1000.0).ok();
        let said = self
            .run
            .and_then(|run| Some(Limits { first: duration(run.first_ms)?, later: duration(run.later_ms)? }));
        said.unwrap_or_else(|| contest.limits())
    }

    /// The game with its opening played.
    ///
    /// # Errors
    /// The first illegal move of the opening.
    pub fn new_game(
        &self,
        contest: &dyn Contest,
        limits: Limits,
    ) -> Result<Box<dyn Referee>, IllegalOpening> {
        after(contest, Setup { seed: self.seed, opening_plies: 0, limits }, &self.opening)
    }
}

/// A move of a recorded opening isn't legal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("move {number} of the opening: {error}")]
pub struct IllegalOpening {
    /// The move's number, from 1.
    number: usize,
    /// The reason.
    error: IllegalMove,
}

/// A game that begins with these moves.
///
/// # Errors
/// The first illegal one.
pub fn after(contest: &dyn Contest, setup: Setup, opening: &str) -> Result<Box<dyn Referee>, IllegalOpening> {
    let mut referee = contest.new_game(setup);
    let words: Vec<&str> = opening.split_whitespace().collect();
    loop {
        // Forced moves, such as a pass, were already made by the referee.
        let made = referee.moves().split_whitespace().count();
        let Some(word) = words.get(made) else { return Ok(referee) };
        referee.open(word).map_err(|error| IllegalOpening { number: made + 1, error })?;
    }
}
