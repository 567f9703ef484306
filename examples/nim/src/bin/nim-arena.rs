//! The arena, with this contest.

use std::process::ExitCode;
use std::time::Duration;

use arena::Program;
use contest::commands::{self, referee::CommandContest};
use contest::session::{self, Searches};
use nim::{Nim, Unknown};

fn searches(start: &Nim) -> Box<dyn Searches> {
    commands::searches(start, session::offers(|| Unknown))
}

fn main() -> ExitCode {
    let nim = CommandContest::<Nim>::new(Duration::from_millis(100)).with_searches(searches);
    Program { contests: &[&nim], ..Program::default() }.main()
}
