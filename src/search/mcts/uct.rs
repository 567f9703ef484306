//! Monte Carlo search on a tree: each iteration descends by UCB1, plays out and backs up the result.

use crate::clock::{Budget, Meter, Rare};
use crate::cpu::{self, Cpu, Task};
use crate::game::{Game, Player};
use crate::list::{copied, List, Moves};
use crate::pool::{check_moves, Block, NodeId, Pool};
use crate::rng::Rng;
use crate::search::keep::{keep, TreeReuse};
use crate::search::rates::Rates;
use crate::search::report::{Report, Search};
use crate::tree::Tree;
use crate::tree::LINE;

use super::bounds::Bounds;
use super::choice::{answer, Best, Candidate};
use super::options::{MctsOptions, MAX_PATH, WIN};
use super::policy::{Policy, Uniform};
use super::result::{self, Answers, Found};
use super::solo::{arrange, play_out, prior, Solo};

/// A node's statistics, from the point of view of the player who chose it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stats<M, X> {
    pub(super) visits: u32,
    /// The sum of rewards, an `i64` in two halves: which avoids the 8-byte alignment of an `i64`.
    sum: [u32; 2],
    pub(super) m: M,
    pub(super) bounds: Bounds,
    prior: X,
}

impl<M: Default, X: Default> Default for Stats<M, X> {
    fn default() -> Stats<M, X> {
        Stats { visits: 0, sum: [0; 2], m: M::default(), bounds: Bounds::OPEN, prior: X::default() }
    }
}

impl<M, X> Stats<M, X> {
    #[inline(always)]
    pub(super) fn sum(&self) -> i64 {
        (u64::from(self.sum[0]) | u64::from(self.sum[1]) << 32) as i64
    }

    #[inline(always)]
    fn add(&mut self, reward: i32) {
        let sum = (self.sum() + i64::from(reward)) as u64;
        self.sum = [sum as u32, (sum >> 32) as u32];
        self.visits += 1;
    }

    /// The mean reward of the player who chose the node; for two and more exact where the result is proven.
    pub(super) fn mean<G: Game>(&self, chooser: Player) -> f64 {
        if G::PLAYERS > 1 && self.bounds.is_closed::<G>() {
            f64::from(self.bounds.view::<G>(chooser).0) * f64::from(WIN)
        } else {
            self.sum() as f64 / f64::from(self.visits.max(1))
        }
    }
}

/// Monte Carlo tree search with playouts, at random to the end of the game unless a [`Policy`] says
/// otherwise.
///
/// Each iteration descends by UCB1, expands the leaf it reaches if that was visited before, plays out and
/// backs up the result. For up to eight players: each node keeps the rewards of the player who chose it. When
/// the pool is full, leaves are no longer expanded and the search goes on.
///
/// For one player, payoffs are scaled by the range of those seen, the answer is the first move of the best
/// line that was played to the end, and the tree is kept only along that line.
///
/// ```
/// # mod nim { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/examples/nim.rs")); }
/// use coppice::search::{Mcts, MctsOptions};
/// use coppice::{Budget, Player, Search};
/// # use nim::{Even, Nim};
///
/// let mut search = Mcts::new(MctsOptions::default());
/// let report = search.search(&Nim::<2>(6, Player::FIRST), Budget::nodes(10_000));
/// assert_eq!(report.best, Some(2), "four stones lose for the opponent");
/// ```
#[derive(Debug, Clone)]
pub struct Mcts<G: Game, P: Policy<G> = Uniform> {
    options: MctsOptions,
    policy: P,
    pub(super) pool: Pool<Stats<G::Move, P::Prior>>,
    rng: Rng,
    /// The game at the root.
    pub(super) game: Option<G>,
    /// The path of an iteration, and who chose each node.
    path: Vec<(NodeId, Player)>,
    /// UCB1's terms for small numbers of visits.
    rates: Rates,
    /// Nothing below the root can change its value.
    settled: bool,
    /// The policy excludes some of the root's moves.
    is_partial: bool,
    solo: Solo<G::Move>,
    meter: Meter<16>,
}

