//! The Othello bot that is meant to be submitted.

use std::process::ExitCode;

use bots::reversi::{player, strategy::Strategy};

fn main() -> ExitCode {
    player::play(|_| Strategy::new())
}
