//! The submitted search: alpha-beta, and exact solving in the endgame.

use coppice::search::{AlphaBeta, AlphaBetaOptions};
use coppice::{Budget, Game, Payoff, Report, Score, Search};

use super::board::Board;
use super::cell::Cell;
use super::cuts::{Predicted, LEAST};
use super::endgame::{Endgame, Goal};
use super::eval::Patterns;

contest::tunables! {
    /// Tunable parameters of [`Strategy`].
    pub struct Numbers {
        /// Confidence of ProbCut in hundredths of a standard deviation; 0 turns it off.
        prob_cut: u32 = 80 in 0..=300,
        /// Minimum depth of internal iterative deepening; 99 turns it off.
        internal: u32 = 5 in 2..=99,
        /// Width of alpha-beta's aspiration window around the last value; 0 turns it off.
        aspiration: i32 = 100 in 0..=500,
        /// How many searches in a row may use ProbCut from all but the last cell on, with wider margins each time.
        stages: u32 = 4 in 1..=4,
        /// Most empty cells with which part of each turn goes into solving the endgame.
        solve_from: u32 = 20 in 8..=26,
        /// That part in percent with 16 empty cells or fewer, where solving is most likely to succeed.
        solve_percent_16: u32 = 80 in 0..=100,
        /// That part in percent with 17 or 18 empty cells.
        solve_percent_18: u32 = 60 in 0..=100,
        /// That part in percent with more than 18 empty cells.
        solve_percent_20: u32 = 40 in 0..=100,
    }
}

/// The bot's search: [`AlphaBeta`] with the [`Patterns`] evaluation, and [`Endgame`].
pub struct Strategy {
    middle: AlphaBeta<Board, Predicted<Patterns>>,
    endgame: Endgame,
    numbers: Numbers,
}

impl Strategy {
    /// Size of the bot's tables in bytes; two thirds are for solving.
    pub const BYTES: usize = 96 << 20;

    /// The search with default parameters, in 96 MB.
    pub fn new() -> Strategy {
        Strategy::with(&Numbers::default(), Strategy::BYTES)
    }

    /// The search with these parameters, in `bytes` bytes.
    pub fn with(numbers: &Numbers, bytes: usize) -> Strategy {
        let options = AlphaBetaOptions {
            memory: bytes / 3,
            prob_cut: numbers.prob_cut,
            prob_cut_depth: LEAST,
            internal_depth: numbers.internal,
            aspiration: numbers.aspiration,
            ..AlphaBetaOptions::default()
        };
        let evaluation = Predicted { evaluation: Patterns::trained(), stages: numbers.stages };
        Strategy {
            middle: AlphaBeta::new(evaluation, options),
            endgame: Endgame::new(bytes / 3 * 2),
            numbers: *numbers,
        }
    }

    /// The part of a turn's budget that goes into solving.
    fn part(&self, budget: Budget, empties: u32) -> Budget {
        let percent = match empties {
            0..=16 => self.numbers.solve_percent_16,
            17..=18 => self.numbers.solve_percent_18,
            _ => self.numbers.solve_percent_20,
        };
        budget.share(percent, 100)
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
        if empties <= self.numbers.solve_from && !board.is_over() {
            let part = self.part(budget, empties);
            let solved = self.endgame.solve(
                &self.middle.evaluation().evaluation,
                board,
                Goal::Winner,
                part,
                &mut nodes,
            );
            // In a lost position every move is equally lost: let alpha-beta find the one hardest to refute.
            if let Some(solved) = solved.filter(|solved| solved.score >= 0) {
                let score = Score::ended(Payoff(solved.score));
                return Report {
                    best: Some(solved.best),
                    score,
                    nodes,
                    depth: empties,
                    solved: true,
                    restarted: false,
                };
            }
        }
        let left = budget.and_nodes(budget.max_nodes() - nodes);
        let mut report = self.middle.search(board, left);
        report.nodes += nodes;
        report
    }
}
