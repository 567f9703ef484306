//! The studies with this workspace's contests.

use std::process::ExitCode;

use coppice_arena::Program;
use coppice_study::Studies;

/// The studies' files, by name.
static FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/studies.rs"));

fn main() -> ExitCode {
    let contests = bots_searches::contests();
    Program { contests, ..Program::default() }.main_of(&Studies { contests, files: FILES })
}
