//! The program's entrance: parses the process's command line and runs its subcommand.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::process::ExitCode;
use std::thread;

use clap::{Arg, ArgMatches, Command, CommandFactory, FromArgMatches};
use contest::session::STACK_BYTES;
use contest::Contest;

use crate::cli::{self, help, Cli};
use crate::command::brutal;
use crate::failure::Failure;
use crate::program::{Outcome, Program, Subcommand};
use crate::project::{last_run, Plan, Project};
use coppice_referee::external;
use coppice_referee::game::child;
use coppice_referee::process::{self, noise};
use coppice_referee::text::readable;
use coppice_referee::text::terminal::Wrapping;

/// The exit status of what has been run; an error is printed.
fn exit_code(ended: Result<Outcome, Failure>) -> ExitCode {
    match ended {
        Ok(outcome) => ExitCode::from(outcome.exit_code()),
        // Whoever read the results, `head` for one, has seen enough.
        Err(failure) if failure.is_closed_output() => ExitCode::SUCCESS,
        Err(failure) => {
            // Without a standard error the exit code still tells.
            let _ = writeln!(Wrapping::new(io::stderr()), "error: {}", readable(&failure.to_string()));
            ExitCode::from(failure.status())
        }
    }
}

/// The standard library's words for a text that isn't a number, and a user's.
const NO_NUMBER: [(&str, &str); 2] = [
    ("invalid digit found in string", "expected a whole number"),
    ("invalid float literal", "expected a number"),
];

/// Prints the parser's error, or its help, and ends the program.
fn exit(error: clap::Error) -> ! {
    let text = error.render().to_string();
    let Some((words, expected)) = NO_NUMBER.iter().find(|(words, _)| text.contains(words)) else {
        error.exit()
    };
    let _ = write!(io::stderr(), "{}", text.replace(words, expected));
    std::process::exit(error.exit_code())
}

impl Program<'_> {
    /// Runs the process's command line and prints an error.
    pub fn main(&self) -> ExitCode {
        // Searches are deep, and the main thread's stack is small on some systems.
        let run = || exit_code(self.run(brutal::translate(std::env::args_os())));
        thread::scope(|scope| match thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, run) {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(_) => run(),
        })
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
        let matches = line.try_get_matches_from_mut(std::env::args_os()).unwrap_or_else(|error| exit(error));
        let handled = ctrlc::set_handler(process::interrupt).map_err(Failure::from);
        exit_code(handled.and_then(|()| command.run(&matches, &mut Wrapping::new(io::stdout().lock()))))
    }

    fn run(&self, words: impl IntoIterator<Item = OsString>) -> Result<Outcome, Failure> {
        let words = words.into_iter().collect::<Vec<_>>();
        // Answered before the subcommands are described and, for the parser's own answer, described again with both helps.
        if words.len() == 2 && (words[1] == "--version" || words[1] == "-V") {
            let mut out = io::stdout().lock();
            out.write_all(self.version_line().as_bytes())?;
            return Ok(out.flush().map(|()| Outcome::Done)?);
        }
        let mut own = self.commands.iter().map(|command| (command.command(), *command)).collect::<Vec<_>>();
        let mut all = described(self, Cli::command());
        if words.len() < 2 || words.len() == 2 && words[1] == "-h" {
            let mut out = Wrapping::new(io::stdout().lock());
            write!(out, "{}", help::overview(&all))?;
            return Ok(out.flush().map(|()| Outcome::Done)?);
        }
        let completed = Completed::new(words, &all, self.contests)?;
        let mut matches = self.parse(&mut all, &completed.with_names());
        let mut out = Wrapping::new(io::stdout().lock());
        if let Some((name, matches)) = matches.subcommand() {
            own.retain(|(command, _)| command.get_name() == name);
            if let [(_, command)] = own[..] {
                ctrlc::set_handler(process::interrupt)?;
                return command.run(matches, &mut out);
            }
        }
        let mut cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| exit(error.format(&mut all)));
        if let Some(on_interrupt) = cli.on_interrupt() {
            ctrlc::set_handler(on_interrupt)?;
        }
        // The command line is right, and an interrupt ends what makes the bots.
        if let Some(words) = completed.made()? {
            matches = self.parse(&mut all, &words);
            cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| exit(error.format(&mut all)));
        }
        cli::run(&cli, self, &mut out)
    }

    /// The line that `--version` prints.
    fn version_line(&self) -> String {
        let own = env!("CARGO_PKG_VERSION");
        format!("{} {}\n", cli::NAME, if self.version.is_empty() { own } else { self.version })
    }

    /// Parses words; prints an error or the help and ends the program. The two helps are made only then: they take longer
    /// than the rest of the start, and bots are started this way too.
    fn parse<W: AsRef<OsStr>>(&self, all: &mut Command, words: &[W]) -> ArgMatches {
        let matches = all.try_get_matches_from_mut(words);
        let again = |_| commands(self).try_get_matches_from_mut(words);
        matches.or_else(again).unwrap_or_else(|error| exit(error))
    }
}

