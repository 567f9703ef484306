//! The summary of a series.

mod display;
mod tally;

use std::collections::BTreeMap;

use serde::Serialize;

use crate::bot::data::{DataTally, Spread};
use crate::game::fault::Ending;
use crate::process::noise::Noise;
use crate::stats::{Comparison, Estimate, Times};

pub use tally::{outcomes_of_groups, Tally};

/// The results of a series.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// The contest's name.
    pub contest: String,
    /// How many games were played.
    pub games: u32,
    /// How many of them ended normally.
    pub normal: u32,
    /// The bots in the order of the command line.
    pub bots: Vec<BotSummary>,
    /// What the whole pairs of games say of the first of two bots.
    pub comparison: Option<Comparison>,
    /// How fast the machine answered by itself meanwhile, if that was measured.
    pub noise: Option<Noise>,
}

/// One bot's summary of a series.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BotSummary {
    /// A, B, …
    pub name: String,
    /// Its command line.
    pub command: String,
    /// Against the others, if there are any.
    pub result: Option<Standing>,
    /// The contest's points a game.
    pub mean_points: f64,
    /// How it did on each seat.
    pub seats: Vec<SeatScore>,
    /// How its games ended, for it.
    pub endings: BTreeMap<Ending, u32>,
    /// Its first answers.
    pub first: Times,
    /// All answers but the first ones.
    pub later: Times,
    /// Milliseconds of processor time a game, where the system says so.
    pub cpu_ms: Option<Spread>,
    /// The most memory that was resident at once in any game.
    pub peak_memory_bytes: Option<u64>,
    /// The numbers that it said of itself.
    #[serde(skip_serializing_if = "DataTally::is_empty")]
    pub data: DataTally,
}

/// How a bot did on one seat.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct SeatScore {
    /// Games on it.
    pub games: u32,
    /// Wins and half the draws there (the share of the others that were beaten).
    pub points: f64,
}

/// How a bot did against the others.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Standing {
    /// Games with more points than anybody else.
    pub wins: u32,
    /// Games with as many points as the best of the others.
    pub draws: u32,
    /// The other games.
    pub losses: u32,
    /// Wins and half the draws a game (against each of the others), with a 95 % interval by opening pairs.
    pub score: Estimate,
}
