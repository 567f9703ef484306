//! What a position is worth.

use coppice::{Evaluation, Score};

use super::board::Board;

/// Counters in the own store less those in the other's.
#[derive(Debug, Clone, Copy, Default)]
pub struct StoreDifference;

impl Evaluation<Board> for StoreDifference {
    #[inline(always)]
    fn evaluate(&self, board: &Board) -> Score {
        Score::estimate(board.store_difference())
    }
}
