//! Searches for Oware.

use std::sync::LazyLock;

use bots::oware::eval::{Difference, Holes, Own};
use bots::oware::net::Net;
use bots::oware::strategy::{search, Numbers, BYTES};
use bots::oware::tools::contest::oware;
use bots::oware::Board;
use bots::shared::alpha_beta_own::alpha_beta_own;
use contest::commands::{self, referee::CommandContest};
use contest::session::{self, Offer, Searches};
use coppice::search::{AlphaBeta, AlphaBetaOptions, BestFirst, BestFirstOptions};

/// The contest with its searches.
pub static OWARE: LazyLock<CommandContest<Board>> = LazyLock::new(|| oware().with_searches(searches));

fn searches(start: &Board) -> Box<dyn Searches> {
    commands::searches(start, offers())
}

fn offers() -> Vec<Offer<Board>> {
    let about = "the submitted bot: best-first minimax over a small network";
    let bot = Offer::tunable("bot", about, |_, settings, numbers: &Numbers| {
        search(numbers, settings.bytes_or(BYTES))
    })
    .of_nodes(BestFirst::<Board, Net>::NODE_BYTES);
    let about = "the bot's search with values of holes in place of the network";
    let best_first = Offer::new("best-first-holes", about, |_, settings| {
        let options = BestFirstOptions { scale: 500.0, keep_tree: true, ..BestFirstOptions::default() };
        BestFirst::new(Holes, BestFirstOptions { memory: settings.bytes_or(BYTES), ..options })
    })
    .of_nodes(BestFirst::<Board, Holes>::NODE_BYTES);
    let about = "alpha-beta with values of holes and a table";
    let holes = Offer::new("alpha-beta-holes", about, |_, settings| {
        AlphaBeta::in_place(
            Holes,
            AlphaBetaOptions { memory: settings.bytes_or(BYTES), ..AlphaBetaOptions::default() },
        )
    });
    let mut all = vec![bot, best_first, holes];
    all.extend(session::offers(|| Difference));
    all.extend([session::minimax_own(|| Own), session::miniframe_mcts(|| Own)]);
    all.push(alpha_beta_own::<_, _, 2>(|| Own));
    all
}
