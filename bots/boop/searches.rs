//! Searches for boop.

use std::sync::LazyLock;

use bots::boop::heuristic::Published;
use bots::boop::tools::contest::boop;
use bots::boop::tools::original::{Heuristic, HeuristicNumbers, Numbers, Paper};
use bots::boop::{strategy, Board};
use contest::commands::{self, referee::CommandContest};
use contest::session::{self, Offer, Searches};

/// The contest with its searches.
pub static BOOP: LazyLock<CommandContest<Board>> = LazyLock::new(|| boop().with_searches(searches));

fn searches(start: &Board) -> Box<dyn Searches> {
    commands::searches(start, offers())
}

/// Default pool of the paper's search, in bytes: enough for 100,000 iterations.
const PAPER_BYTES: usize = 16 << 20;

fn offers() -> Vec<Offer<Board>> {
    let about = "the submitted bot: best-first minimax over a small network, in 256 MB";
    let bot = Offer::tunable("bot", about, |_, settings, numbers| {
        strategy::search(numbers, settings.bytes_or(strategy::BYTES))
    });
    let about = "the paper's search, as published; select, expand and playout switch its parts";
    let paper = Offer::tunable("paper", about, |_, settings, numbers: &Numbers| {
        Paper::new(*numbers, settings.bytes_or(PAPER_BYTES), settings.seed)
    });
    let heuristic = Offer::tunable(
        "heuristic",
        "the paper's heuristic alone",
        |_, settings, numbers: &HeuristicNumbers| Heuristic::new(*numbers, settings.seed),
    );
    let mut all = vec![bot, paper, heuristic];
    all.extend(session::offers(|| Published));
    all
}
