//! Mars Lander by minimax with siblings pruning, as MiniFrame's player has it, to measure against.

use std::process::ExitCode;

fn main() -> ExitCode {
    bots::lander::minimax::play()
}
