//! The bot.

use std::process::ExitCode;

use contest::bot::Settings;
use contest::commands::player;
use coppice::search::{AlphaBeta, AlphaBetaOptions};
use nim::{Nim, Unknown};

fn main() -> ExitCode {
    player::play(|_: &Settings<()>, _: &Nim, _| AlphaBeta::new(Unknown, 1 << 20, AlphaBetaOptions::default()))
}
