//! Plays ultimate tic-tac-toe with Monte Carlo tree search.

use std::process::ExitCode;

use bots::shared::grid::player;
use bots::uttt::monte_carlo::{search, Numbers, BYTES};
use contest::bot::Settings;

fn main() -> ExitCode {
    player::play(|settings: &Settings<Numbers>| search(&settings.numbers, BYTES, settings.seed))
}
