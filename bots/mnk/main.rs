//! Plays m,n,k games with forced wins and a search over the best cells.

use std::process::ExitCode;

use bots::mnk::protocol::CELLS;
use bots::mnk::strategy::{Numbers, Strategy};
use bots::mnk::Board;
use contest::bot::Settings;
use contest::commands::player;

fn main() -> ExitCode {
    player::play(|settings: &Settings<Numbers>, start: &Board<CELLS>, _| {
        Strategy::new(start, settings.numbers, Strategy::BYTES)
    })
}
