//! The program's entrance: parses the process's command line and runs its subcommand.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Arg, Command, CommandFactory, FromArgMatches};
use contest::Contest;

use crate::cli::{self, help, Cli};
use crate::command::brutal;
use crate::failure::Failure;
use crate::program::{Outcome, Program, Subcommand};
use crate::project::{last_run, Project};
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
        let mut all = commands(self);
        let words = words.into_iter().collect::<Vec<_>>();
        if words.len() < 2 || words.len() == 2 && words[1] == "-h" {
            let mut out = io::stdout().lock();
            write!(out, "{}", help::overview(&all))?;
            return Ok(out.flush().map(|()| Outcome::Done)?);
        }
        let words = completed(words, &all, self.contests)?;
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

/// The command line's description, with the program's own subcommands.
pub(super) fn commands(program: &Program<'_>) -> Command {
    let own = program.commands.iter().map(|command| command.command());
    let mut all = own.fold(help::with_both(Cli::command()), Command::subcommand);
    if !program.version.is_empty() {
        all = all.version(program.version);
    }
    let mut all = with_negative_numbers(all);
    all.build();
    all
}

/// A command line with what the project's file adds to it; its bots are made.
///
/// # Errors
/// If the file can't be used, or a bot can't be made.
fn completed(words: Vec<OsString>, all: &Command, known: &[&dyn Contest]) -> Result<Vec<OsString>, Failure> {
    // Text that isn't Unicode names no bot of a project.
    let texts = words.iter().map(|word| word.to_str().map(str::to_owned)).collect::<Option<Vec<_>>>();
    let Some(mut texts) = texts else { return Ok(words) };
    // Help, and what this program starts by itself, need no project: a mistake in its file is none of theirs.
    let command = texts.get(1).and_then(|name| all.find_subcommand(name));
    if command.is_none_or(Command::is_hide_set) {
        return Ok(words);
    }
    last_run(&mut texts, all);
    let Some(project) = Project::find(all, known)? else {
        return Ok(texts.into_iter().map(OsString::from).collect());
    };
    let plan = project.plan(&texts, all, known)?;
    if plan.has_bots() {
        // A mistake is found before a bot is made.
        all.clone().try_get_matches_from(plan.with_names()).unwrap_or_else(|error| error.exit());
    }
    Ok(project.made(&plan)?.into_iter().map(OsString::from).collect())
}

/// Reads `-4` behind an option that takes a value as its value, so that the error says what the option takes.
fn with_negative_numbers(command: Command) -> Command {
    let is_valued = |arg: &Arg| !arg.is_positional() && arg.get_action().takes_values();
    command
        .mut_args(|arg| if is_valued(&arg) { arg.allow_negative_numbers(true) } else { arg })
        .mut_subcommands(with_negative_numbers)
}
