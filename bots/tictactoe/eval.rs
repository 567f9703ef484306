//! Evaluates a position by counting open lines.

use coppice::{Evaluation, Score};

use super::board::{Board, LINES};

/// Lines still open for the player to move, minus those open for the opponent.
#[derive(Debug, Clone, Copy, Default)]
pub struct OpenLines;

impl Evaluation<Board> for OpenLines {
    #[inline(always)]
    fn evaluate(&self, board: &Board) -> Score {
        let open = |against: u16| LINES.iter().filter(|&line| line & against == 0).count() as i32;
        Score::estimate(open(board.other()) - open(board.own()))
    }
}

/// [`OpenLines`] times a weight. Every positive weight ranks positions alike; a negative one prefers the opponent's lines.
#[derive(Debug, Clone, Copy)]
pub struct Weighted(pub i32);

impl Evaluation<Board> for Weighted {
    #[inline(always)]
    fn evaluate(&self, board: &Board) -> Score {
        Score::estimate(self.0 * OpenLines.evaluate(board).value())
    }
}
