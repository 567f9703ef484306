//! The Othello bot for submission.

use std::process::ExitCode;

use bots::bot::Settings;
use bots::reversi::{player, strategy::Numbers, strategy::Strategy};

fn main() -> ExitCode {
    player::play(|settings: &Settings<Numbers>| Strategy::with(&settings.numbers, Strategy::BYTES))
}
