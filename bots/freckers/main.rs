//! Plays Freckers with alpha-beta over a fitted evaluation.

use std::process::ExitCode;

use bots::freckers::strategy::Strategy;
use bots::freckers::Board;
use contest::bot::Settings;
use contest::commands::player;

fn main() -> ExitCode {
    player::play(|_: &Settings, _: &Board, _| Strategy::new())
}
