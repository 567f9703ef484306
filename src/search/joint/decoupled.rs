//! Decoupled UCT: each player chooses by UCB1 among its own moves, whatever the others choose.

use crate::clock::Budget;
use crate::game::Player;
use crate::joint::Joint;
use crate::rng::Rng;
use crate::search::mcts::Uniform;
use crate::search::rates::Rates;
use crate::tree::Memory;

use super::chance::Widening;
use super::playout::Playout;
use super::report::{Answer, JointReport, JointSearch, Seen};
use super::rule::{mean, Arm, Choice, Node, Range, Ranges, Rule, View};
use super::tree::JointTree;

/// Parameters of decoupled UCT.
#[derive(Debug, Clone)]
pub struct DecoupledOptions {
    /// Bytes of the table of states and of the pool of their arms, allocated when the search is made: at least a few
    /// states'.
    pub memory: usize,
    /// The seed of the random numbers: the same seed gives the same answers within the same budgets of nodes.
    pub seed: u64,
    /// The constant C of UCB1 = mean + C sqrt(ln N / n), with points scaled to 0 to 1 by the least and the most seen.
    pub exploration: f32,
    /// The answer: the most visited move, or one drawn in proportion to the visits.
    pub answer: Answer,
    /// Progressive widening of moves and of chance's outcomes; `None` for none.
    pub widening: Option<Widening>,
    /// Use what earlier searches stored.
    pub keep_tree: bool,
}

impl Default for DecoupledOptions {
    fn default() -> DecoupledOptions {
        DecoupledOptions {
            memory: 64 << 20,
            seed: 0,
            exploration: 0.9,
            answer: Answer::Mode,
            widening: None,
            keep_tree: true,
        }
    }
}

/// Decoupled UCT for simultaneous moves, and Monte Carlo tree search with chance where one player chooses at a time:
/// in each state every player takes the move with its own best UCB1 (Tak, Lanctot and Winands, *Monte Carlo Tree
/// Search Variants for Simultaneous Move Games*, 2014, section III.A). For one to eight players; an iteration is a
/// node.
///
/// It finds good pure moves quickly. It need not converge to an equilibrium, and where only a mixture of moves is
/// safe, its answer can be exploited: [`Regret`](crate::search::Regret) is for that. With one chooser at a time it is
/// UCT, and converges to the best move. With [`Widening`] it is double progressive widening.
///
/// It needs games that end by themselves under random moves, or [`Estimated`](crate::search::Estimated) to cut playouts
/// off. When its memory is full, new states aren't stored and the search goes on.
///
/// ```
/// # use coppice::{Choices, Joint, List, Payoff, Player};
/// use coppice::search::{Decoupled, DecoupledOptions, JointSearch};
/// use coppice::Budget;
///
/// // Throw a die until it shows 1, which loses the sum, or stop and take it.
/// # #[derive(Clone, PartialEq)]
/// # struct Pig { sum: u8, rolls: bool, stopped: bool }
/// # impl Joint for Pig {
/// #     type Move = bool;
/// #     type Moves = List<bool, 2>;
/// #     type Outcome = u8;
/// #     const PLAYERS: usize = 1;
/// #     const MAX_POINTS: i32 = 100;
/// #     fn moves(&self, _: Player, list: &mut List<bool, 2>) {
/// #         if !self.rolls && !self.stopped {
/// #             [true, false].into_iter().filter(|&roll| !roll || self.sum < 90).for_each(|m| list.push(m));
/// #         }
/// #     }
/// #     fn play(&mut self, choices: &Choices<bool>) {
/// #         let rolls = choices.of(Player::FIRST) == Some(true);
/// #         (self.rolls, self.stopped) = (rolls, !rolls);
/// #     }
/// #     fn payoff(&self, _: Player) -> Payoff { Payoff(self.sum.into()) }
/// #     fn hash(&self) -> u64 { coppice::rng::mix(u64::from(self.sum) * 4 + u64::from(self.rolls) * 2 + u64::from(self.stopped)) }
/// fn outcome(&self, i: usize) -> Option<(u8, u32)> {
///     (self.rolls && i < 6).then_some((i as u8 + 1, 1))
/// }
/// fn happen(&mut self, face: u8) {
///     self.rolls = false;
///     (self.sum, self.stopped) = if face == 1 { (0, true) } else { (self.sum + face, false) };
/// }
/// # }
///
/// let mut search = Decoupled::new(DecoupledOptions::default());
/// let mut rolls = |sum| {
///     let report = search.search(&Pig { sum, rolls: false, stopped: false }, Player::FIRST, Budget::nodes(20_000));
///     report.best == Some(true)
/// };
/// assert!(rolls(10) && !rolls(30), "the best is to stop from 20 on");
/// ```
#[derive(Debug, Clone)]
pub struct Decoupled<G: Joint, P = Uniform>(JointTree<G, Ucb, P>);

impl<G: Joint> Decoupled<G> {
    /// A search with random playouts.
    pub fn new(options: DecoupledOptions) -> Decoupled<G> {
        Decoupled::with_playout(Uniform, options)
    }
}

impl<G: Joint, P: Playout<G>> Decoupled<G, P> {
    /// A search with playouts of its own.
    pub fn with_playout(playout: P, options: DecoupledOptions) -> Decoupled<G, P> {
        let rule = Ucb { exploration: options.exploration, rates: Rates::new() };
        let shape = (options.widening, options.keep_tree, options.answer);
        Decoupled(JointTree::new(options.memory, options.seed, rule, playout, shape))
    }

    /// The number of states stored.
    pub fn live_states(&self) -> usize {
        self.0.live()
    }
}

impl<G: Joint, P: Playout<G>> JointSearch<G> for Decoupled<G, P> {
    fn search(&mut self, game: &G, player: Player, budget: Budget) -> JointReport<G> {
        self.0.search(game, player, budget)
    }

    fn seen(&self, game: &G, player: Player) -> Option<Seen<G>> {
        self.0.seen(game, player)
    }

    fn memory(&self) -> Option<Memory> {
        Some(self.0.memory())
    }
}

/// UCB1 for each player by itself.
#[derive(Debug, Clone)]
struct Ucb {
    exploration: f32,
    rates: Rates,
}

impl Rule for Ucb {
    const BY_ARM: bool = true;

    #[inline(always)]
    fn choose<M: Copy + Default>(&self, node: &Node<'_, M>, range: Range, rng: &mut Rng) -> Choice {
        let (least, most) = node.span;
        let scale = if most > least { 1.0 / (most - least) } else { 0.0 };
        let width = self.exploration * self.rates.of(node.visits).growth;
        let (mut best, mut best_value, mut untried) = (0, f32::NEG_INFINITY, 0);
        for (i, arm) in (0..).zip(node.arms(range)) {
            untried += u32::from(arm.visits == 0);
            let value = (arm.mean - least) * scale + width * self.rates.of(arm.visits).width;
            (best, best_value) = if value > best_value { (i, value) } else { (best, best_value) };
        }
        if untried > 0 {
            // Drawn, and not the first: players that try their moves in step would only see the diagonal.
            let n = rng.below(untried) as usize;
            let mut fresh = (0..).zip(node.arms(range)).filter(|(_, arm)| arm.visits == 0);
            best = fresh.nth(n).map_or(best, |(i, _)| i);
        }
        Choice { arm: usize::from(range.first) + best, explores: false }
    }

    fn weight<M>(&self, arm: &Arm<M>) -> f64 {
        f64::from(arm.visits)
    }

    fn value<M: Copy + Default>(&self, node: &View<'_, M>, _: &Ranges, range: Range) -> f64 {
        mean(node, range)
    }
}
