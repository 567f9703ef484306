//! The command line.

use std::io::Write;

use bots::contest::Contest;
use clap::{Parser, Subcommand};

use crate::command::{bench, contests, perft, play};
use crate::error::ArenaError;

/// What every subcommand's help ends with.
const EXIT_CODES: &str = "\
Exit codes:
  0    done; games were refereed, even if bots lost them by faults
  1    failure: a bot can't be started, a file can't be written, ...
  2    the command line isn't right
  130  interrupted; the bots were ended, and what was known was printed";

/// Referees bots over pipes.
#[derive(Debug, Parser)]
#[command(name = "arena", version, after_help = EXIT_CODES)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Referee games between bots
    #[command(after_help = EXIT_CODES)]
    Play(play::Args),
    /// Count the move sequences of a contest's rules
    Perft(perft::Args),
    /// Run the searches on fixed positions and print a checksum of what they did
    Bench(bench::Args),
    /// List the contests
    Contests,
}

impl Cli {
    /// Whether there will be bots that an interrupt must end.
    pub fn starts_bots(&self) -> bool {
        matches!(self.command, Command::Play(_))
    }
}

/// Does what the command line says; results go to `out`.
///
/// # Errors
/// See [`ArenaError`]; it knows its exit code.
pub fn run(cli: &Cli, known: &[&dyn Contest], out: &mut dyn Write) -> Result<(), ArenaError> {
    match &cli.command {
        Command::Play(args) => play::run(args, find(known, &args.contest)?, out),
        Command::Perft(args) => perft::run(args, find(known, &args.contest)?, out),
        Command::Bench(args) => {
            let chosen: Result<Vec<_>, _> = args.contests.iter().map(|name| find(known, name)).collect();
            let chosen = chosen?;
            bench::run(if chosen.is_empty() { known } else { &chosen }, out)
        }
        Command::Contests => contests::run(known, out),
    }
}

fn find<'a>(known: &[&'a dyn Contest], name: &str) -> Result<&'a dyn Contest, ArenaError> {
    known.iter().copied().find(|contest| contest.name() == name).ok_or_else(|| ArenaError::UnknownContest {
        name: name.to_owned(),
        known: known.iter().map(|contest| contest.name()).collect(),
    })
}
