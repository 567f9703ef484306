//! Referees bots over pipes: the arena with this workspace's contests.

use std::process::ExitCode;

use arena::Program;
use lander_trials::Lander;

/// The studies' files, by name.
static STUDIES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/studies.rs"));

fn main() -> ExitCode {
    Program { contests: bots_searches::contests(), studies: STUDIES, commands: &[&Lander] }.main()
}
