//! How the submitted bot thinks: alpha-beta, and at the end exact solving.

use std::time::Instant;

use coppice::search::{AlphaBeta, AlphaBetaOptions};
use coppice::{Budget, Game, Payoff, Report, Score, Search};

use super::board::Board;
use super::cell::Cell;
use super::endgame::Endgame;
use super::eval::Positional;

/// With so many empty cells or fewer, part of each turn goes into solving the rest of the game.
const SOLVE_FROM: u32 = 20;

/// The bot's search: [`AlphaBeta`] with the [`Positional`] evaluation, and [`Endgame`].
pub struct Strategy {
    middle: AlphaBeta<Board, Positional>,
    endgame: Endgame,
}

impl Strategy {
    /// Ready to play, in 96 MB.
    pub fn new() -> Strategy {
        Strategy {
            middle: AlphaBeta::new(Positional::new(), 32 << 20, AlphaBetaOptions::default()),
            endgame: Endgame::new(64 << 20),
        }
    }
}

impl Default for Strategy {
    fn default() -> Strategy {
        Strategy::new()
    }
}

impl Search<Board> for Strategy {
    fn search(&mut self, board: &Board, budget: Budget) -> Report<Cell> {
        let empties = board.empty().count_ones();
        let mut nodes = 0;
        if empties <= SOLVE_FROM && !board.is_over() {
            let solved = self.endgame.solve(board, part(budget, empties), &mut nodes);
            // In a lost position nothing certain helps: alpha-beta looks for what is hardest to refute.
            if let Some(solved) = solved.filter(|solved| solved.sign >= 0) {
                let score = Score::ended(Payoff(solved.sign));
                return Report { best: Some(solved.best), score, nodes, depth: empties, solved: true };
            }
        }
        let left = budget.and_nodes(budget.max_nodes() - nodes);
        let mut report = self.middle.search(board, left);
        report.nodes += nodes;
        report
    }
}

/// The part of a turn that goes into solving: the more the likelier it succeeds.
fn part(budget: Budget, empties: u32) -> Budget {
    let percent = match empties {
        0..=16 => 80,
        17..=18 => 60,
        _ => 40,
    };
    let nodes = (u128::from(budget.max_nodes()) * percent / 100) as u64;
    match budget.deadline() {
        None => Budget::nodes(nodes),
        Some(deadline) => {
            let now = Instant::now();
            Budget::until(now + deadline.saturating_duration_since(now) * percent as u32 / 100)
                .and_nodes(nodes)
        }
    }
}