impl<G: Game> Mcts<G> {
    /// A search with random playouts.
    pub fn new(options: MctsOptions) -> Mcts<G> {
        Mcts::with_policy(Uniform, options)
    }
}

impl<G: Game, P: Policy<G>> Mcts<G, P> {
    /// A search with a policy.
    pub fn with_policy(policy: P, options: MctsOptions) -> Mcts<G, P> {
        check_moves::<<G::Moves as Moves<G::Move>>::Ranks>();
        Mcts {
            policy,
            pool: Pool::with_bytes(options.memory),
            rng: Rng::new(options.seed),
            options,
            game: None,
            path: Vec::with_capacity(MAX_PATH),
            rates: Rates::new(),
            settled: false,
            is_partial: false,
            solo: Solo::new(G::PLAYERS),
            meter: Meter::new(Budget::nodes(0)),
        }
    }

    /// The bytes of one node.
    pub const NODE_BYTES: usize = Pool::<Stats<G::Move, P::Prior>>::NODE_BYTES;

    /// Nodes in the tree.
    pub fn live_nodes(&self) -> usize {
        self.pool.live()
    }

    /// The policy.
    pub fn policy(&self) -> &P {
        &self.policy
    }

    /// Makes `game` the root: with the last search's subtree, if the position is a few moves below the old
    /// root, or else with an empty tree. Returns [`Report::restarted`], and the first move if the root has no children.
    fn settle(&mut self, game: &G, budget: &Budget) -> (bool, Option<G::Move>) {
        let last = self.game.as_ref().filter(|_| self.options.keep_tree);
        let line = &self.solo.line;
        // For one player, the values of closed nodes are stored only for the best line.
        let enter = |plies, stats: &Stats<G::Move, P::Prior>| {
            (G::PLAYERS > 1 || line.get(plies) == Some(&stats.m)).then_some(stats.m)
        };
        let kept = keep(&mut self.pool, last, game, budget, enter);
        match kept {
            TreeReuse::Subtree { plies } => drop(self.solo.line.drain(..plies.min(self.solo.line.len()))),
            TreeReuse::Nothing { .. } => self.solo.clear(),
        }
        self.game = Some(game.clone());
        (kept.restarted(), self.open_root(game))
    }

    /// Gives the root its children, lets the policy choose among them, and updates the bounds. Returns the first move if
    /// that failed.
    fn open_root(&mut self, game: &G) -> Option<G::Move> {
        let root = self.pool.root();
        let is_new = self.pool.children(root).is_empty();
        let mut list = G::Moves::default();
        if is_new || self.meter.is_in_time() {
            game.moves(&mut list);
        }
        let first = list.first().copied();
        if is_new && self.unfold(root, game, &mut copied(&list), None).is_none() && self.meter.step() {
            // The kept tree fills the whole pool and its root can't be expanded: start a new tree.
            self.pool.clear();
            self.unfold(root, game, &mut copied(&list), None);
        }
        if !self.meter.is_in_time() {
            // The kept selection stays.
            self.settled = self.is_settled(game.to_move());
            return first;
        }
        let count = match list.len() {
            0 => 0,
            _ => self.policy.preselect(game, &mut list, &mut self.rng).clamp(1, list.len()),
        };
        let was_partial = self.is_partial;
        self.is_partial = count < list.len();
        if was_partial || self.is_partial {
            for child in self.pool.children(root).iter() {
                let stats = *self.pool.get(child);
                if !list[..count].contains(&stats.m) {
                    self.pool.get_mut(child).bounds = Bounds::ABSENT;
                } else if stats.bounds == Bounds::ABSENT && self.meter.step() {
                    let bounds = self.bounds(child, game.after(stats.m).to_move(), game.to_move());
                    self.pool.get_mut(child).bounds = bounds;
                }
            }
        }
        if self.options.proofs {
            let bounds = self.bounds(root, game.to_move(), game.to_move());
            self.pool.get_mut(root).bounds = bounds;
        }
        self.settled = self.is_settled(game.to_move());
        first
    }

