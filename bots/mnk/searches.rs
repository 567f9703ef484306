//! Searches for the m,n,k games.

use std::sync::LazyLock;

use bots::mnk::cell::Cell;
use bots::mnk::heuristic::Heuristic;
use bots::mnk::protocol::CELLS;
use bots::mnk::strategy::Strategy;
use bots::mnk::tools::contest::mnk;
use bots::mnk::tools::five_rules::FiveRules;
use bots::mnk::tools::original::Original;
use bots::mnk::tools::solver::Solver;
use bots::mnk::Board;
use bots::shared::exploration::exploration;
use contest::commands::{self, referee::CommandContest};
use contest::session::{self, Offer, Searches};
use coppice::search::{AlphaBeta, AlphaBetaOptions};
use coppice::{Budget, Report, Search};

/// The contest with its searches.
pub static MNK: LazyLock<CommandContest<Board<CELLS>>> = LazyLock::new(|| mnk().with_searches(searches));

fn searches(start: &Board<CELLS>) -> Box<dyn Searches> {
    commands::searches(start, offers())
}

fn offers() -> Vec<Offer<Board<CELLS>>> {
    let about = "the submitted bot: forced wins, and iterative deepening over the best cells";
    let bot = Offer::tunable("bot", about, |start, settings, numbers| {
        Strategy::new(start, *numbers, settings.bytes_or(Strategy::BYTES))
    });
    let about = "MNKGames as published: selective search, counting nodes in the first turn";
    let original = Offer::tunable("original", about, |start, _, numbers| Original::new(*numbers, start));
    let about = "iterative deepening with a table; with a depth, plain alpha-beta to that depth";
    let in_place = Offer::tunable("alpha-beta", about, |_, settings, numbers: &Plain| {
        AlphaBeta::in_place(
            Heuristic,
            AlphaBetaOptions { memory: settings.bytes_or(64 << 20), ..numbers.options() },
        )
    });
    let about = "the five rules: win, block, make a fork, hinder one, open lines";
    let five_rules = Offer::new("five-rules", about, |_, settings| FiveRules::new(settings.seed));
    let about = "exact values of boards of up to 64 cells; larger ones as by alpha-beta";
    let solver = Offer::new("solver", about, |start: &Board<CELLS>, settings| {
        let bytes = settings.bytes_or(64 << 20);
        match Solver::new(start, bytes) {
            Some(solver) => Either(Box::new(solver)),
            None => Either(Box::new(AlphaBeta::in_place(
                Heuristic,
                AlphaBetaOptions { memory: bytes, ..AlphaBetaOptions::default() },
            ))),
        }
    });
    let mut all = vec![bot, original, solver, in_place, five_rules];
    // Searches that copy boards with room for 4,900 cells would overflow the stack.
    all.extend(session::offers(|| Heuristic).into_iter().filter(|offer| offer.info().name != "alpha-beta"));
    all.push(exploration());
    all
}

contest::tunables! {
    /// Tunable parameters of `alpha-beta`.
    pub struct Plain {
        /// 0: iterative deepening until the budget ends, with a table and all other parts. Otherwise plain alpha-beta to this
        /// depth in plies, all free cells of a position in listed order.
        depth: u32 = 0 in 0..=64,
        /// With a depth, 1 deepens up to it, from one ply.
        deepening: u32 = 0 in 0..=1,
    }
}

impl Plain {
    fn options(&self) -> AlphaBetaOptions {
        match self.depth {
            0 => AlphaBetaOptions::default(),
            depth => AlphaBetaOptions { deepening: self.deepening == 1, ..AlphaBetaOptions::plain(depth) },
        }
    }
}

/// One of several searches.
struct Either(Box<dyn Search<Board<CELLS>> + Send>);

impl Search<Board<CELLS>> for Either {
    fn search(&mut self, board: &Board<CELLS>, budget: Budget) -> Report<Cell> {
        self.0.search(board, budget)
    }
}
