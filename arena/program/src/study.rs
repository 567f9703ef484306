//! `arena study`, for scripts of before the studies became a program of their own: hands its words on.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::Command;

use clap::{Arg, ArgAction, ArgMatches};
use coppice_arena::{Failure, Outcome, Subcommand};

/// The name of the program, which is beside this one.
const PROGRAM: &str = "arena-study";

/// The subcommand `study`.
pub struct Elsewhere;

impl Subcommand for Elsewhere {
    fn command(&self) -> clap::Command {
        let words = Arg::new("words")
            .action(ArgAction::Append)
            .num_args(0..)
            .trailing_var_arg(true)
            .allow_hyphen_values(true)
            .value_parser(clap::value_parser!(OsString));
        clap::Command::new("study")
            .about("Repeat a published experiment: the program arena-study")
            .hide(true)
            .disable_help_flag(true)
            .arg(words)
    }

    fn run(&self, matches: &ArgMatches, _: &mut dyn Write) -> Result<Outcome, Failure> {
        let own = std::env::current_exe()?;
        let program = own.with_file_name(format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX));
        let words = matches.get_many::<OsString>("words").unwrap_or_default();
        let ended = Command::new(&program).args(words).status().map_err(|error| {
            let advice = match error.kind() {
                io::ErrorKind::NotFound => {
                    "\nbuild it with `cargo build --release -p coppice-study`, or `cargo install --path arena/study`"
                }
                _ => "",
            };
            Failure::new(format!(
                "studies are a program of their own, and {} can't be started: {error}{advice}",
                program.display()
            ))
        })?;
        match ended.code() {
            Some(0) => Ok(Outcome::Done),
            // It has said what went wrong.
            code => std::process::exit(code.unwrap_or(1)),
        }
    }
}
