//! Evaluates a grid by how many cells are filled.

use coppice::{Evaluation, Game, Score};

use super::Grid;

/// The number of filled cells. A full grid is a win and one that can't be filled is a loss, so a search that has
/// proved either may stop.
#[derive(Debug, Clone, Copy, Default)]
pub struct Filled;

impl Evaluation<Grid> for Filled {
    #[inline(always)]
    fn evaluate(&self, grid: &Grid) -> Score {
        Score::estimate(grid.filled() as i32)
    }

    #[inline(always)]
    fn ended(&self, grid: &Grid) -> Score {
        Score::ended(grid.payoff(grid.to_move()))
    }
}
