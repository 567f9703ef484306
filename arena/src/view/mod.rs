//! A page that shows games: positions, charts, what each bot was sent, answered and said.
//!
//! [`Viewed`] is a game turn by turn, whatever it was read from; [`page`](page::page) writes it as one HTML file that needs
//! no network and no server, and can be read as a list of turns where scripts don't run.

pub mod compare;
mod dialogues;
pub mod foreign;
pub mod game;
pub mod look;
mod numbers;
pub mod open;
mod overlay;
pub mod page;
mod shapes;

use std::collections::BTreeMap;

use contest::drawing::Drawing;
use contest::Seat;

/// A game to be shown.
#[derive(Debug, Clone, Default)]
pub struct Viewed {
    /// Its name: the files it was read from.
    pub name: String,
    /// The contest, or empty if it isn't known.
    pub contest: String,
    /// The bots, by seat.
    pub bots: Vec<ViewedBot>,
    /// Points, by seat.
    pub scores: Vec<i64>,
    /// How the game ended, if that is known.
    pub ending: String,
    /// What should be known about the game: its faults, where it contradicts the rules, where it is cut off.
    pub notes: Vec<String>,
    /// Failures: the seat, the number of its turn, what happened.
    pub failures: Vec<(Seat, u32, String)>,
    /// Whether fewer points are better.
    pub is_lower_better: bool,
    /// All moves, if the contest is known.
    pub moves: String,
    /// The game's seed by its record, or 0.
    pub seed: u64,
    /// The turns, in order.
    pub turns: Vec<ViewedTurn>,
    /// The position at the end, with its text.
    pub end: Option<(Drawing, String)>,
    /// Time limits of a first and of every later answer in milliseconds, if known.
    pub limits_ms: Option<[f64; 2]>,
}

/// A bot of a game.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ViewedBot {
    /// Its name.
    pub name: String,
    /// Its command line; may be empty.
    pub command: String,
}

/// A turn.
#[derive(Debug, Clone, Default)]
pub struct ViewedTurn {
    /// The seat that was asked.
    pub seat: Seat,
    /// The number of moves of the record before it, if the contest is known.
    pub moves_before: Option<usize>,
    /// The position before the answer.
    pub position: Option<Drawing>,
    /// The position as text.
    pub text: String,
    /// The lines that the bot was sent.
    pub sent: String,
    /// The bot's answer.
    pub answer: String,
    /// The move that it means, as records write it.
    pub played: Option<String>,
    /// What the bot wrote to its standard error.
    pub said: String,
    /// The time of the answer in milliseconds.
    pub ms: Option<f64>,
    /// The numbers that the bot reported about this turn.
    pub numbers: BTreeMap<String, f64>,
    /// What another bot would have answered.
    pub other: Option<Other>,
}

/// Another bot's answer to a turn.
#[derive(Debug, Clone, PartialEq)]
pub struct Other {
    /// Its answer.
    pub answer: String,
    /// Its score of the position, for the seat to move.
    pub score: f64,
}

impl ViewedTurn {
    /// Whether another bot would have played something else.
    pub fn differs(&self) -> bool {
        self.other.as_ref().is_some_and(|other| Some(&other.answer) != self.played.as_ref())
    }
}
