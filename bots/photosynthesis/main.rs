//! Plays Photosynthesis with decoupled UCT.

use std::process::ExitCode;

use bots::photosynthesis::player;
use bots::photosynthesis::strategy::{Numbers, Strategy, BYTES};
use contest::bot::Settings;

fn main() -> ExitCode {
    player::play(|settings: &Settings<Numbers>| Strategy::new(&settings.numbers, BYTES, settings.seed))
}
