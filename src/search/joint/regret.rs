//! Simultaneous-move Monte Carlo tree search by regret matching, which answers with a mixed strategy.

use crate::clock::Budget;
use crate::game::Player;
use crate::joint::Joint;
use crate::rng::Rng;
use crate::search::mcts::Uniform;
use crate::tree::Memory;

use super::chance::Widening;
use super::playout::{Playout, Points};
use super::report::{Answer, JointReport, JointSearch, Seen};
use super::rule::{mean, Arm, Choice, JointArms, Node, Range, Ranges, Rule, View, NO_ARM};
use super::tree::JointTree;

/// Parameters of regret matching.
#[derive(Debug, Clone)]
pub struct RegretOptions {
    /// Bytes of the table of states and of the pool of their arms, allocated when the search is made: at least a few
    /// states'.
    pub memory: usize,
    /// The seed of the random numbers: the same seed gives the same answers within the same budgets of nodes.
    pub seed: u64,
    /// γ: the probability with which a player makes any move, in place of one by its regrets.
    pub exploration: f32,
    /// The answer: a move drawn from the strategy, or the most probable one.
    pub answer: Answer,
    /// The most pairs of moves for which a state keeps the mean result of each pair. In states with more, and where
    /// three or more players have moves, regrets are estimated from the moves made: less memory, more noise.
    pub max_pairs: usize,
    /// Progressive widening of moves and of chance's outcomes; `None` for none.
    pub widening: Option<Widening>,
    /// Use what earlier searches stored.
    pub keep_tree: bool,
}

impl Default for RegretOptions {
    fn default() -> RegretOptions {
        RegretOptions {
            memory: 64 << 20,
            seed: 0,
            exploration: 0.2,
            answer: Answer::Drawn,
            max_pairs: 256,
            widening: None,
            keep_tree: true,
        }
    }
}

/// Simultaneous-move Monte Carlo tree search with regret matching (Lanctot, Lisý and Winands, *Monte Carlo Tree
/// Search in Simultaneous Move Games with Applications to Goofspiel*, 2014, section 3.3, after Hart and
/// Mas-Colell). An iteration is a node.
///
/// Each player keeps for each of its moves the regret not to have made it, and makes moves in proportion to positive
/// regrets. For two players the mean of these strategies approaches an equilibrium of each state's moves: no
/// opponent can gain against it. It is the report's [`strategy`](JointReport::strategy). For three to eight players
/// that isn't guaranteed.
///
/// Regrets never fall below 0, and later strategies count more in the mean (regret matching+: Tammelin, *Solving
/// Large Imperfect Information Games Using CFR+*, 2014). Moves made to explore don't spoil what is learnt: the other
/// player's regrets ignore them, and the states before get the state's value in place of what they led to.
///
/// ```
/// # use coppice::{Choices, Joint, List, Payoff, Player};
/// use coppice::search::{JointSearch, Regret, RegretOptions};
/// use coppice::Budget;
///
/// // Each calls 0 or 1. The first player wins 2 if both call 1, 1 if both call 0; otherwise the second wins 1.
/// # #[derive(Clone, PartialEq)]
/// # struct Pennies(Option<i32>);
/// # impl Joint for Pennies {
/// #     type Move = bool;
/// #     type Moves = List<bool, 2>;
/// #     type Outcome = ();
/// #     const MAX_POINTS: i32 = 2;
/// #     fn moves(&self, _: Player, list: &mut List<bool, 2>) {
/// #         if self.0.is_none() {
/// #             [false, true].into_iter().for_each(|m| list.push(m));
/// #         }
/// #     }
/// #     fn play(&mut self, choices: &Choices<bool>) {
/// #         let [a, b] = [Player::FIRST, Player::SECOND].map(|player| choices.of(player) == Some(true));
/// #         self.0 = Some(if a != b { -1 } else { 1 + i32::from(a) });
/// #     }
/// #     fn payoff(&self, player: Player) -> Payoff {
/// #         Payoff(self.0.unwrap_or(0) * if player == Player::FIRST { 1 } else { -1 })
/// #     }
/// #     fn hash(&self) -> u64 { coppice::rng::mix((self.0.unwrap_or(9) + 9) as u64) }
/// # }
/// let mut search = Regret::new(RegretOptions::default());
/// let report = search.search(&Pennies(None), Player::FIRST, Budget::nodes(100_000));
/// assert!((report.strategy.probability(true) - 0.4).abs() < 0.02, "{report:?}");
/// assert!((report.value - 0.2).abs() < 0.02, "{report:?}");
/// ```
#[derive(Debug, Clone)]
pub struct Regret<G: Joint, P = Uniform>(JointTree<G, Matching, P>);

