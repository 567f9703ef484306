//! A position below the root.

use super::{AlphaBeta, MAX_PLIES};
use crate::clock::Rare;
use crate::cpu::{Cpu, Task};
use crate::evaluation::Evaluation;
use crate::game::Game;
use crate::list::{pick, Moves};
use crate::score::Score;
use crate::search::window::Window;
use crate::step::Step;
use crate::table::{Bound, Entry};

impl<G: Game, E: Evaluation<G>, S: Step<G>> AlphaBeta<G, E, S> {
    /// The value of a move to its mover: the full window for the first move of a node, a null window for the others
    /// until one proves better. `None` once the budget is spent.
    #[inline(always)]
    pub(super) fn child<C: Cpu>(
        &mut self,
        cpu: C,
        game: &mut G,
        m: G::Move,
        window: Window,
        first: bool,
    ) -> Option<Score> {
        if !self.meter.take() {
            return None;
        }
        let mover = game.to_move();
        let mut held = S::step(game, m);
        let next = S::next(game, &mut held);
        let same = next.to_move() == mover;
        let value = self.after(cpu, next, same, window, first);
        // Once the budget is spent, nothing is searched from this state any more.
        if self.meter.is_spent() || S::UNMAKES && !self.meter.step() {
            return None;
        }
        S::back(game, m, held);
        Some(value)
    }

    /// Looks from the position after the move.
    #[inline(always)]
    pub(super) fn after<C: Cpu>(
        &mut self,
        cpu: C,
        next: &mut G,
        same: bool,
        window: Window,
        first: bool,
    ) -> Score {
        if window.depth == 1 {
            return self.leaf(next, window.ply + 1).for_parent(same);
        }
        let Window { alpha, beta, .. } = window;
        if !first && self.options.principal_variation {
            let value = self.below(cpu, next, same, Window { beta: alpha.next(), ..window });
            if value <= alpha || value >= beta || self.meter.is_spent() {
                return value;
            }
        }
        self.below(cpu, next, same, window)
    }

    /// The value of a child to its parent's mover, searched within the parent's window.
    #[inline(always)]
    pub(super) fn below<C: Cpu>(&mut self, cpu: C, game: &mut G, same: bool, window: Window) -> Score {
        cpu.call(Node { search: self, game, window: window.below(same) }).for_parent(same)
    }

    /// The best of a position's moves and its value. `None` once the budget is spent.
    #[inline(always)]
    fn best_child<C: Cpu>(
        &mut self,
        cpu: C,
        game: &mut G,
        list: &mut G::Moves,
        mut ranks: Option<&mut [i32]>,
        mut window: Window,
    ) -> Option<(Score, Option<G::Move>)> {
        let Window { depth, ply, alpha, beta } = window;
        let (mut best, mut best_move) = (-Score::INFINITY, None);
        for i in 0..list.len() {
            let m = ranks.as_mut().map_or(list[i], |ranks| pick(list, ranks, i));
            let value = self.child(cpu, game, m, window, i == 0)?;
            if value > best {
                (best, best_move) = (value, Some(m));
                if value >= beta {
                    self.reward(game, list, i, depth, ply);
                    break;
                }
                window.alpha = alpha.max(value);
            }
        }
        Some((best, best_move))
    }

    /// [`AlphaBeta::best_child`] at the last depth: what the estimates share with the position is computed once.
    #[inline(always)]
    fn best_leaf(
        &mut self,
        game: &G,
        list: &mut G::Moves,
        mut ranks: Option<&mut [i32]>,
        window: Window,
    ) -> Option<(Score, Option<G::Move>)> {
        let Window { depth, ply, beta, .. } = window;
        let AlphaBeta { evaluation, meter, estimates, .. } = self;
        let estimate = evaluation.below(game);
        let (mut best, mut best_move) = (-Score::INFINITY, None);
        for i in 0..list.len() {
            let m = ranks.as_mut().map_or(list[i], |ranks| pick(list, ranks, i));
            if !meter.take() {
                return None;
            }
            let next = game.after(m);
            let value = if next.is_over() {
                if !meter.meets(Rare::END) {
                    return None;
                }
                evaluation.ended(&next).add_mate_distance(ply + 1)
            } else {
                if !meter.step() {
                    return None;
                }
                *estimates += 1;
                estimate(m, &next)
            };
            let value = value.for_parent(next.to_move() == game.to_move());
            if value > best {
                (best, best_move) = (value, Some(m));
                if value >= beta {
                    drop(estimate);
                    self.reward(game, list, i, depth, ply);
                    break;
                }
            }
        }
        Some((best, best_move))
    }

