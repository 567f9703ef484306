//! Solves Sudoku by bands of candidates, or by the engine's single-player search.

use std::process::ExitCode;

fn main() -> ExitCode {
    bots::sudoku::player::play()
}
