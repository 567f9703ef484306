//! Plays ultimate tic-tac-toe with plain UCT: an opponent to measure against.

use std::process::ExitCode;

use bots::shared::grid::player;
use bots::uttt::{monte_carlo::BYTES, uct};
use contest::bot::Settings;

fn main() -> ExitCode {
    player::play(|settings: &Settings| uct::search(BYTES, settings.seed))
}
