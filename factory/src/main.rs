//! Makes the weights of evaluations.

use std::process::ExitCode;

fn main() -> ExitCode {
    factory::cli::main()
}
