//! Plays ultimate tic-tac-toe with best-first minimax over pattern tables.

use std::process::ExitCode;

use bots::shared::grid::player;
use bots::uttt::strategy::{search, Numbers, BYTES};
use contest::bot::Settings;

fn main() -> ExitCode {
    player::play(|settings: &Settings<Numbers>| search(&settings.numbers, BYTES))
}
