//! Othello one ply deep: the baseline.

use std::process::ExitCode;

use bots::reversi::{eval::Positional, player};
use coppice::search::Greedy;

fn main() -> ExitCode {
    player::play(|settings| Greedy::new(Positional::new(), settings.seed))
}