impl<G: Joint> Regret<G> {
    /// A search with random playouts.
    pub fn new(options: RegretOptions) -> Regret<G> {
        Regret::with_playout(Uniform, options)
    }
}

impl<G: Joint, P: Playout<G>> Regret<G, P> {
    /// A search with playouts of its own.
    pub fn with_playout(playout: P, options: RegretOptions) -> Regret<G, P> {
        // Items are counted in 16 bits.
        let max_pairs = options.max_pairs.min(1 << 15);
        let rule = Matching { exploration: options.exploration, max_pairs };
        let shape = (options.widening, options.keep_tree, options.answer);
        Regret(JointTree::new(options.memory, options.seed, rule, playout, shape))
    }

    /// The number of states stored.
    pub fn live_states(&self) -> usize {
        self.0.live()
    }
}

impl<G: Joint, P: Playout<G>> JointSearch<G> for Regret<G, P> {
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

/// Regret matching for each player.
#[derive(Debug, Clone)]
struct Matching {
    exploration: f32,
    max_pairs: usize,
}

/// A strategy by regrets: a move's probability is regret · scale, or the same for all of them.
#[derive(Clone, Copy)]
struct Matched {
    scale: f32,
    uniform: f32,
}

impl Matched {
    #[inline(always)]
    fn of<M: Copy + Default>(node: &Node<'_, M>, range: Range) -> Matched {
        let sum: f32 = (0..range.len).map(|i| node.get(usize::from(range.first + i)).regret).sum();
        if sum > 0.0 {
            Matched { scale: 1.0 / sum, uniform: 0.0 }
        } else {
            Matched { scale: 0.0, uniform: 1.0 / f32::from(range.len) }
        }
    }

    #[inline(always)]
    fn probability<M>(self, arm: &Arm<M>) -> f32 {
        arm.regret * self.scale + self.uniform
    }
}

impl Matching {
    /// Means of the pairs of moves are the payoffs of a matrix game (Lanctot and others, algorithm 1): the regret of
    /// a move is what it would have brought against the other's move, less what the player's strategy brings against
    /// it. A move that the other made to explore teaches nothing about the other's strategy.
    #[inline(always)]
    fn learn_pairs<M: Copy + Default>(
        &self,
        node: &mut Node<'_, M>,
        ranges: &Ranges,
        (arms, explorers): JointArms<'_>,
        points: &Points,
    ) {
        let [first, ref rest @ ..] = *ranges.each() else { return };
        let second = rest.first().copied();
        let columns = second.map_or(1, |range| usize::from(range.len));
        let place = |range: Range| usize::from(arms[usize::from(range.player)] - range.first);
        let (row, column) = (place(first), second.map_or(0, place));
        let cell = |row: usize, column: usize| ranges.cells + row * columns + column;
        let taken = node.get_mut(cell(row, column));
        // The n-th result counts n times: the first ones come from playouts, later ones from what the search has
        // learnt. It halves the exploitability of Oshi-Zumo after 100,000 iterations.
        let part = 2.0 / (taken.visits as f32 + 2.0);
        taken.visits += 1;
        taken.mean += (points[usize::from(first.player)] as f32 - taken.mean) * part;
        let own = second.map_or(0.0, |range| points[usize::from(range.player)] as f32);
        taken.regret += (own - taken.regret) * part;
        let explored = |range: Range| explorers >> range.player & 1 == 1;
        if !second.is_some_and(explored) {
            self.learn_range(node, first, |i| cell(i, column), |arm| arm.mean);
        }
        if let Some(second) = second.filter(|_| !explored(first)) {
            self.learn_range(node, second, |j| cell(row, j), |arm| arm.regret);
        }
    }

