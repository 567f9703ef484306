//! How well a shallow search predicts a deep one, for ProbCut.

use coppice::{Evaluation, Score};

use super::{Board, Cell};

/// An evaluation that knows how well shallow searches with it predict deep ones.
#[derive(Debug, Clone)]
pub struct Predicted<E>(pub E);

/// The deepest search whose error is known; deeper ones have the error of the deepest of the same parity.
pub const DEEPEST: usize = 9;

/// The depth that predicts `depth`: about half, and of the same parity, because the player to move at the leaves is the
/// one an evaluation favours.
pub const fn shallow(depth: u32) -> u32 {
    let half = depth / 2;
    half - (depth - half) % 2
}

/// Standard deviations of the score at each depth from 3 to [`DEEPEST`] less the score at its [`shallow`] depth, in
/// hundredths of a disc, by tens of empty cells. Fitted by the example `reversi-cuts` to positions of 500 games.
#[rustfmt::skip]
pub static ERRORS: [[i32; DEEPEST - 2]; 6] = [
    [462, 466, 646, 552, 525, 575, 575], // 0 to 9 empty cells, 348 positions; the last column is the one before
    [378, 299, 495, 458, 445, 447, 559], // 10 to 19 empty cells, 588 positions
    [251, 223, 342, 324, 321, 327, 419], // 20 to 29 empty cells, 637 positions
    [241, 178, 297, 237, 214, 209, 250], // 30 to 39 empty cells, 639 positions
    [171, 145, 209, 181, 172, 152, 192], // 40 to 49 empty cells, 558 positions
    [169, 156, 223, 190, 146, 142, 178], // 50 to 59 empty cells, 112 positions
];

impl<E: Evaluation<Board>> Evaluation<Board> for Predicted<E> {
    #[inline(always)]
    fn evaluate(&self, board: &Board) -> Score {
        self.0.evaluate(board)
    }

    #[inline(always)]
    fn below(&self, board: &Board) -> impl Fn(Cell, &Board) -> Score {
        self.0.below(board)
    }

    #[inline(always)]
    fn prediction(&self, board: &Board, depth: u32) -> Option<(u32, i32)> {
        let empties = board.empty().count_ones();
        // Next to the end a search sees results, which no estimate predicts.
        if depth < 3 || empties <= depth {
            return None;
        }
        let known = if depth as usize > DEEPEST {
            DEEPEST - (DEEPEST - depth as usize % 2) % 2
        } else {
            depth as usize
        };
        Some((shallow(depth), ERRORS[(empties as usize / 10).min(5)][known - 3]))
    }

    #[inline(always)]
    fn rank(&self, board: &Board, cell: Cell) -> i32 {
        self.0.rank(board, cell)
    }
}
