//! What a program adds to the arena: its contests and its own subcommands.

use std::io::Write;

use clap::ArgMatches;
use contest::Contest;

use crate::failure::Failure;

/// The parts of a program.
#[derive(Clone, Copy, Default)]
pub struct Program<'a> {
    /// The contests, by the names that its command line knows.
    pub contests: &'a [&'a dyn Contest],
    /// Subcommands in addition to the arena's.
    pub commands: &'a [&'a dyn Subcommand],
    /// What `--version` prints, such as the number and the commit; if it is empty, the number of this library.
    pub version: &'static str,
}

/// A subcommand that a program adds, for what one contest alone has.
pub trait Subcommand: Sync {
    /// The subcommand's name, help and arguments.
    fn command(&self) -> clap::Command;

    /// Does what its arguments say; results go to `out`.
    ///
    /// # Errors
    /// See [`Failure`]; it knows its exit code.
    fn run(&self, matches: &ArgMatches, out: &mut dyn Write) -> Result<Outcome, Failure>;
}

/// The outcome of a command that finished without an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Success.
    Done,
    /// A test accepted H0 or stayed undecided, a threshold was not reached, or a contest's own subcommand failed.
    NotProved,
}

impl Outcome {
    /// The program's exit code.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::NotProved => 3,
        }
    }
}
