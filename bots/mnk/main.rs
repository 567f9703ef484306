//! m,n,k games by the selective search of MNKGames.

use std::process::ExitCode;

use bots::commands::player;
use bots::mnk::contest::CELLS;
use bots::mnk::strategy::Strategy;
use bots::mnk::Board;

fn main() -> ExitCode {
    player::play(|_, start: &Board<CELLS>, _| Strategy::new(start))
}
