//! m,n,k games by the selective search of MNKGames.

use std::process::ExitCode;

use bots::bot::Settings;
use bots::commands::player;
use bots::mnk::protocol::CELLS;
use bots::mnk::strategy::{Numbers, Strategy};
use bots::mnk::Board;

fn main() -> ExitCode {
    player::play(|settings: &Settings<Numbers>, start: &Board<CELLS>, _| {
        Strategy::with(&settings.numbers, start)
    })
}
