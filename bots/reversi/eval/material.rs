//! Evaluates by counting discs: weak, used as a baseline in benchmarks.

use coppice::{Evaluation, Score};

use crate::reversi::Board;

/// Own discs minus the opponent's.
#[derive(Debug, Clone, Copy, Default)]
pub struct Material;

impl Evaluation<Board> for Material {
    #[inline(always)]
    fn evaluate(&self, board: &Board) -> Score {
        Score::estimate(board.disc_difference())
    }
}
