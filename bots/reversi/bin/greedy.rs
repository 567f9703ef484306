//! Plays Othello one ply deep: the baseline.

use std::process::ExitCode;

use bots::reversi::{eval::Positional, player};
use contest::bot::Settings;
use coppice::search::Greedy;

fn main() -> ExitCode {
    player::play(|settings: &Settings| Greedy::new(Positional::new(), settings.seed))
}