    /// A node's bounds, derived from its children's.
    fn bounds(&self, id: NodeId, mover: Player, chooser: Player) -> Bounds {
        let children = self.pool.children(id);
        if children.is_empty() || !self.options.proofs {
            return Bounds::OPEN;
        }
        let known = self.pool.each(children).map(|stats| (stats.bounds, G::move_index(stats.m)));
        Bounds::of::<G>(known, mover, chooser)
    }

    /// Whether nothing below the root can change its value to the player to move.
    fn is_settled(&self, mover: Player) -> bool {
        let root = self.pool.root();
        let mut children = self.pool.each(self.pool.children(root));
        self.pool.get(root).bounds.is_closed::<G>()
            || G::PLAYERS > 2 && children.any(|stats| stats.bounds.view::<G>(mover).0 > 0)
    }

    #[inline(always)]
    fn grow<C: Cpu>(&mut self, _cpu: C, game: &G) {
        if self.pool.children(self.pool.root()).is_empty() {
            return;
        }
        while !self.settled && self.meter.take() {
            if self.meter.is_careful() || !self.iterate::<false>(game.clone()) {
                self.iterate_carefully(game.clone());
            }
        }
    }

    #[inline(never)]
    fn iterate_carefully(&mut self, state: G) {
        let _ = self.iterate::<true>(state);
    }

    /// One iteration: descent, playout and back-up; without the latter if the deadline passed. False if it is to be
    /// repeated with care.
    #[inline(always)]
    fn iterate<const CAREFUL: bool>(&mut self, mut state: G) -> bool {
        let mut id = self.pool.root();
        let mut chooser = state.to_move();
        self.path.clear();
        self.path.push((id, chooser));
        loop {
            let mover = state.to_move();
            let children = self.pool.children(id);
            let child = if !children.is_empty() {
                self.select(id, children, mover, chooser)
            } else if self.pool.get(id).visits < self.options.expand_after || self.path.len() == MAX_PATH {
                break;
            } else if !self.meter.meets_if::<CAREFUL>(Rare::FIRST_LIST) {
                return CAREFUL;
            } else if let Some(block) = self.expand(id, &state, None) {
                block.get(0)
            } else {
                break;
            };
            if !self.meter.step_if::<CAREFUL>() {
                return true;
            }
            state.play(self.pool.get(child).m);
            self.path.push((child, mover));
            (id, chooser) = (child, mover);
        }
        let limit = self.policy.limit();
        self.solo.begin();
        let (mut plies, mut inside) = (0, 0);
        if self.options.rollout_expand > 0 {
            (plies, inside) = self.extend::<CAREFUL>(id, &mut state, limit);
        }
        let (policy, rng, solo) = (&mut self.policy, &mut self.rng, &mut self.solo);
        let is_over = play_out::<_, _, CAREFUL>(policy, rng, solo, &mut state, &mut plies, &mut self.meter);
        let Some(is_over) = is_over else { return true };
        if !self.meter.rewards_if::<CAREFUL>(is_over, G::PLAYERS) {
            return CAREFUL;
        }
        let rewards = self.policy.rewards(&state, plies, is_over);
        for &(id, chooser) in &self.path {
            self.pool.get_mut(id).add(rewards.of(chooser));
        }
        if !self.meter.steps_if::<CAREFUL>(G::PLAYERS) {
            return true;
        }
        if let Some(payoff) = self.solo.judge(&state, &rewards, is_over) {
            self.solo.remember(payoff, self.path[1..].iter().map(|&(id, _)| self.pool.get(id).m));
        }
        if is_over && plies == inside && self.options.proofs {
            self.prove(&state);
        }
        true
    }

