//! The bot for submission.

use std::process::ExitCode;

use contest::bot::Settings;
use contest::lines::player;

use template::eval::Numbers;
use template::game::State;
use template::{bot, BYTES};

fn main() -> ExitCode {
    player::play::<State, _, Numbers>(|settings: &Settings<Numbers>| bot(&settings.numbers, BYTES))
}
