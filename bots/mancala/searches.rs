//! Searches for Kalah.

use std::sync::LazyLock;

use bots::mancala::eval::{Holes, OwnStore, StoreDifference};
use bots::mancala::tools::contest::mancala;
use bots::mancala::tools::solver::Solver;
use bots::mancala::Board;
use bots::shared::alpha_beta_own::alpha_beta_own;
use bots::shared::exploration::exploration;
use contest::commands::{self, referee::CommandContest};
use contest::session::{self, Offer, Searches};
use coppice::search::{AlphaBeta, AlphaBetaOptions};

/// The contest with its searches.
pub static MANCALA: LazyLock<CommandContest<Board>> = LazyLock::new(|| mancala().with_searches(searches));

fn searches(start: &Board) -> Box<dyn Searches> {
    commands::searches(start, offers())
}

fn offers() -> Vec<Offer<Board>> {
    let bot = Offer::new("bot", "the submitted bot: alpha-beta with a table of 64 MB", |_, settings| {
        AlphaBeta::new(
            Holes,
            AlphaBetaOptions { memory: settings.bytes_or(64 << 20), ..AlphaBetaOptions::default() },
        )
    });
    let about = "the exact margin, or no answer: what arena solve asks";
    let solver = Offer::new("solver", about, |_, settings| Solver::new(settings.bytes_or(256 << 20)));
    let mut all = vec![bot, solver];
    all.extend(session::offers(|| StoreDifference));
    all.extend([session::minimax_own(|| OwnStore), session::miniframe_mcts(|| OwnStore)]);
    all.extend([alpha_beta_own::<_, _, 2>(|| OwnStore), exploration()]);
    all
}
