//! Iterative deepening over the moves of the root.

use super::{AlphaBeta, MAX_PLIES};
use crate::clock::Budget;
use crate::cpu::{Cpu, Task};
use crate::evaluation::Evaluation;
use crate::game::Game;
use crate::list::{sort, Moves};
use crate::score::Score;
use crate::search::report::Report;
use crate::search::window::Window;
use crate::step::Step;
use crate::table::Bound;

impl<G: Game, E: Evaluation<G>, S: Step<G>> AlphaBeta<G, E, S> {
    pub(super) fn begin(&mut self, budget: Budget) {
        self.table.age();
        self.meter = self.meter.again(budget);
        self.killers.fill([None; 2]);
        for counter in self.history.iter_mut().flatten() {
            *counter /= 8;
        }
    }

    #[inline(always)]
    pub(super) fn deepen<C: Cpu>(&mut self, cpu: C, game: &G, budget: Budget) -> Report<G::Move> {
        self.begin(budget);
        let mut list = G::Moves::default();
        game.moves(&mut list);
        if list.is_empty() {
            return Report::ended(self.evaluation.ended(game));
        }
        let mut report = Report {
            best: list.first().copied(),
            score: Score::DRAW,
            nodes: 0,
            depth: 0,
            solved: false,
            restarted: false,
        };
        let is_sorted = self.meter.is_in_time() && self.sort_root(game, &mut list);
        report.best = list.first().copied();
        if !is_sorted || !self.meter.is_in_time() {
            return report;
        }
        report.score = self.evaluation.evaluate(game);
        let mut game = game.clone();
        let deepest = self.options.max_depth.min(MAX_PLIES as u32 - 1);
        let first = if self.options.deepening { 1 } else { deepest.max(1) };
        for depth in first..=deepest {
            let estimates = self.estimates;
            // Deeper nodes call other functions.
            self.meter.renew();
            let finished = self.iteration(cpu, &mut game, &mut list, depth, &mut report);
            if !finished {
                break;
            }
            report.depth = depth;
            report.solved = self.estimates == estimates || report.score.is_win() || report.score.is_loss();
            // A win from the table may be a slow one: a quicker one would be found at a depth in between.
            if self.estimates == estimates || report.score.plies_to_end().is_some_and(|plies| plies <= depth)
            {
                break;
            }
        }
        report.nodes = self.meter.nodes();
        report
    }

    /// Searches all root moves to `depth`, inside a window around the last score where that is asked for. Returns
    /// false if the budget ran out.
    #[inline(always)]
    pub(super) fn iteration<C: Cpu>(
        &mut self,
        cpu: C,
        game: &mut G,
        list: &mut G::Moves,
        depth: u32,
        report: &mut Report<G::Move>,
    ) -> bool {
        const INFINITY: Score = Score::INFINITY;
        let mut width = self.options.aspiration;
        let mut window = Window { depth, ply: 0, alpha: -INFINITY, beta: INFINITY };
        if width > 0 && depth > 2 {
            window.alpha = report.score.less(width);
            window.beta = -(-report.score).less(width);
        }
        loop {
            let Some(best) = self.root(cpu, game, list, window, report) else { return false };
            width = width.saturating_mul(4);
            if best <= window.alpha && window.alpha > -INFINITY {
                window.alpha = best.less(width);
            } else if best >= window.beta && window.beta < INFINITY {
                window.beta = -(-best).less(width);
            } else {
                return true;
            }
        }
    }

    /// One pass over the root moves; the best moves to the front of the list. `None` if the budget ran out.
    #[inline(always)]
    pub(super) fn root<C: Cpu>(
        &mut self,
        cpu: C,
        game: &mut G,
        list: &mut G::Moves,
        window: Window,
        report: &mut Report<G::Move>,
    ) -> Option<Score> {
        let mut best = -Score::INFINITY;
        for i in 0..list.len() {
            let m = list[i];
            let alpha = window.alpha.max(best);
            let value = self.child(cpu, game, m, Window { alpha, ..window }, i == 0)?;
            if value > best {
                best = value;
                // Inside the window the value is exact, and its move becomes the answer. A first move that fails low
                // stays the answer until another is better.
                if value > window.alpha {
                    report.best = Some(m);
                    report.score = value;
                    list[..=i].rotate_right(1);
                }
            }
            if best >= window.beta {
                break;
            }
        }
        Some(best)
    }

    /// Sorts the root's moves. False if the deadline passed: only the table's move is then at the front.
    pub(super) fn sort_root(&mut self, game: &G, list: &mut G::Moves) -> bool {
        let known =
            self.table.probe(game.hash()).filter(|e| self.options.table_move && e.bound != Bound::Upper);
        let first = known.map(|e| e.best);
        let mut ranks = G::Moves::ranks();
        if !(self.meter.is_in_time() && self.rank_all(game, list, ranks.as_mut(), 0, first)) {
            let known = first.and_then(|first| list.iter().position(|&m| G::move_index(m) == first));
            list.swap(0, known.unwrap_or(0));
            return false;
        }
        sort(list, ranks.as_mut(), G::Moves::ranks().as_mut());
        true
    }
}

pub(super) struct Deepen<'a, G: Game, E, S> {
    pub(super) search: &'a mut AlphaBeta<G, E, S>,
    pub(super) game: &'a G,
    pub(super) budget: Budget,
}

impl<G: Game, E: Evaluation<G>, S: Step<G>> Task for Deepen<'_, G, E, S> {
    type Output = Report<G::Move>;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Report<G::Move> {
        self.search.deepen(cpu, self.game, self.budget)
    }
}
