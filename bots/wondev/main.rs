//! Plays Wondev Woman with alpha-beta over the places where the other's units may be.

use std::process::ExitCode;

use bots::wondev::eval::Weights;
use bots::wondev::player;
use bots::wondev::strategy::{Numbers, Strategy, TABLE_BYTES};
use contest::bot::Settings;

fn main() -> ExitCode {
    player::play(|settings: &Settings<Numbers>| {
        Strategy::new(&settings.numbers, &Weights::default(), TABLE_BYTES)
    })
}
