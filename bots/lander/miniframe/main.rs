//! Plays Mars Lander like MiniFrame's player, with minimax and siblings pruning: an opponent to measure against.

use std::process::ExitCode;

fn main() -> ExitCode {
    bots::lander::miniframe::minimax::play()
}
