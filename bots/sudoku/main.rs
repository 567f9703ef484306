//! Sudoku by bands of candidates, or by the engine's search for one player.

use std::process::ExitCode;

fn main() -> ExitCode {
    bots::sudoku::player::play()
}
