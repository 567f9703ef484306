//! Plays Kalah with best-first minimax over a small network.

use std::process::ExitCode;

use bots::mancala::strategy::{search, Numbers, BYTES};
use bots::mancala::Board;
use contest::bot::Settings;
use contest::commands::player;

fn main() -> ExitCode {
    player::play(|settings: &Settings<Numbers>, _: &Board, _| search(&settings.numbers, BYTES))
}
