//! Baselines for joint games: any move, and one turn of an estimate.

use crate::clock::{Budget, Meter, Rare};
use crate::game::Player;
use crate::joint::{players, worth, Choices, Estimate, Joint};
use crate::rng::Rng;

use super::report::{listed, JointReport, JointSearch};
use super::strategy::Strategy;

/// Makes any legal move, each with the same probability, and looks at no state.
#[derive(Debug, Clone)]
pub struct JointRandom {
    rng: Rng,
}

impl JointRandom {
    /// A player whose moves follow from `seed`.
    pub fn new(seed: u64) -> JointRandom {
        JointRandom { rng: Rng::new(seed) }
    }
}

impl<G: Joint> JointSearch<G> for JointRandom {
    fn search(&mut self, game: &G, player: Player, _: Budget) -> JointReport<G> {
        let list = listed(game, player);
        let (strategy, best) = (Strategy::new(&list, |_| 1.0), game.random_move(player, &mut self.rng));
        let is_over = game.is_over();
        let value = if is_over { f64::from(game.payoff(player).0) } else { 0.0 };
        JointReport { best, strategy, value, nodes: 0, depth: 0, exact: is_over, kept: 0 }
    }
}

/// Replies against which each move is tried: where the opponents have few, each comes up several times.
const REPLIES: u32 = 16;

/// Tries each move once against each of 16 random replies, the same for every move, and takes the one with the best mean
/// of the estimate after the turn; ties are broken at random. A node is a turn played. A baseline, and a quick check of an
/// estimate.
#[derive(Debug, Clone)]
pub struct JointGreedy<E> {
    estimate: E,
    rng: Rng,
}

impl<E> JointGreedy<E> {
    /// A player with this estimate, whose replies and tie-breaks follow from `seed`.
    pub fn new(estimate: E, seed: u64) -> JointGreedy<E> {
        JointGreedy { estimate, rng: Rng::new(seed) }
    }

    /// A move's value after random replies; `None` once the deadline has passed.
    #[inline(always)]
    fn turn<G: Joint, const CAREFUL: bool>(
        &self,
        game: &G,
        (player, m): (Player, G::Move),
        rng: &mut Rng,
        meter: &mut Meter<16>,
    ) -> Option<f64>
    where
        E: Estimate<G>,
    {
        let mut choices = Choices::NONE.with(player, m);
        for other in players::<G>().filter(|&other| other != player) {
            if !meter.step_if::<CAREFUL>() {
                return None;
            }
            game.random_move(other, rng).into_iter().for_each(|reply| choices.set(other, reply));
        }
        let mut next = game.clone();
        next.play(&choices);
        if !meter.step_if::<CAREFUL>() {
            return None;
        }
        next.let_happen(rng);
        let is_over = next.is_over();
        if is_over && !meter.meets(Rare::END) || !meter.step_if::<CAREFUL>() {
            return None;
        }
        Some(worth(&next, &self.estimate, player, is_over))
    }

    /// The part after a look at the budget.
    #[inline(never)]
    fn turn_looked<G: Joint>(
        &self,
        game: &G,
        own: (Player, G::Move),
        rng: &mut Rng,
        meter: &mut Meter<16>,
    ) -> Option<f64>
    where
        E: Estimate<G>,
    {
        if !meter.take() {
            return None;
        }
        self.turn::<_, true>(game, own, rng, meter)
    }
}

impl<G: Joint, E: Estimate<G>> JointSearch<G> for JointGreedy<E> {
    fn search(&mut self, game: &G, player: Player, budget: Budget) -> JointReport<G> {
        let list = listed(game, player);
        if list.is_empty() {
            let is_over = game.is_over();
            return JointReport::without_moves(worth(game, &self.estimate, player, is_over), is_over);
        }
        let mut meter = Meter::<16>::new(budget);
        let now = if meter.is_in_time() { worth(game, &self.estimate, player, false) } else { 0.0 };
        let (mut best, mut expected) = (0, now);
        let seed = self.rng.next_u64();
        let (mut best_value, mut ties) = (f64::NEG_INFINITY, 0);
        'moves: for (i, &m) in list.iter().enumerate() {
            // Equal replies and outcomes for every move.
            let mut rng = Rng::new(seed);
            let mut sum = 0.0;
            for _ in 0..REPLIES {
                let found = if meter.is_due() {
                    self.turn_looked(game, (player, m), &mut rng, &mut meter)
                } else {
                    meter.add(1);
                    self.turn::<_, false>(game, (player, m), &mut rng, &mut meter)
                };
                let Some(found) = found else { break 'moves };
                sum += found;
            }
            let value = sum / f64::from(REPLIES);
            ties = if value > best_value { 1 } else { ties + u32::from(value == best_value) };
            if value > best_value || value == best_value && self.rng.below(ties) == 0 {
                best_value = value;
                (best, expected) = (i, value);
            }
        }
        JointReport {
            best: Some(list[best]),
            strategy: Strategy::pure(&list, best),
            value: expected,
            nodes: meter.nodes(),
            depth: 1,
            exact: false,
            kept: 0,
        }
    }
}
