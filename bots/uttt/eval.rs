//! Evaluates a position by small boards won.

use coppice::{Evaluation, Game, Score};

use super::board::Board;

/// Small boards won minus the opponent's: a weak evaluation, used as a baseline in benchmarks.
#[derive(Debug, Clone, Copy, Default)]
pub struct WonBoards;

impl Evaluation<Board> for WonBoards {
    #[inline(always)]
    fn evaluate(&self, board: &Board) -> Score {
        Score::estimate(board.won_difference(board.to_move()))
    }
}
