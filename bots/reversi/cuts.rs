//! How well a shallow search predicts a deep one, for ProbCut.

use coppice::{Evaluation, Score};

use super::{Board, Cell};

/// An evaluation that knows how well shallow searches with it predict deep ones.
#[derive(Debug, Clone)]
pub struct Predicted<E> {
    /// The evaluation.
    pub evaluation: E,
    /// How many searches in a row, each a ply deeper, may be cut off from all but the last cell on: 1 to 4.
    pub stages: u32,
}

/// The least depth that is cut off. An estimate predicts it, and there is no shallow search.
pub const LEAST: u32 = 2;
/// By how much the margin of an estimate is wider.
const ESTIMATE: i32 = 2;
/// The deepest search whose error is known; deeper ones have the error of the deepest of the same parity.
pub const DEEPEST: usize = 9;

/// The depth that predicts `depth`: about half, and of the same parity, because the player to move at the leaves is the
/// one an evaluation favours.
pub const fn shallow(depth: u32) -> u32 {
    let half = depth / 2;
    half - (depth - half) % 2
}

/// Standard deviations of the score at each depth from 2 to [`DEEPEST`] less the score at its [`shallow`] depth, in
/// hundredths of a disc, by tens of empty cells. Fitted by the example `reversi-cuts` with the second nets to positions of
/// 500 games, depth 2 with the third to 300; the third's errors at other depths play no better (`NOTES.md`).
#[rustfmt::skip]
pub static ERRORS: [[i32; DEEPEST - 1]; 6] = [
    [519, 462, 466, 646, 552, 525, 575, 575], // 0 to 9 empty cells, 348 positions; the last column is the one before
    [442, 378, 299, 495, 458, 445, 447, 559], // 10 to 19 empty cells, 588 positions
    [315, 251, 223, 342, 324, 321, 327, 419], // 20 to 29 empty cells, 637 positions
    [260, 241, 178, 297, 237, 214, 209, 250], // 30 to 39 empty cells, 639 positions
    [235, 171, 145, 209, 181, 172, 152, 192], // 40 to 49 empty cells, 558 positions
    [172, 169, 156, 223, 190, 146, 142, 178], // 50 to 59 empty cells, 112 positions
];

/// The fewest empty cells with which a search is cut off: next to the end it sees results, which no estimate predicts.
const FEWEST: u32 = 8;

/// The factor on the error in each stage, in per cent.
const WIDER: [i32; 4] = [100, 150, 220, 320];

impl<E: Evaluation<Board>> Evaluation<Board> for Predicted<E> {
    #[inline(always)]
    fn evaluate(&self, board: &Board) -> Score {
        self.evaluation.evaluate(board)
    }

    #[inline(always)]
    fn below(&self, board: &Board) -> impl Fn(Cell, &Board) -> Score {
        self.evaluation.below(board)
    }

    #[inline(always)]
    fn prediction(&self, board: &Board, depth: u32) -> Option<(u32, i32)> {
        let empties = board.empty().count_ones();
        // Beyond the end only the stage changes: the margins are wider, and at last there are no more cuts.
        let stage = (depth + 1).saturating_sub(empties);
        if depth < LEAST || empties < FEWEST || stage >= self.stages {
            return None;
        }
        let depth = depth.min(empties - 1);
        let known = if depth as usize > DEEPEST {
            DEEPEST - (DEEPEST - depth as usize % 2) % 2
        } else {
            depth as usize
        };
        let error = ERRORS[(empties as usize / 10).min(5)][known - LEAST as usize];
        let error = if depth == LEAST { error * ESTIMATE } else { error };
        // There are four stages: the mask only spares a check of bounds.
        Some((shallow(depth), error * WIDER[stage as usize & 3] / 100))
    }

    #[inline(always)]
    fn rank(&self, board: &Board, cell: Cell) -> i32 {
        self.evaluation.rank(board, cell)
    }
}

#[cfg(test)]
mod tests {
    use coppice::search::{AlphaBeta, AlphaBetaOptions};
    use coppice::{Budget, Search};

    use super::*;
    use crate::reversi::endgame::{Endgame, Goal};
    use crate::reversi::eval::Positional;
    use crate::reversi::tests::ends;

    #[test]
    fn margins_widen_beyond_the_last_cell_but_one_and_end_with_none() {
        let predicted = |stages| Predicted { evaluation: Positional::new(), stages };
        for board in ends(14, 5) {
            let margin =
                |stages, depth| predicted(stages).prediction(&board, depth).map(|(_, margin)| margin);
            let margins: Vec<_> = (13..=17).map(|depth| margin(4, depth)).collect();
            assert!(margins[..4].is_sorted_by(|a, b| a.is_some() && a < b), "{margins:?}");
            assert_eq!(margins[4], None);
            assert_eq!((margin(1, 13), margin(1, 14)), (margins[0], None));
        }
        assert!(ends(FEWEST - 1, 5).iter().all(|board| predicted(4).prediction(board, 3).is_none()));
    }

    /// The last search to the end has no cuts, so its result is the game's, even with margins so narrow that cuts are often
    /// wrong.
    #[test]
    fn a_search_to_the_end_finds_the_winner() {
        let mut endgame = Endgame::new(1 << 20);
        let mut cut = 0;
        for board in ends(12, 60) {
            let evaluation = Predicted { evaluation: Positional::new(), stages: 4 };
            let nodes = [0, 1].map(|prob_cut| {
                let options = AlphaBetaOptions { memory: 1 << 20, prob_cut, ..AlphaBetaOptions::default() };
                let report =
                    AlphaBeta::new(evaluation.clone(), options).search(&board, Budget::nodes(u64::MAX));
                let solved =
                    endgame.solve(&evaluation, &board, Goal::Winner, Budget::nodes(u64::MAX), &mut 0);
                let winner = solved.map(|solved| solved.score.signum());
                assert!(report.solved, "{board:?}");
                assert_eq!(Some(report.score.value().signum()), winner, "{board:?}");
                report.nodes
            });
            cut += u32::from(nodes[0] != nodes[1]);
        }
        assert!(cut > 10, "ProbCut changed {cut} searches");
    }
}
