//! How the submitted bot thinks: alpha-beta, and at the end exact solving.

use coppice::search::{AlphaBeta, AlphaBetaOptions};
use coppice::{Budget, Report, Search};

use super::board::Board;
use super::cell::Cell;
use super::eval::Positional;
use crate::bot::Settings;

/// The bot's search.
pub struct Strategy {
    middle: AlphaBeta<Board, Positional>,
}

impl Strategy {
    /// Ready to play.
    pub fn new(_settings: &Settings) -> Strategy {
        Strategy { middle: AlphaBeta::new(Positional::new(), 32 << 20, AlphaBetaOptions::default()) }
    }
}

impl Search<Board> for Strategy {
    fn search(&mut self, board: &Board, budget: Budget) -> Report<Cell> {
        self.middle.search(board, budget)
    }
}
