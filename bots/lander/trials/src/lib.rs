//! `arena lander`: which cases to fly, how little fuel a landing can take, flights told and drawn.

#![forbid(unsafe_code)]

pub mod bound;
pub mod cases;
pub mod command;
mod ellipsoid;
pub mod gates;
mod relaxation;
pub mod report;
pub mod summary;
pub mod svg;
pub mod trial;

use std::io::Write;

use clap::{ArgMatches, Args, FromArgMatches};
use coppice_arena::{Failure, Outcome, Subcommand, EXIT_CODES};

/// Position among the arena's subcommands in the help.
const PLACE: usize = 8;

/// Examples of `arena lander`.
const LANDER: &str = "\
Examples:
  arena lander ./mine                                   the eight official cases
  arena lander './mine --seed {seed}' --case 2.4 --runs 10 -j 2
  arena lander ./new ./old --random 200 --seed 7 --json > flights.jsonl
  arena lander ./mine --case 2.4 --svg flight.svg

A case file is a bot's input up to its first turn (the number of points, their lines X Y, and one line X Y hSpeed vSpeed \
fuel rotate power), or a JSON list of cases: [{\"case\": \"a\", \"surface\": [[0, 100], [6999, 100]], \"x\": 2500, \"y\": 2700, \
\"h_speed\": 0, \"v_speed\": 0, \"fuel\": 550, \"rotate\": 0, \"power\": 0}], with name, best_known_fuel_left and \
physical_limit_fuel_left where known. Exit status 3 if a lander was lost that isn't proved to be beyond saving.";

/// The subcommand `lander` of the arena.
#[derive(Debug, Clone, Copy)]
pub struct Lander;

impl Subcommand for Lander {
    fn command(&self) -> clap::Command {
        let command = command::Args::augment_args(clap::Command::new("lander"));
        let command =
            command.about("Fly Mars Lander's cases: fuel used, compared with a physical lower bound");
        command.after_help(format!("{LANDER}\n\n{EXIT_CODES}; or a lander was lost")).display_order(PLACE)
    }

    fn run(&self, matches: &ArgMatches, out: &mut dyn Write) -> Result<Outcome, Failure> {
        let args = command::Args::from_arg_matches(matches).unwrap_or_else(|error| error.exit());
        command::run(&args, out)
    }
}
