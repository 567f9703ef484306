//! Shallow searches of a position before its moves are searched: to cut it off, or to know a first move.

use super::node::Node;
use super::AlphaBeta;
use crate::cpu::Cpu;
use crate::evaluation::Evaluation;
use crate::game::Game;
use crate::score::Score;
use crate::search::window::Window;
use crate::step::Step;
use crate::table::Bound;

impl<G: Game, E: Evaluation<G>, S: Step<G>> AlphaBeta<G, E, S> {
    /// A bound on the score that a shallow search makes probable (Buro's ProbCut, 1995).
    #[inline(always)]
    pub(super) fn prob_cut<C: Cpu>(&mut self, cpu: C, game: &mut G, window: Window) -> Option<Score> {
        let Window { depth, alpha, beta, .. } = window;
        if !self.meter.step() {
            return None;
        }
        let (shallow, error) = self.evaluation.prediction(game, depth)?;
        let margin = (i64::from(error) * i64::from(self.options.prob_cut) / 100) as i32;
        let farthest = Score::MAX_ESTIMATE - margin;
        if beta > alpha.next() || shallow >= depth || alpha.value() < -farthest || beta.value() > farthest {
            return None;
        }
        if !self.meter.step() {
            return None;
        }
        // The side on which the estimate is.
        let estimate = self.evaluation.evaluate(game);
        let is_high = estimate >= beta;
        let bound = if is_high { -(-beta).less(margin) } else { alpha.less(margin) };
        let is_beyond = |score: Score| if is_high { score >= bound } else { score <= bound };
        let cut = if is_high { beta } else { alpha };
        if shallow == 0 {
            let is_cut = is_beyond(estimate);
            self.estimates += u64::from(is_cut);
            return is_cut.then_some(cut);
        }
        let (alpha, beta) = if is_high { (bound.less(1), bound) } else { (bound, bound.next()) };
        let estimates = self.estimates;
        let score =
            cpu.call(Node { search: self, game, window: Window { depth: shallow, alpha, beta, ..window } });
        if self.meter.is_spent() {
            return None;
        }
        if is_beyond(score) {
            return Some(cut);
        }
        // The score isn't used.
        self.estimates = estimates;
        None
    }

    /// The move that a search to half the depth finds, if it is better than `alpha`.
    #[inline(always)]
    pub(super) fn move_of_half_depth<C: Cpu>(
        &mut self,
        cpu: C,
        game: &mut G,
        window: Window,
        hash: u64,
    ) -> Option<u16> {
        if !self.meter.step() {
            return None;
        }
        let estimates = self.estimates;
        let window = Window { depth: window.depth / 2, ..window };
        let _ = cpu.call(Node { search: self, game, window });
        // The search only orders moves.
        self.estimates = estimates;
        let entry = self.table.probe(hash).filter(|entry| entry.bound != Bound::Upper)?;
        self.options.table_move.then_some(entry.best)
    }
}
