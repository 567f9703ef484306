//! What a position is worth.

use coppice::{Evaluation, Game, Score};

use super::board::Board;

/// Small boards won less those of the other: poor judgement, and the yardstick of benchmarks.
#[derive(Debug, Clone, Copy, Default)]
pub struct WonBoards;

impl Evaluation<Board> for WonBoards {
    #[inline(always)]
    fn evaluate(&self, board: &Board) -> Score {
        Score::estimate(board.won_difference(board.to_move()))
    }
}
