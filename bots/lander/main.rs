//! Mars Lander by steering laws and annealing.

use std::process::ExitCode;

fn main() -> ExitCode {
    bots::lander::player::play()
}
