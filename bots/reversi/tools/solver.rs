//! The search behind `arena solve`: the exact margin, or no answer.

use coppice::{Budget, Evaluation, Game, Report, Search};

use crate::reversi::endgame::{Endgame, Goal, Solved};
use crate::reversi::eval::Patterns;
use crate::reversi::{Board, Cell};

/// [`Endgame`] as a search: a solved position's score is the disc difference.
#[derive(Debug, Clone)]
pub struct Solver {
    evaluation: Patterns,
    endgame: Endgame,
}

impl Solver {
    /// A solver whose table takes `bytes` bytes.
    pub fn new(bytes: usize) -> Solver {
        Solver { evaluation: Patterns::trained(), endgame: Endgame::new(bytes) }
    }
}

impl Search<Board> for Solver {
    fn search(&mut self, board: &Board, budget: Budget) -> Report<Cell> {
        if board.is_over() {
            return Report::ended(self.evaluation.ended(board));
        }
        let mut list = <Board as Game>::Moves::default();
        board.moves(&mut list);
        let (best, score) = (list.first().copied(), self.evaluation.evaluate(board));
        let mut report = Report { best, score, nodes: 0, depth: 0, solved: false, restarted: false };
        let solved = self.endgame.solve(&self.evaluation, board, Goal::Margin, budget, &mut report.nodes);
        if let Some(Solved { best, score }) = solved {
            report.best = Some(best);
            report.score = coppice::Score::estimate(score);
            report.depth = board.empty().count_ones();
            report.solved = true;
        }
        report
    }
}
