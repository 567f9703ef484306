//! Makes the weights of Goofspiel's network.

use std::process::ExitCode;

use goofspiel_factory::Goofspiel;

fn main() -> ExitCode {
    factory::cli::of(&Goofspiel)
}