    /// Whether a table's entry of this depth serves where `wanted` plies are left.
    #[inline(always)]
    pub(super) fn is_deep(&self, solved: bool, depth: u8, wanted: u32) -> bool {
        if self.options.equal_depth {
            return u32::from(depth) == wanted;
        }
        solved || u32::from(depth) >= wanted
    }

    #[inline(always)]
    pub(super) fn leaf(&mut self, game: &G, ply: u32) -> Score {
        if game.is_over() {
            if !self.meter.meets(Rare::END) {
                return Score::DRAW;
            }
            return self.evaluation.ended(game).add_mate_distance(ply);
        }
        if !self.meter.step() {
            return Score::DRAW;
        }
        self.estimates += 1;
        self.evaluation.evaluate(game)
    }
}

/// A position below the root, to be searched within a window.
pub(super) struct Node<'a, G: Game, E, S> {
    pub(super) search: &'a mut AlphaBeta<G, E, S>,
    pub(super) game: &'a mut G,
    pub(super) window: Window,
}

impl<G: Game, E: Evaluation<G>, S: Step<G>> Task for Node<'_, G, E, S> {
    type Output = Score;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Score {
        let Node { search, game, window } = self;
        let Window { depth, ply, alpha, beta } = window;
        if ply as usize >= MAX_PLIES {
            return search.leaf(game, ply);
        }
        let mut list = G::Moves::default();
        game.moves(&mut list);
        if list.is_empty() {
            if !search.meter.meets(Rare::END) {
                return Score::DRAW;
            }
            return search.evaluation.ended(game).add_mate_distance(ply);
        }
        let use_table = search.options.table && depth >= search.options.table_depth;
        if use_table && !search.meter.step() {
            return Score::DRAW;
        }
        let hash = if use_table { game.hash() } else { 0 };
        let mut first = None;
        if use_table {
            if let Some(entry) = search.table.probe(hash) {
                let score = entry.score.add_mate_distance(ply);
                let cuts = match entry.bound {
                    Bound::Exact => true,
                    Bound::Lower => score >= beta,
                    Bound::Upper => score <= alpha,
                };
                if cuts && search.is_deep(entry.solved, entry.depth, depth) {
                    search.estimates += u64::from(!entry.solved);
                    return score;
                }
                first = (search.options.table_move && entry.bound != Bound::Upper).then_some(entry.best);
            }
        }
        if depth >= search.options.prob_cut_depth && search.options.prob_cut > 0 {
            let cut = search.prob_cut(cpu, game, window);
            if search.meter.is_spent() {
                return Score::DRAW;
            }
            if let Some(score) = cut {
                if use_table {
                    let bound = if score >= beta { Bound::Lower } else { Bound::Upper };
                    let (depth, best) = (depth.min(255) as u8, first.unwrap_or(0));
                    search.table.store(hash, Entry { score, bound, depth, solved: false, best });
                }
                return score;
            }
        }
        if depth >= search.options.internal_depth && use_table && first.is_none() {
            first = search.move_of_half_depth(cpu, game, window, hash);
            if search.meter.is_spent() {
                return Score::DRAW;
            }
        }
        let mut ranks = G::Moves::ranks();
        let in_order = depth >= search.options.order_depth;
        if in_order && !search.rank_all(game, &list, ranks.as_mut(), ply, first) {
            return Score::DRAW;
        }
        let estimates = search.estimates;
        let order = in_order.then_some(ranks.as_mut());
        let best = if depth == 1 && !S::UNMAKES {
            search.best_leaf(game, &mut list, order, window)
        } else {
            search.best_child(cpu, game, &mut list, order, window)
        };
        let Some((best, best_move)) = best else { return Score::DRAW };
        if use_table {
            let bound = match best {
                best if best >= beta => Bound::Lower,
                best if best > alpha => Bound::Exact,
                _ => Bound::Upper,
            };
            let solved = search.estimates == estimates;
            let (score, depth, code) =
                (best.subtract_mate_distance(ply), depth.min(255) as u8, best_move.map_or(0, G::move_index));
            search.table.store(hash, Entry { score, bound, depth, solved, best: code });
        }
        best
    }
}
