//! Plays Wondev Woman with best-first minimax over the places where the other's units may be.

use std::process::ExitCode;

use bots::wondev::eval::Weights;
use bots::wondev::player;
use bots::wondev::strategy::{submitted, Numbers, BYTES};
use contest::bot::Settings;

fn main() -> ExitCode {
    player::play(|settings: &Settings<Numbers>| submitted(&settings.numbers, &Weights::default(), BYTES))
}
