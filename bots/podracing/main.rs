//! Plays Mad Pod Racing with evolution of both teams' plans.

use std::process::ExitCode;

fn main() -> ExitCode {
    bots::podracing::player::play()
}
