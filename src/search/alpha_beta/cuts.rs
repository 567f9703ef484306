//! Shallow searches of a position before its moves are searched: to cut it off, or to know a first move.

use super::node::Node;
use super::AlphaBeta;
use crate::cpu::{Cpu, Task};
use crate::evaluation::Evaluation;
use crate::game::Game;
use crate::score::Score;
use crate::search::window::Window;
use crate::step::Step;
use crate::table::{Bound, Entry};

/// The table's entry and shallow searches before a position's moves, in code of its own: inlined into a node's, it cost
/// searches that don't use it 2 to 5 % more instructions. The result is the position's score, if it is cut off; otherwise
/// `shallow_first` has the move to try first.
pub(super) struct Shallow<'a, G: Game, E, S> {
    pub(super) search: &'a mut AlphaBeta<G, E, S>,
    pub(super) game: &'a mut G,
    pub(super) window: Window,
}

impl<G: Game, E: Evaluation<G>, S: Step<G>> Task for Shallow<'_, G, E, S> {
    type Output = Option<Score>;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Option<Score> {
        let Shallow { search, game, window } = self;
        let (options, depth) = (&search.options, window.depth);
        let use_table = options.table && depth >= options.table_depth;
        let cuts = options.prob_cut > 0 && depth >= options.prob_cut_depth;
        let deepens = use_table && depth >= options.internal_depth;
        let trusts_table = options.table_move;
        if game.is_over() {
            return None;
        }
        let hash = if use_table { game.hash() } else { 0 };
        let mut first = None;
        if let Some(entry) = if use_table { search.table.probe(hash) } else { None } {
            if let Some(score) = search.known(entry, window) {
                search.estimates += u64::from(!entry.solved);
                return Some(score);
            }
            first = (trusts_table && entry.bound != Bound::Upper).then_some(entry.best);
        }
        if let Some(score) = cuts.then(|| search.prob_cut(cpu, game, window)).flatten() {
            if use_table {
                let bound = if score >= window.beta { Bound::Lower } else { Bound::Upper };
                let (depth, best) = (depth.min(255) as u8, first.unwrap_or(0));
                search.table.store(hash, Entry { score, bound, depth, solved: false, best });
            }
            return Some(score);
        }
        if deepens && first.is_none() {
            first = search.move_of_half_depth(cpu, game, window, hash);
        }
        // Written last: the searches above have such positions too.
        search.shallow_first = first;
        None
    }
}

impl<G: Game, E: Evaluation<G>, S: Step<G>> AlphaBeta<G, E, S> {
    /// A bound on the score that a shallow search makes probable (Buro's ProbCut, 1995).
    #[inline(always)]
    fn prob_cut<C: Cpu>(&mut self, cpu: C, game: &mut G, window: Window) -> Option<Score> {
        let Window { depth, alpha, beta, .. } = window;
        let (shallow, error) = self.evaluation.prediction(game, depth)?;
        let margin = (i64::from(error) * i64::from(self.options.prob_cut) / 100) as i32;
        let farthest = Score::MAX_ESTIMATE - margin;
        if beta > alpha.next() || shallow >= depth || alpha.value() < -farthest || beta.value() > farthest {
            return None;
        }
        // The side on which the estimate is.
        let is_high = self.evaluation.evaluate(game) >= beta;
        let bound = if is_high { -(-beta).less(margin) } else { alpha.less(margin) };
        let (alpha, beta) = if is_high { (bound.less(1), bound) } else { (bound, bound.next()) };
        let estimates = self.estimates;
        let score =
            cpu.call(Node { search: self, game, window: Window { depth: shallow, alpha, beta, ..window } });
        if self.meter.is_spent() {
            return None;
        }
        if is_high && score >= bound {
            return Some(window.beta);
        }
        if !is_high && score <= bound {
            return Some(window.alpha);
        }
        // The score isn't used.
        self.estimates = estimates;
        None
    }

    /// The move that a search to half the depth finds, if it is better than `alpha`.
    #[inline(always)]
    fn move_of_half_depth<C: Cpu>(&mut self, cpu: C, game: &mut G, window: Window, hash: u64) -> Option<u16> {
        let estimates = self.estimates;
        let window = Window { depth: window.depth / 2, ..window };
        let _ = cpu.call(Node { search: self, game, window });
        // The search only orders moves.
        self.estimates = estimates;
        let entry = self.table.probe(hash).filter(|entry| entry.bound != Bound::Upper)?;
        self.options.table_move.then_some(entry.best)
    }
}
