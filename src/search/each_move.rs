//! Runs a separate search for each move.

use crate::clock::Budget;
use crate::game::Game;
use crate::score::Score;
use crate::search::report::{Report, Search};

/// Searches the position after each move in turn with another search, each with an equal share of the
/// remaining budget, and takes the move with the best score; ties go to the move that is listed first.
///
/// Alpha-beta that deepens below each root move by itself, with a full window, is
/// `EachMove(AlphaBeta::new(..))`: the moves may then be compared at different depths, but none is
/// judged by a bound.
#[derive(Debug, Clone)]
pub struct EachMove<S>(pub S);

impl<G: Game, S: Search<G>> Search<G> for EachMove<S> {
    /// The report's depth is the least that any of the moves was searched to, the move itself
    /// included.
    ///
    /// With fewer nodes than moves, those that are listed last are not looked at.
    fn search(&mut self, game: &G, budget: Budget) -> Report<G::Move> {
        let mut list = G::Moves::default();
        game.moves(&mut list);
        if list.is_empty() {
            return self.0.search(game, Budget::nodes(0));
        }
        let (best, score) = (list.first().copied(), -Score::INFINITY);
        let mut report = Report { best, score, nodes: 0, depth: u32::MAX, solved: true, restarted: false };
        let mut best_is_solved = false;
        for (i, &m) in list.iter().enumerate() {
            let left = budget.max_nodes() - report.nodes;
            if left == 0 || budget.is_late() {
                (report.depth, report.solved) = (0, false);
                break;
            }
            let next = game.after(m);
            let found = self.0.search(&next, part(budget, left, (list.len() - i) as u32));
            let score = found.score.add_mate_distance(1).for_parent(next.to_move() == game.to_move());
            report.nodes += 1 + found.nodes;
            // The end of a game is as deep as any search goes.
            if found.best.is_some() {
                report.depth = report.depth.min(1 + found.depth);
            }
            report.solved &= found.solved;
            if score > report.score {
                (report.best, report.score, best_is_solved) = (Some(m), score, found.solved);
            }
        }
        if report.score == -Score::INFINITY {
            let is_late = budget.is_late();
            report.score = if is_late { Score::DRAW } else { self.0.search(game, budget.and_nodes(0)).score };
        }
        report.solved |= best_is_solved && report.score.is_win();
        report.depth = if report.depth == u32::MAX { 1 } else { report.depth };
        report
    }
}

/// One move's part of a budget that has `left` nodes left for `moves` moves: a node goes into the move itself.
pub(super) fn part(budget: Budget, left: u64, moves: u32) -> Budget {
    budget.share(1, moves).and_nodes(left.div_ceil(u64::from(moves)) - 1)
}
