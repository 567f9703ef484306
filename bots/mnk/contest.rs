//! The contest of m,n,k games: move notation, the searches on offer, and the positions that check their behaviour.

use std::time::Duration;

use coppice::rng::mix;
use coppice::search::{AlphaBeta, AlphaBetaOptions};
use coppice::{Budget, Game, Report, Rng, Search};

use super::board::Board;
use super::cell::Cell;
use super::heuristic::Heuristic;
use super::original::Original;
use super::protocol::CELLS;
use super::solver::Solver;
use super::strategy::{Numbers, Strategy};
use crate::commands::referee::CommandContest;
use crate::contest::Behaviour;
use crate::notation::Notation;
use crate::session::{self, Offer};

/// Five in a line on seven by seven cells, with a second for each answer.
pub fn mnk() -> CommandContest<Board<CELLS>> {
    CommandContest::new(Duration::from_secs(1), behaviour, offers)
}

impl Notation for Board<CELLS> {
    fn name(&self, cell: Cell) -> String {
        format!("{},{}", cell.row, cell.column)
    }
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

/// Searches positions of random games on several boards, with the bot and with the original's method.
fn behaviour() -> Vec<Behaviour> {
    let ours = |start: &Board<CELLS>| -> Box<dyn Search<Board<CELLS>>> {
        Box::new(Strategy::new(start, Numbers::default(), 1 << 20))
    };
    let original = |start: &Board<CELLS>| -> Box<dyn Search<Board<CELLS>>> {
        Box::new(Original::new(Default::default(), start))
    };
    vec![behaves("bot, 20000 nodes", ours), behaves("original, 20000 nodes", original)]
}

fn behaves(name: &'static str, make: impl Fn(&Board<CELLS>) -> Box<dyn Search<Board<CELLS>>>) -> Behaviour {
    let mut rng = Rng::new(1);
    let (mut nodes, mut digest) = (0, 0);
    for (rows, columns, in_line) in [(3, 3, 3), (5, 4, 4), (7, 7, 5), (10, 10, 5), (70, 70, 10)] {
        let start = Board::<CELLS>::new(rows, columns, in_line);
        let mut search = make(&start);
        for plies in (0..16).step_by(4) {
            let mut board = start.clone();
            for _ in 0..plies {
                board.random_move(&mut rng).into_iter().for_each(|cell| board.play(cell));
            }
            let report = search.search(&board, Budget::nodes(20_000));
            nodes += report.nodes;
            let best = report.best.map_or(u64::MAX, |cell| u64::from(Board::<CELLS>::code(cell)));
            digest = mix(digest ^ mix(best) ^ report.score.value() as u64);
        }
    }
    Behaviour { search: name, nodes, digest }
}