/// The command line's description with both helps, and with the program's own subcommands.
pub(super) fn commands(program: &Program<'_>) -> Command {
    described(program, help::with_both(Cli::command()))
}

/// A description of the arena's commands, with the program's own subcommands.
fn described(program: &Program<'_>, all: Command) -> Command {
    let own = program.commands.iter().map(|command| command.command());
    let mut all = own.fold(all, Command::subcommand);
    if !program.version.is_empty() {
        all = all.version(program.version);
    }
    let mut all = with_negative_numbers(all);
    all.build();
    all
}

/// A command line with what the project's file adds to it.
enum Completed {
    /// As it was given, but for `last`.
    Given(Vec<OsString>),
    /// With bots of a project.
    Planned(Project, Plan),
}

impl Completed {
    /// Completes a command line.
    ///
    /// # Errors
    /// If the file can't be used, or a word can only be a bot's name and isn't one.
    fn new(words: Vec<OsString>, all: &Command, known: &[&dyn Contest]) -> Result<Self, Failure> {
        // Text that isn't Unicode names no bot of a project.
        let texts = words.iter().map(|word| word.to_str().map(str::to_owned)).collect::<Option<Vec<_>>>();
        let Some(mut texts) = texts else { return Ok(Self::Given(words)) };
        // Help and hidden subcommands need no project, so a wrong file doesn't stop them.
        let command = texts.get(1).and_then(|name| all.find_subcommand(name));
        if command.is_none_or(Command::is_hide_set) {
            return Ok(Self::Given(words));
        }
        last_run(&mut texts, all);
        Ok(match Project::find(all, known)? {
            None => Self::Given(texts.into_iter().map(OsString::from).collect()),
            Some(project) => {
                let plan = project.plan(&texts, all, known)?;
                Self::Planned(project, plan)
            }
        })
    }

    /// The words, with a bot's own name in place of its command line.
    fn with_names(&self) -> Vec<OsString> {
        match self {
            Self::Given(words) => words.clone(),
            Self::Planned(_, plan) => plan.with_names().into_iter().map(OsString::from).collect(),
        }
    }

    /// Makes the bots; the words with their command lines, or `None` if no bot of a project plays.
    ///
    /// # Errors
    /// If a bot can't be made, or after an interrupt.
    fn made(&self) -> Result<Option<Vec<String>>, Failure> {
        match self {
            Self::Planned(project, plan) if plan.has_bots() => Ok(Some(project.made(plan)?)),
            _ => Ok(None),
        }
    }
}

/// Reads `-4` behind an option that takes a value as its value, so that the error says what the option takes.
fn with_negative_numbers(command: Command) -> Command {
    let is_valued = |arg: &Arg| !arg.is_positional() && arg.get_action().takes_values();
    command
        .mut_args(|arg| if is_valued(&arg) { arg.allow_negative_numbers(true) } else { arg })
        .mut_subcommands(with_negative_numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_printed_as_the_parser_would() {
        for version in ["", "1.2.3 (0123456789)"] {
            let program = Program { version, ..Program::default() };
            assert_eq!(program.version_line(), commands(&program).render_version());
        }
    }
}
