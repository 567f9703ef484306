//! Searches for Oware.

use std::sync::LazyLock;

use bots::oware::eval::{Difference, Holes, Own};
use bots::oware::strategy::{search, Numbers, BYTES};
use bots::oware::tools::contest::oware;
use bots::oware::Board;
use bots::shared::alpha_beta_own::alpha_beta_own;
use contest::commands::{self, referee::CommandContest};
use contest::session::{self, Offer, Searches};
use coppice::search::{AlphaBeta, AlphaBetaOptions, BestFirst};

/// The contest with its searches.
pub static OWARE: LazyLock<CommandContest<Board>> = LazyLock::new(|| oware().with_searches(searches));

fn searches(start: &Board) -> Box<dyn Searches> {
    commands::searches(start, offers())
}

fn offers() -> Vec<Offer<Board>> {
    let about = "the submitted bot: best-first minimax over the fitted evaluation";
    let bot = Offer::tunable("bot", about, |_, settings, numbers: &Numbers| {
        search(numbers, settings.bytes_or(BYTES))
    })
    .of_nodes(BestFirst::<Board, Holes>::NODE_BYTES);
    let about = "alpha-beta with the bot's evaluation and a table";
    let holes = Offer::new("alpha-beta-holes", about, |_, settings| {
        AlphaBeta::in_place(
            Holes,
            AlphaBetaOptions { memory: settings.bytes_or(BYTES), ..AlphaBetaOptions::default() },
        )
    });
    let mut all = vec![bot, holes];
    all.extend(session::offers(|| Difference));
    all.extend([session::minimax_own(|| Own), session::miniframe_mcts(|| Own)]);
    all.push(alpha_beta_own::<_, _, 2>(|| Own));
    all
}
