//! The program's entrance: parses the process's command line and runs its subcommand.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Arg, Command, CommandFactory, FromArgMatches};

use crate::cli::{self, Cli};
use crate::command::brutal;
use crate::failure::Failure;
use crate::program::{Outcome, Program, Subcommand};
use coppice_referee::external;
use coppice_referee::game::child;
use coppice_referee::process::{self, noise};
use coppice_referee::text::readable;

/// The exit status of what has been run; an error is printed.
fn exit_code(ended: Result<Outcome, Failure>) -> ExitCode {
    match ended {
        Ok(outcome) => ExitCode::from(outcome.exit_code()),
        // Whoever read the results, `head` for one, has seen enough.
        Err(failure) if failure.is_closed_output() => ExitCode::SUCCESS,
        Err(failure) => {
            // Without a standard error the exit code still tells.
            let _ = writeln!(io::stderr(), "error: {}", readable(&failure.to_string()));
            ExitCode::from(failure.status())
        }
    }
}

impl Program<'_> {
    /// Runs the process's command line and prints an error.
    pub fn main(&self) -> ExitCode {
        exit_code(self.run(brutal::translate(std::env::args_os())))
    }

    /// Runs the process's command line as that of one subcommand, for a program that is nothing else, and prints an error.
    pub fn main_of(&self, command: &dyn Subcommand) -> ExitCode {
        // Hidden commands by which runs start their own program: searches as bots, the idle bot, the recorder of an external
        // referee's bots.
        let own = [child::BOT_COMMAND, noise::IDLE_COMMAND, external::RUN_BOT_COMMAND];
        if std::env::args_os().nth(1).is_some_and(|word| own.iter().any(|own| word == *own)) {
            return self.main();
        }
        let mut line = with_negative_numbers(command.command());
        let matches = line.try_get_matches_from_mut(std::env::args_os()).unwrap_or_else(|error| error.exit());
        let handled = ctrlc::set_handler(process::interrupt).map_err(Failure::from);
        exit_code(handled.and_then(|()| command.run(&matches, &mut io::stdout().lock())))
    }

    fn run(&self, words: impl IntoIterator<Item = OsString>) -> Result<Outcome, Failure> {
        let mut own = self.commands.iter().map(|command| (command.command(), *command)).collect::<Vec<_>>();
        let all = own.iter().fold(Cli::command(), |all, (command, _)| all.subcommand(command.clone()));
        let mut all = with_negative_numbers(all);
        let matches = all.try_get_matches_from_mut(words).unwrap_or_else(|error| error.exit());
        let mut out = io::stdout().lock();
        if let Some((name, matches)) = matches.subcommand() {
            own.retain(|(command, _)| command.get_name() == name);
            if let [(_, command)] = own[..] {
                ctrlc::set_handler(process::interrupt)?;
                return command.run(matches, &mut out);
            }
        }
        let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.format(&mut all).exit());
        if let Some(on_interrupt) = cli.on_interrupt() {
            ctrlc::set_handler(on_interrupt)?;
        }
        cli::run(&cli, self, &mut out)
    }
}

/// Reads `-4` behind an option that takes a value as its value, so that the error says what the option takes.
fn with_negative_numbers(command: Command) -> Command {
    let is_valued = |arg: &Arg| !arg.is_positional() && arg.get_action().takes_values();
    command
        .mut_args(|arg| if is_valued(&arg) { arg.allow_negative_numbers(true) } else { arg })
        .mut_subcommands(with_negative_numbers)
}
