//! Plays Kalah with alpha-beta.

use std::process::ExitCode;

use bots::mancala::eval::Holes;
use bots::mancala::Board;
use contest::bot::Settings;
use contest::commands::player;
use coppice::search::{AlphaBeta, AlphaBetaOptions};

fn main() -> ExitCode {
    player::play(|_: &Settings, _: &Board, _| AlphaBeta::new(Holes, AlphaBetaOptions::default()))
}
