//! Referees bots over pipes.

use std::io::{self, Write};
use std::process::ExitCode;

use arena::brutal;
use arena::cli::{self, Cli};
use arena::command::Outcome;
use arena::error::ArenaError;
use clap::Parser;

fn main() -> ExitCode {
    match run(&Cli::parse_from(brutal::translate(std::env::args_os()))) {
        Ok(outcome) => ExitCode::from(outcome.exit_code()),
        Err(error) => {
            // Without a standard error there is still the exit code.
            let _ = writeln!(io::stderr(), "arena: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}

fn run(cli: &Cli) -> Result<Outcome, ArenaError> {
    if let Some(on_interrupt) = cli.on_interrupt() {
        ctrlc::set_handler(on_interrupt)?;
    }
    let contests = bots::contests().iter().map(|&contest| contest as _).collect::<Vec<_>>();
    cli::run(cli, &contests, &mut io::stdout().lock())
}
