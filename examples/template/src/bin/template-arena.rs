//! The arena, with this contest.

use std::process::ExitCode;

use contest::session::{offers, Offer, Searches};
use contest::turns::{self, TurnContest};
use coppice_arena::Program;

use template::eval::Eval;
use template::game::Board;
use template::{bot, BYTES};

/// What `in:NAME` and `debug` offer: the bot first, then each search of the engine.
fn searches(start: &Board) -> Box<dyn Searches> {
    let submitted = Offer::tunable("bot", "the submitted bot", |_, settings, numbers| {
        bot(numbers, settings.bytes_or(BYTES))
    });
    let mut all = vec![submitted];
    all.extend(offers(Eval::default));
    turns::searches(start, all)
}

fn main() -> ExitCode {
    let contest = TurnContest::<Board>::new().with_searches(searches);
    Program { contests: &[&contest], ..Program::default() }.main()
}
