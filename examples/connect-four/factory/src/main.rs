//! Makes the weights of connect four's network.

use std::process::ExitCode;

use connect_four_factory::ConnectFour;

fn main() -> ExitCode {
    factory::cli::of(&ConnectFour)
}
