//! Plays tic-tac-toe perfectly.

use std::process::ExitCode;

use bots::bot::Settings;
use bots::grid::player;
use bots::tictactoe::perfect::Perfect;

fn main() -> ExitCode {
    player::play(|_: &Settings| Perfect::new())
}
