//! Plays Kalah with alpha-beta.

use std::process::ExitCode;

use bots::bot::Settings;
use bots::commands::player;
use bots::mancala::eval::Holes;
use bots::mancala::Board;
use coppice::search::{AlphaBeta, AlphaBetaOptions};

fn main() -> ExitCode {
    player::play(|_: &Settings, _: &Board, _| AlphaBeta::new(Holes, 64 << 20, AlphaBetaOptions::default()))
}
