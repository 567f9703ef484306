//! Searches for the m,n,k games.

use bots::mnk::cell::Cell;
use bots::mnk::heuristic::Heuristic;
use bots::mnk::original::Original;
use bots::mnk::protocol::CELLS;
use bots::mnk::solver::Solver;
use bots::mnk::strategy::Strategy;
use bots::mnk::{self, Board};
use contest::commands::{self, referee::CommandContest};
use contest::session::{self, Offer, Searches};
use coppice::search::{AlphaBeta, AlphaBetaOptions};
use coppice::{Budget, Report, Search};

/// The contest with its searches.
pub fn mnk() -> CommandContest<Board<CELLS>> {
    mnk::contest::mnk().with_searches(searches)
}

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
    let in_place = Offer::new("alpha-beta", "iterative deepening with a table", |_, settings| {
        AlphaBeta::in_place(Heuristic, settings.bytes_or(64 << 20), AlphaBetaOptions::default())
    });
    let about = "exact values of boards of up to 64 cells; larger ones as by alpha-beta";
    let solver = Offer::new("solver", about, |start: &Board<CELLS>, settings| {
        let bytes = settings.bytes_or(64 << 20);
        match Solver::new(start, bytes) {
            Some(solver) => Either(Box::new(solver)),
            None => Either(Box::new(AlphaBeta::in_place(Heuristic, bytes, AlphaBetaOptions::default()))),
        }
    });
    let mut all = vec![bot, original, solver, in_place];
    // Searches that copy boards with room for 4,900 cells would overflow the stack.
    all.extend(session::offers(|| Heuristic).into_iter().filter(|offer| offer.info().name != "alpha-beta"));
    all
}

/// One of several searches.
struct Either(Box<dyn Search<Board<CELLS>> + Send>);

impl Search<Board<CELLS>> for Either {
    fn search(&mut self, board: &Board<CELLS>, budget: Budget) -> Report<Cell> {
        self.0.search(board, budget)
    }
}
