//! Evaluates mobility, corners and stability, weighted by phase of the game.

use coppice::{Evaluation, Score};

use super::features::{features, FEATURES};
use super::ranks::RANKS;
use super::weights::{KNOTS, WEIGHTS};
use crate::reversi::{Board, Cell};

/// The [`features`] of a position, weighted by the phase of the game. 100 is one disc of the final margin.
#[derive(Debug, Clone)]
pub struct Positional {
    /// By number of empty cells, in fixed point with 8 fractional bits.
    weights: [[i32; FEATURES]; 61],
}

impl Positional {
    /// Builds the weights for each number of empty cells by linear interpolation between rows of [`WEIGHTS`].
    pub fn new() -> Positional {
        let mut eval = Positional { weights: [[0; FEATURES]; 61] };
        for (empties, row) in eval.weights.iter_mut().enumerate() {
            for (knot, share) in shares(empties) {
                for (weight, &at_knot) in row.iter_mut().zip(&WEIGHTS[knot]) {
                    *weight += share * at_knot;
                }
            }
        }
        eval
    }
}

/// The two rows of weights to interpolate between, and the share of each in 256ths.
pub fn shares(empties: usize) -> [(usize, i32); 2] {
    const SPAN: usize = 60 / (KNOTS - 1);
    let knot = (empties / SPAN).min(KNOTS - 2);
    let share = ((empties - knot * SPAN) * 256 / SPAN) as i32;
    [(knot, 256 - share), (knot + 1, share)]
}

impl Default for Positional {
    fn default() -> Positional {
        Positional::new()
    }
}

impl Evaluation<Board> for Positional {
    #[inline(always)]
    fn evaluate(&self, board: &Board) -> Score {
        let empties = (board.empty().count_ones() as usize).min(60);
        let features = features(board);
        let mut value = 0;
        for (weight, feature) in self.weights[empties].iter().zip(&features) {
            value += weight * feature;
        }
        Score::estimate(value >> 8)
    }

    #[inline(always)]
    fn rank(&self, _board: &Board, cell: Cell) -> i32 {
        i32::from(RANKS[cell.bit() as usize & 63])
    }
}
