//! The Othello bot for submission.

use std::process::ExitCode;

use bots::reversi::{player, strategy::Numbers, strategy::Strategy};
use contest::bot::Settings;

fn main() -> ExitCode {
    player::play(|settings: &Settings<Numbers>| Strategy::with(&settings.numbers, Strategy::BYTES))
}