    /// Adds the first moves of a playout to the tree, while there is room. Returns the number of moves made,
    /// and of nodes added.
    fn extend<const CAREFUL: bool>(&mut self, leaf: NodeId, state: &mut G, limit: u32) -> (u32, u32) {
        let mut id = leaf;
        let mut plies = 0;
        while plies < limit.min(self.options.rollout_expand)
            && self.path.len() < MAX_PATH
            && self.pool.children(id).is_empty()
        {
            if !self.meter.step_if::<CAREFUL>() {
                break;
            }
            let Some(m) = self.policy.next(state, plies, &mut self.rng) else { break };
            if !self.meter.meets_if::<CAREFUL>(Rare::FIRST_LIST) {
                break;
            }
            let block = self.expand(id, state, Some(m));
            let mover = state.to_move();
            state.play(m);
            plies += 1;
            let Some(block) = block else {
                self.solo.note::<G>(m);
                return (plies, plies - 1);
            };
            id = block.get(0);
            self.path.push((id, mover));
        }
        (plies, plies)
    }

    /// Gives a leaf its children in the policy's order, but `first` before the others. `None` if the
    /// game is over there, the pool is full, or the deadline passed.
    #[inline(always)]
    fn expand(&mut self, id: NodeId, state: &G, first: Option<G::Move>) -> Option<Block> {
        let mut list = G::Moves::default();
        state.moves(&mut list);
        self.unfold(id, state, &mut list, first)
    }

    /// Unfolds a node whose moves are listed already.
    #[inline(always)]
    fn unfold(
        &mut self,
        id: NodeId,
        state: &G,
        moves: &mut [G::Move],
        first: Option<G::Move>,
    ) -> Option<Block> {
        let block = self.pool.expand(id, moves.len())?;
        arrange(&mut self.policy, &mut self.rng, state, moves, first);
        for (child, &m) in block.iter().zip(moves.iter()) {
            let Some(prior) = prior(&mut self.policy, state, m, &mut self.meter) else {
                self.pool.prune(id);
                return None;
            };
            let stats = self.pool.get_mut(child);
            (stats.m, stats.prior) = (m, prior);
        }
        Some(block)
    }

    /// Selects among the children that can still change the node's value: the best UCB1, or the first that
    /// has not been tried.
    #[inline(always)]
    fn select(&mut self, id: NodeId, children: Block, mover: Player, chooser: Player) -> NodeId {
        let stats = self.pool.get(id);
        let visits = stats.visits;
        let certain = stats.bounds.certain::<G>(chooser == mover);
        // For three players and more: moves with a higher code than a proven win don't matter.
        let wins = |stats: &&Stats<G::Move, P::Prior>| stats.bounds.view::<G>(mover).0 > 0;
        let last = match G::PLAYERS {
            0..=2 => u16::MAX,
            _ => self
                .pool
                .each(children)
                .filter(wins)
                .map(|stats| G::move_index(stats.m))
                .min()
                .unwrap_or(u16::MAX),
        };
        let scale = self.options.exploration * self.rates.of(visits).growth;
        let (mut best, mut fresh, mut tried) = (Best::NONE, Best::NONE, 0);
        for (i, stats) in (0..).zip(self.pool.each(children)) {
            if !stats.bounds.matters::<G>(certain) || G::PLAYERS > 2 && G::move_index(stats.m) > last {
                continue;
            }
            let bonus = self.policy.bonus(stats.prior, visits, stats.visits);
            if stats.visits == 0 {
                fresh.offer(self.options.first_play_urgency + bonus, i);
                if size_of::<P::Prior>() == 0 {
                    // Moves are tried in order, so the rest is untried as well.
                    break;
                }
                continue;
            }
            tried += 1;
            let rate = self.rates.of(stats.visits);
            let mean = match G::PLAYERS {
                1 => self.solo.share(stats.sum() as f32 * rate.share),
                _ => 0.5 + stats.sum() as f32 * (0.5 / WIN as f32) * rate.share,
            };
            let scale = scale * self.policy.exploration_weight(stats.prior);
            best.offer(mean + scale * rate.width + bonus, i);
        }
        let draw = || self.rng.below(children.len() as u32);
        let chosen = best.choose(fresh, tried, self.options.jump, draw).unwrap_or(0);
        children.get(chosen)
    }

