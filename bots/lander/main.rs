//! Plays Mars Lander with steering laws and annealing.

use std::process::ExitCode;

fn main() -> ExitCode {
    bots::lander::bot::player::play()
}
