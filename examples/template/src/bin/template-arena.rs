//! The arena, with this contest.

use std::process::ExitCode;

use contest::lines::{self, LineContest};
use contest::session::{offers, Offer, Searches};
use coppice_arena::Program;

use template::eval::Eval;
use template::game::State;
use template::{bot, BYTES};

/// What `in:NAME` and `debug` offer: the bot first, then each search of the engine.
fn searches() -> Box<dyn Searches> {
    let submitted = Offer::tunable("bot", "the submitted bot", |_, settings, numbers| {
        bot(numbers, settings.bytes_or(BYTES))
    });
    let mut all: Vec<Offer<State>> = vec![submitted];
    all.extend(offers(Eval::default));
    lines::searches(all)
}

fn main() -> ExitCode {
    let contest = LineContest::<State>::new().with_searches(searches);
    Program { contests: &[&contest], ..Program::default() }.main()
}
