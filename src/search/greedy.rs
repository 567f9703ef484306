//! One-ply search: plays the move after which the evaluation is best. A baseline.

use crate::clock::{Budget, Meter, Rare};
use crate::evaluation::Evaluation;
use crate::game::Game;
use crate::rng::Rng;
use crate::score::Score;
use crate::search::report::{Report, Search};

/// Makes each move once and takes the best by the evaluation; ties are broken at random.
#[derive(Debug, Clone)]
pub struct Greedy<E> {
    evaluation: E,
    rng: Rng,
}

impl<E> Greedy<E> {
    /// A player with this evaluation, whose tie-breaks follow from `seed`.
    pub fn new(evaluation: E, seed: u64) -> Greedy<E> {
        Greedy { evaluation, rng: Rng::new(seed) }
    }
}

impl<G: Game, E: Evaluation<G>> Search<G> for Greedy<E> {
    fn search(&mut self, game: &G, budget: Budget) -> Report<G::Move> {
        let mut list = G::Moves::default();
        game.moves(&mut list);
        let mut meter = Meter::<16>::new(budget);
        let mut best = list.first().copied();
        let mut score = -Score::INFINITY;
        let mut ties = 0;
        for &m in list.iter() {
            if !meter.take() {
                break;
            }
            let next = game.after(m);
            let is_over = next.is_over();
            if !(if is_over { meter.meets(Rare::END) } else { meter.step() }) {
                break;
            }
            let value = if is_over {
                self.evaluation.ended_for(&next, game.to_move()).add_mate_distance(1)
            } else {
                self.evaluation.evaluate_for(&next, game.to_move())
            };
            if value > score {
                (best, score, ties) = (Some(m), value, 1);
            } else if value == score {
                ties += 1;
                if self.rng.below(ties) == 0 {
                    best = Some(m);
                }
            }
        }
        if best.is_none() {
            score = self.evaluation.ended(game);
        } else if ties == 0 {
            score = if meter.is_in_time() { self.evaluation.evaluate(game) } else { Score::DRAW };
        }
        Report {
            best,
            score,
            nodes: meter.nodes(),
            depth: u32::from(best.is_some()),
            solved: best.is_none() || score.is_win(),
            restarted: false,
        }
    }
}
