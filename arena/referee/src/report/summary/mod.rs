//! The summary of a series.

mod display;
mod tally;

use std::collections::BTreeMap;

use serde::Serialize;

use crate::bot::data::{DataTally, Spread};
use crate::game::fault::Ending;
use crate::process::noise::{MachineNoise, Noise};
use coppice_stats::{Comparison, Estimate, Lead, Times};

pub use tally::Tally;

/// The results of a series.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// The contest's name.
    pub contest: String,
    /// The number of games.
    pub games: u32,
    /// The number of games that ended normally.
    pub normal: u32,
    /// The bots in the order of the command line.
    pub bots: Vec<BotSummary>,
    /// The first bot's result over whole pairs of games; `None` unless there are two bots.
    pub comparison: Option<Comparison>,
    /// The bots by their lead over the next, the best first, if more than two play alone and scores count by more than their
    /// order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub leads: Vec<Leading>,
    /// The machine's own delays, if they were measured.
    pub noise: Option<Noise>,
    /// The delays of each machine, if the games were played on several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub machines: Vec<MachineNoise>,
}

// Serde passes a reference.
fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// One bot's summary of a series.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BotSummary {
    /// Name in the run: A, B, …
    pub name: String,
    /// Command line of the bot.
    pub command: String,
    /// Results against the others; `None` for a bot that plays alone.
    pub result: Option<Standing>,
    /// The contest's points per game.
    pub mean_points: f64,
    /// The mean share of the best known score, if scores are relative to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    /// Results by seat.
    pub seats: Vec<SeatScore>,
    /// The endings of its games.
    pub endings: BTreeMap<Ending, u32>,
    /// Time-outs in turns in which the bot used little processor time: it waited, or the machine kept it waiting.
    #[serde(skip_serializing_if = "is_zero")]
    pub idle_time_outs: u32,
    /// Times of the first answers.
    pub first: Times,
    /// All answers but the first ones.
    pub later: Times,
    /// Milliseconds of processor time per game, where the system reports it.
    pub cpu_ms: Option<Spread>,
    /// The maximum resident memory of any game.
    pub peak_memory_bytes: Option<u64>,
    /// The maximum memory of any game as a memory limit counts it, where the system tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_data_bytes: Option<u64>,
    /// The numbers that it reported.
    #[serde(skip_serializing_if = "DataTally::is_empty")]
    pub data: DataTally,
}

/// A bot that plays alone, and how far it is ahead.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Leading {
    /// The bot's name.
    pub name: String,
    /// The mean share of the best known score, if scores are relative to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    /// The lead over the next bot; `None` for the last, or with one seed only.
    pub over_next: Option<Lead>,
}

/// A bot's results on one seat.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct SeatScore {
    /// The number of games.
    pub games: u32,
    /// Wins and half the draws per game (with one seat, the share of the others that it beat).
    pub points: f64,
}

/// A bot's results against the others.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Standing {
    /// Games in which it had the most points.
    pub wins: u32,
    /// Games in which it shared the most points.
    pub draws: u32,
    /// The other games.
    pub losses: u32,
    /// Wins and half the draws per game (against each of the others), with a 95 % interval by opening pairs.
    pub score: Estimate,
}
