//! Referees bots over pipes: the arena with this workspace's contests.

mod study;

use std::process::ExitCode;

use coppice_arena::Program;
use lander_trials::Lander;
use study::Elsewhere;

fn main() -> ExitCode {
    let version = env!("ARENA_VERSION");
    Program { contests: bots_searches::contests(), commands: &[&Lander, &Elsewhere], version }.main()
}
