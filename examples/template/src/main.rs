//! The bot for submission.

use std::process::ExitCode;

use contest::bot::Settings;
use contest::lines::player;

use template::eval::Numbers;
use template::game::Board;
use template::{bot, BYTES};

fn main() -> ExitCode {
    player::play::<Board, _, Numbers>(|settings: &Settings<Numbers>| bot(&settings.numbers, BYTES))
}
