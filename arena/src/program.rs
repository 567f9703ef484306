//! What a program adds to the arena: its contests, its studies, its own subcommands.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::{ArgMatches, CommandFactory, FromArgMatches};
use contest::Contest;

use crate::brutal;
use crate::cli::{self, Cli};
use crate::command::Outcome;
use crate::error::ArenaError;
use crate::process;

/// The parts of a program.
#[derive(Clone, Copy, Default)]
pub struct Program<'a> {
    /// The contests, by the names that its command line knows.
    pub contests: &'a [&'a dyn Contest],
    /// The files of the studies that come with it, by file name.
    pub studies: &'a [(&'a str, &'a str)],
    /// Subcommands beside the arena's.
    pub commands: &'a [&'a dyn Subcommand],
}

/// A subcommand that a program adds, for what one contest alone has.
pub trait Subcommand {
    /// Its name, its help and its arguments.
    fn command(&self) -> clap::Command;

    /// Does what its arguments say; results go to `out`.
    ///
    /// # Errors
    /// See [`ArenaError`]; it knows its exit code.
    fn run(&self, matches: &ArgMatches, out: &mut dyn Write) -> Result<Outcome, ArenaError>;
}

impl Program<'_> {
    /// Does what the process's command line says, and prints an error.
    pub fn main(&self) -> ExitCode {
        match self.run(brutal::translate(std::env::args_os())) {
            Ok(outcome) => ExitCode::from(outcome.exit_code()),
            Err(error) => {
                // Without a standard error there is still the exit code.
                let _ = writeln!(io::stderr(), "arena: {error}");
                ExitCode::from(error.exit_code())
            }
        }
    }

    fn run(&self, words: impl IntoIterator<Item = OsString>) -> Result<Outcome, ArenaError> {
        let mut own = self.commands.iter().map(|command| (command.command(), *command)).collect::<Vec<_>>();
        let mut all = own.iter().fold(Cli::command(), |all, (command, _)| all.subcommand(command.clone()));
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
