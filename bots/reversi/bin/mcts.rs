//! Plays Othello with Monte Carlo tree search: an opponent to measure against.

use std::process::ExitCode;

use bots::reversi::monte_carlo::{search, Numbers, BYTES};
use bots::reversi::player;
use contest::bot::Settings;

fn main() -> ExitCode {
    player::play(|settings: &Settings<Numbers>| search(&settings.numbers, BYTES, settings.seed))
}
