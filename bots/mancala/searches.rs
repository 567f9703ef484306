//! Searches for Kalah.

use std::sync::LazyLock;

use bots::mancala::eval::{Holes, OwnStore, StoreDifference};
use bots::mancala::net::Net;
use bots::mancala::strategy::{search, Numbers, BYTES};
use bots::mancala::tools::contest::mancala;
use bots::mancala::tools::solver::Solver;
use bots::mancala::Board;
use bots::shared::alpha_beta_own::alpha_beta_own;
use bots::shared::exploration::exploration;
use contest::commands::{self, referee::CommandContest};
use contest::session::{self, Offer, Searches};
use coppice::search::{AlphaBeta, AlphaBetaOptions, BestFirst};

/// The contest with its searches.
pub static MANCALA: LazyLock<CommandContest<Board>> = LazyLock::new(|| mancala().with_searches(searches));

fn searches(start: &Board) -> Box<dyn Searches> {
    commands::searches(start, offers())
}

fn offers() -> Vec<Offer<Board>> {
    let about = "the submitted bot: best-first minimax over a small network";
    let bot = Offer::tunable("bot", about, |_, settings, numbers: &Numbers| {
        search(numbers, settings.bytes_or(BYTES))
    })
    .of_nodes(BestFirst::<Board, Net>::NODE_BYTES);
    let about = "the exact margin, or no answer: what arena solve asks";
    let solver = Offer::new("solver", about, |_, settings| Solver::new(settings.bytes_or(256 << 20)));
    let about = "alpha-beta with worths of holes in place of the network";
    let holes = Offer::new("alpha-beta-holes", about, |_, settings| {
        AlphaBeta::new(Holes, table(settings.bytes_or(BYTES)))
    });
    let net = Offer::new("alpha-beta-net", "alpha-beta with the network", |_, settings| {
        AlphaBeta::new(Net::trained(), table(settings.bytes_or(BYTES)))
    });
    let mut all = vec![bot, solver, holes, net];
    all.extend(session::offers(|| StoreDifference));
    all.extend([session::minimax_own(|| OwnStore), session::miniframe_mcts(|| OwnStore)]);
    all.extend([alpha_beta_own::<_, _, 2>(|| OwnStore), exploration()]);
    all
}

fn table(memory: usize) -> AlphaBetaOptions {
    AlphaBetaOptions { memory, ..AlphaBetaOptions::default() }
}