    /// The end of the path is the end of the game: its payoff is a proof, and may prove nodes above.
    #[cold]
    fn prove(&mut self, state: &G) {
        let Some(&(leaf, chooser)) = self.path.last() else { return };
        self.pool.get_mut(leaf).bounds = Bounds::ended(state, chooser);
        for i in (0..self.path.len() - 1).rev() {
            let ((id, chooser), (_, mover)) = (self.path[i], self.path[i + 1]);
            let bounds = self.bounds(id, mover, chooser);
            let stats = self.pool.get_mut(id);
            if stats.bounds == bounds {
                break;
            }
            stats.bounds = bounds;
        }
        self.settled = self.is_settled(self.path[0].1);
    }

    /// The child that would be the answer.
    pub(super) fn best_child(&self, id: NodeId, mover: Player) -> Option<NodeId> {
        let candidate = |id: NodeId| {
            let stats = self.pool.get(id);
            let (view, mean) = (stats.bounds.view::<G>(mover), stats.mean::<G>(mover));
            Candidate { id, view, visits: stats.visits, mean }
        };
        let children = self.pool.children(id).iter();
        let children = children.filter(|&child| self.pool.get(child).bounds != Bounds::ABSENT);
        if G::PLAYERS == 1 {
            let line = self.solo.line.first().filter(|_| id == self.pool.root());
            let on_line = children.clone().find(|&child| Some(&self.pool.get(child).m) == line);
            return on_line.or_else(|| children.max_by_key(|&child| self.pool.get(child).visits));
        }
        answer(children.map(candidate), self.policy.answers_by_mean())
    }
}

impl<G: Game, P: Policy<G>> Answers<G> for Mcts<G, P> {
    fn top(&self) -> NodeId {
        self.pool.root()
    }

    fn answer(&self, id: NodeId, mover: Player) -> Option<NodeId> {
        self.best_child(id, mover)
    }

    fn width(&self, id: NodeId) -> usize {
        self.pool.children(id).len()
    }

    fn move_to(&self, id: NodeId) -> G::Move {
        self.pool.get(id).m
    }
}

struct Grow<'a, G: Game, P: Policy<G>> {
    search: &'a mut Mcts<G, P>,
    game: &'a G,
}

impl<G: Game, P: Policy<G>> Task for Grow<'_, G, P> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        self.search.grow(cpu, self.game);
    }
}

impl<G: Game, P: Policy<G>> Search<G> for Mcts<G, P> {
    fn search(&mut self, game: &G, budget: Budget) -> Report<G::Move> {
        self.meter = self.meter.again(budget);
        if !self.meter.is_in_time() {
            return result::unsearched(game);
        }
        let (restarted, first) = self.settle(game, &budget);
        cpu::dispatch(Grow { search: self, game });
        let found = |best| {
            let (stats, mover) = (self.pool.get(best), game.to_move());
            let lower = stats.bounds.view::<G>(mover).0;
            Found { lower, mean: stats.mean::<G>(mover), settled: self.settled, is_partial: self.is_partial }
        };
        Report { restarted, ..result::report(self, &self.solo, game, first, self.meter.clone(), found) }
    }

    fn line(&self, game: &G, best: G::Move) -> List<G::Move, LINE> {
        result::line(self, &self.solo, game, best)
    }

    fn tree(&self) -> Option<&dyn Tree<G>> {
        Some(self)
    }
}
