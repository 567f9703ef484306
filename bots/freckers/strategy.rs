//! The submitted search: alpha-beta over the fitted evaluation.

use coppice::search::{AlphaBeta, AlphaBetaOptions, LINE};
use coppice::{Budget, List, Report, Search};

use super::board::Board;
use super::cell::Move;
use super::eval::Fitted;

/// Alpha-beta over the fitted evaluation.
pub struct Strategy(AlphaBeta<Board, Fitted>);

impl Strategy {
    /// The search with the engine's usual table, 64 MB: far below the 250 MB of a game.
    pub fn new() -> Strategy {
        Strategy(AlphaBeta::new(Fitted, AlphaBetaOptions::default()))
    }

    /// The search with a table of `memory` bytes.
    pub fn with_table(memory: usize) -> Strategy {
        Strategy(AlphaBeta::new(Fitted, AlphaBetaOptions { memory, ..AlphaBetaOptions::default() }))
    }
}

impl Default for Strategy {
    fn default() -> Strategy {
        Strategy::new()
    }
}

impl Search<Board> for Strategy {
    fn search(&mut self, board: &Board, budget: Budget) -> Report<Move> {
        self.0.search(board, budget)
    }

    fn line(&self, board: &Board, best: Move) -> List<Move, LINE> {
        self.0.line(board, best)
    }
}
