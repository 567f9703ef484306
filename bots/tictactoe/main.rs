//! Plays tic-tac-toe perfectly.

use std::process::ExitCode;

use bots::shared::grid::player;
use bots::tictactoe::perfect::Perfect;
use contest::bot::Settings;

fn main() -> ExitCode {
    player::play(|_: &Settings| Perfect::new())
}
