//! Plays Othello with Monte Carlo tree search: an opponent to measure against.

use std::process::ExitCode;

use bots::bot::Settings;
use bots::reversi::monte_carlo::{search, Numbers, BYTES};
use bots::reversi::player;

fn main() -> ExitCode {
    player::play(|settings: &Settings<Numbers>| search(&settings.numbers, BYTES, settings.seed))
}
