//! Flat Monte Carlo search: the moves of the root, random playouts, no tree.

use crate::clock::{Budget, Meter};
use crate::cpu::{self, Cpu, Task};
use crate::game::{Game, Payoff, Player};
use crate::list::Moves;
use crate::math;
use crate::rng::Rng;
use crate::score::Score;
use crate::search::report::{Report, Search};

/// The seed, and how playouts are shared among the moves.
#[derive(Debug, Clone)]
pub struct FlatOptions {
    /// The seed of the random numbers: the same seed gives the same answers within the same budgets of nodes.
    pub seed: u64,
    /// The constant C of UCB1 = mean + C sqrt(ln N / n), with rewards in 0 to 1 (Auer, Cesa-Bianchi
    /// and Fischer, *Finite-time Analysis of the Multiarmed Bandit Problem*, 2002; √2 there).
    /// Infinity gives each move the same number of playouts.
    pub exploration: f32,
}

impl Default for FlatOptions {
    fn default() -> FlatOptions {
        FlatOptions { seed: 0, exploration: 0.9 }
    }
}

/// A move of the root.
#[derive(Debug, Clone, Copy)]
struct Arm<M> {
    m: M,
    visits: u32,
    /// The sum of rewards.
    sum: i64,
}

impl<M> Arm<M> {
    fn mean(&self) -> f64 {
        self.sum as f64 / f64::from(self.visits.max(1))
    }
}

/// Flat Monte Carlo search, for any number of players: it keeps the results of random playouts for each move
/// of the root, and nothing below the root or from one search to the next. A node is a playout.
///
/// The answer is the move with the best mean. That converges to the best move against an opponent who plays
/// at random, not to the best move; it needs almost no memory and no bookkeeping.
///
/// For two players or more a win's reward is 1, a draw's 0, a loss's -1; for one player it is the payoff,
/// scaled for UCB1 by the least and the largest of this search.
#[derive(Debug, Clone)]
pub struct Flat<G: Game> {
    options: FlatOptions,
    rng: Rng,
    /// In the order of the moves; room for as many as a position can have.
    arms: Vec<Arm<G::Move>>,
    meter: Meter<16>,
}

impl<G: Game> Flat<G> {
    /// A search with room for the moves of any position.
    pub fn new(options: FlatOptions) -> Flat<G> {
        let most = G::Moves::ranks().as_mut().len();
        Flat {
            rng: Rng::new(options.seed),
            options,
            arms: Vec::with_capacity(most),
            meter: Meter::new(Budget::nodes(0)),
        }
    }

    #[inline(always)]
    fn play<C: Cpu>(&mut self, _cpu: C, game: &G, meter: &mut Meter<16>) {
        let player = game.to_move();
        // The least and the largest reward so far.
        let (mut least, mut most) = if G::PLAYERS == 1 { (i64::MAX, i64::MIN) } else { (-1, 1) };
        while meter.take() {
            let i = self.select(meter.nodes() - 1, least, most);
            let state = game.after(self.arms[i].m);
            let payoff = match meter.is_careful() {
                true => self.play_out_carefully(state, player, meter),
                false => self.play_out::<false>(state, player, meter),
            };
            let Some(payoff) = payoff else { return };
            let reward = i64::from(if G::PLAYERS == 1 { payoff.0 } else { payoff.sign() });
            (least, most) = (least.min(reward), most.max(reward));
            let arm = &mut self.arms[i];
            arm.visits += 1;
            arm.sum += reward;
        }
    }

    /// The payoff of a random playout; `None` if the deadline passed.
    #[inline(always)]
    fn play_out<const CAREFUL: bool>(
        &mut self,
        mut state: G,
        player: Player,
        meter: &mut Meter<16>,
    ) -> Option<Payoff> {
        while let Some(m) = state.random_move(&mut self.rng) {
            if !meter.step_if::<CAREFUL>() {
                return None;
            }
            state.play(m);
        }
        meter.step_if::<CAREFUL>().then(|| state.payoff(player))
    }

    #[inline(never)]
    fn play_out_carefully(&mut self, state: G, player: Player, meter: &mut Meter<16>) -> Option<Payoff> {
        self.play_out::<true>(state, player, meter)
    }

    /// The move for a playout after `total` others.
    #[inline(always)]
    fn select(&self, total: u64, least: i64, most: i64) -> usize {
        let arms = self.arms.len() as u64;
        if total < arms || self.options.exploration == f32::INFINITY {
            return (total % arms) as usize;
        }
        let bonus = self.options.exploration * math::ln(total as f32).sqrt();
        let span = 1.0 / (most - least).max(1) as f32;
        let value = |arm: &Arm<G::Move>| {
            let share = 1.0 / arm.visits as f32;
            (arm.sum as f32 * share - least as f32) * span + bonus * share.sqrt()
        };
        let (mut best, mut best_value) = (0, f32::NEG_INFINITY);
        for (i, arm) in self.arms.iter().enumerate() {
            let value = value(arm);
            if value > best_value {
                (best, best_value) = (i, value);
            }
        }
        best
    }
}

struct Play<'a, G: Game> {
    search: &'a mut Flat<G>,
    game: &'a G,
    meter: &'a mut Meter<16>,
}

impl<G: Game> Task for Play<'_, G> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        self.search.play(cpu, self.game, self.meter);
    }
}

impl<G: Game> Search<G> for Flat<G> {
    fn search(&mut self, game: &G, budget: Budget) -> Report<G::Move> {
        let mut list = G::Moves::default();
        game.moves(&mut list);
        self.arms.clear();
        self.arms.extend(list.iter().map(|&m| Arm { m, visits: 0, sum: 0 }));
        let mut meter = self.meter.again(budget);
        // In thousandths, as in Monte Carlo tree search; the payoff itself for one player.
        let unit = if G::PLAYERS == 1 { 1.0 } else { 1000.0 };
        if list.is_empty() {
            let payoff = game.payoff(game.to_move());
            let is_one = G::PLAYERS == 1;
            return Report::ended(if is_one { Score::estimate(payoff.0) } else { Score::ended(payoff) });
        }
        cpu::dispatch(Play { search: self, game, meter: &mut meter });
        self.meter = meter;
        let mut best = &self.arms[0];
        for arm in self.arms.iter().filter(|arm| arm.visits > 0) {
            if arm.mean() > best.mean() {
                best = arm;
            }
        }
        let score = Score::estimate((best.mean() * unit) as i32);
        Report {
            best: Some(best.m),
            score,
            nodes: self.meter.nodes(),
            depth: 1,
            solved: false,
            restarted: false,
        }
    }
}
