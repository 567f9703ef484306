//! Plays Freckers with alpha-beta over a fitted evaluation.

use std::process::ExitCode;

use bots::bot::Settings;
use bots::commands::player;
use bots::freckers::strategy::Strategy;
use bots::freckers::Board;

fn main() -> ExitCode {
    player::play(|_: &Settings, _: &Board, _| Strategy::new())
}