    /// Adds to a player's regrets, given the cells of its moves and where its points are in them.
    #[inline(always)]
    fn learn_range<M: Copy + Default>(
        &self,
        node: &mut Node<'_, M>,
        range: Range,
        cell: impl Fn(usize) -> usize,
        points: impl Fn(&Arm<M>) -> f32,
    ) {
        self.average(node, range);
        let matched = Matched::of(node, range);
        let first = usize::from(range.first);
        let (mut base, mut weight) = (0.0, 0.0);
        for i in 0..usize::from(range.len) {
            let other = node.get(cell(i));
            if other.visits > 0 {
                let share = matched.probability(node.get(first + i));
                base += share * points(other);
                weight += share;
            }
        }
        // Pairs that were never played count as the mean of the others.
        base /= if weight > 0.0 { weight } else { 1.0 };
        for i in (0..usize::from(range.len)).filter(|_| weight > 0.0) {
            let other = node.get(cell(i));
            if other.visits > 0 {
                let by = points(other) - base;
                regret(node.get_mut(first + i), by);
            }
        }
    }

    /// Estimates regrets from the move made, weighted by its probability, with the moves' means as control variates
    /// (Schmid and others, *Variance Reduction in Monte Carlo Counterfactual Regret Minimization*, 2019, section 4).
    #[inline(always)]
    fn learn_sampled<M: Copy + Default>(
        &self,
        node: &mut Node<'_, M>,
        range: Range,
        taken: usize,
        points: f32,
    ) {
        let matched = Matched::of(node, range);
        let (gamma, count) = (self.exploration, f32::from(range.len));
        let arms = || usize::from(range.first)..usize::from(range.first + range.len);
        let arm = node.get(taken);
        let probability = (1.0 - gamma) * matched.probability(arm) + gamma / count;
        let known = if arm.visits > 0 { arm.mean } else { points };
        let surprise = (points - known) / probability;
        let mut value = matched.probability(arm) * surprise;
        let mut weight = 0.0;
        for i in arms() {
            let arm = node.get(i);
            if arm.visits > 0 || i == taken {
                let mean = if i == taken { known } else { arm.mean };
                value += matched.probability(arm) * mean;
                weight += matched.probability(arm);
            }
        }
        // Moves that were never made count as the mean of the others.
        let mean = if weight > 0.0 {
            (value - matched.probability(node.get(taken)) * surprise) / weight
        } else {
            points
        };
        value += (1.0 - weight) * mean;
        self.average(node, range);
        for i in arms() {
            let arm = node.get_mut(i);
            let own = match arm.visits {
                _ if i == taken => known + surprise,
                0 => mean,
                _ => arm.mean,
            };
            regret(arm, own - value);
        }
    }

    /// Adds the present strategy to the mean one, in which the n-th counts n times.
    #[inline(always)]
    fn average<M: Copy + Default>(&self, node: &mut Node<'_, M>, range: Range) {
        let matched = Matched::of(node, range);
        let part = 2.0 / (node.visits as f32 + 1.0);
        for i in usize::from(range.first)..usize::from(range.first + range.len) {
            let arm = node.get_mut(i);
            arm.share += (matched.probability(arm) - arm.share) * part;
        }
    }
}

/// Adds to a move's regret, which never falls below 0.
#[inline(always)]
fn regret<M>(arm: &mut Arm<M>, by: f32) {
    arm.regret = (arm.regret + by).max(0.0);
}

impl Rule for Matching {
    fn cells(&self, arms: &[usize]) -> usize {
        let choosers = arms.iter().filter(|&&count| count > 0).count();
        let pairs = arms.iter().filter(|&&count| count > 0).product::<usize>();
        if choosers <= 2 && pairs <= self.max_pairs {
            pairs
        } else {
            0
        }
    }

    #[inline(always)]
    fn choose<M: Copy + Default>(&self, node: &Node<'_, M>, range: Range, rng: &mut Rng) -> Choice {
        // 24 bits decide on exploration, 24 others on the move.
        let bits = rng.next_u64();
        let unit = |bits: u64| (bits & 0xff_ffff) as f32 / (1 << 24) as f32;
        let first = usize::from(range.first);
        let matched = Matched::of(node, range);
        let explores = unit(bits) < self.exploration;
        if matched.scale == 0.0 || explores {
            return Choice { arm: first + (((bits >> 40) * u64::from(range.len)) >> 24) as usize, explores };
        }
        let mut ticket = unit(bits >> 40);
        let mut last = first;
        for i in first..first + usize::from(range.len) {
            let share = matched.probability(node.get(i));
            if share > 0.0 {
                last = i;
                if ticket < share {
                    break;
                }
                ticket -= share;
            }
        }
        Choice { arm: last, explores: false }
    }

    #[inline(always)]
    fn learn<M: Copy + Default>(
        &self,
        node: &mut Node<'_, M>,
        (arms, explorers): JointArms<'_>,
        points: &Points,
    ) {
        let ranges = &node.ranges();
        if ranges.cells < node.block.len() {
            self.learn_pairs(node, ranges, (arms, explorers), points);
        } else {
            // A player alone in exploring learns; the others would learn from a move that isn't by strategy.
            for &range in ranges.each().iter().filter(|range| explorers & !(1 << range.player) == 0) {
                let taken = usize::from(arms[usize::from(range.player)]);
                self.learn_sampled(node, range, taken, points[usize::from(range.player)] as f32);
            }
        }
        for (&i, &own) in arms.iter().zip(points).filter(|(&i, _)| i != NO_ARM) {
            node.get_mut(usize::from(i)).add(own as f32);
        }
    }

    fn hides_exploration(&self) -> bool {
        true
    }

    fn weight<M>(&self, arm: &Arm<M>) -> f64 {
        // A move that was never made may be one that isn't open yet.
        f64::from(if arm.visits > 0 { arm.share } else { 0.0 })
    }

    /// The value of the pairs' means under both mean strategies; without pairs, of the moves' means.
    fn value<M: Copy + Default>(&self, node: &View<'_, M>, ranges: &Ranges, range: Range) -> f64 {
        let (mut sum, mut weight) = (0.0, 0.0);
        let mut add = |share: f64, visits: u32, mean: f32| {
            if visits > 0 {
                sum += share * f64::from(mean);
                weight += share;
            }
        };
        let arm = |range: Range, i: usize| node.get(usize::from(range.first) + i);
        let places = |range: Range| 0..usize::from(range.len);
        match *ranges.each() {
            [] => return 0.0,
            [first, ref rest @ ..] if ranges.cells < node.block.len() => {
                let second = rest.first().copied();
                let columns = second.map_or(1, |range| usize::from(range.len));
                for (row, column) in
                    places(first).flat_map(|row| (0..columns).map(move |column| (row, column)))
                {
                    let cell = node.get(ranges.cells + row * columns + column);
                    let other = second.map_or(1.0, |range| f64::from(arm(range, column).share));
                    let mean = if range.player == first.player { cell.mean } else { cell.regret };
                    add(f64::from(arm(first, row).share) * other, cell.visits, mean);
                }
            }
            _ => places(range)
                .map(|i| arm(range, i))
                .for_each(|arm| add(arm.share.into(), arm.visits, arm.mean)),
        }
        if weight > 0.0 {
            sum / weight
        } else {
            mean(node, range)
        }
    }
}
