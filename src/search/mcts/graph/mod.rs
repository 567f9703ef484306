//! Monte Carlo search on a graph: transpositions share one node.

mod answer;
mod root;
mod view;

use crate::clock::{Budget, Meter, Rare};
use crate::cpu::{self, Cpu, Task};
use crate::game::{Game, Player};
use crate::list::{List, Moves};
use crate::pool::{check_moves, Block, NodeId};
use crate::rng::Rng;
use crate::search::rates::Rates;
use crate::search::report::{Report, Search};
use crate::tree::{Tree, LINE};

use super::bounds::Bounds;
use super::choice::Best;
use super::options::{MctsOptions, MAX_PATH, WIN};
use super::policy::{Policy, Rewards, Uniform};
use super::result::{self, Found};
use super::solo::{arrange, play_out, prior, Solo};
use super::store::{Edge, Node, Store, NONE};

/// A step of an iteration's path.
#[derive(Debug, Clone, Copy)]
struct Step {
    node: u32,
    edge: NodeId,
    mover: Player,
}

/// Monte Carlo tree search on a graph: transpositions share a node, found by [`Game::hash`].
///
/// Nodes and edges both count visits and rewards, each iteration along its own path only, so that nothing
/// counts twice: a node's visits are the sum over the edges to it, and also the sum over the edges from it plus the
/// playouts that began there. A move's UCB1 uses the mean of the node it leads to, over all paths, and the visits
/// of the edge (UCT2 in Childs, Brodeur and Kocsis, *Transpositions and Move Groups in Monte Carlo Tree
/// Search*, 2008). A path that repeats a position ends there, with a playout.
///
/// `V` is 1 for one or two players, whose rewards must be opposite, and else the number of players. It
/// takes the same options as [`Mcts`](super::Mcts).
///
/// [`Search::tree`] shows paths: an id is an edge, so a node with two edges to it is shown below both, and the tree
/// has no end where positions repeat.
#[derive(Debug, Clone)]
pub struct McGraph<G: Game, P: Policy<G> = Uniform, const V: usize = 1> {
    options: MctsOptions,
    policy: P,
    pub(super) store: Store<G::Move, P::Prior, V>,
    rng: Rng,
    rates: Rates,
    game: Option<G>,
    pub(super) root: u32,
    path: Vec<Step>,
    settled: bool,
    is_partial: bool,
    solo: Solo<G::Move>,
    meter: Meter<16>,
}

impl<G: Game> McGraph<G> {
    /// A search with random playouts.
    pub fn new(options: MctsOptions) -> McGraph<G> {
        McGraph::with_policy(Uniform, options)
    }
}

/// The node's key: the position's hash, rotated by the player to move, whom some games leave out of the hash.
/// Rotation cannot collide with a Zobrist key for the player, as an exclusive or with a constant could.
#[inline(always)]
fn key_of<G: Game>(game: &G) -> u64 {
    game.hash().rotate_left(21 * game.to_move().index() as u32)
}

impl<G: Game, P: Policy<G>, const V: usize> McGraph<G, P, V> {
    /// The bytes of a node with its share of edges and of the table.
    pub const UNIT_BYTES: usize = Store::<G::Move, P::Prior, V>::UNIT_BYTES;

    /// A search with a policy.
    ///
    /// # Panics
    /// When compiled, if `V` doesn't fit the number of players.
    pub fn with_policy(policy: P, options: MctsOptions) -> Self {
        const {
            assert!(
                V == if G::PLAYERS > 2 { G::PLAYERS } else { 1 },
                "for N players, three or more: McGraph::<G, Uniform, N>::with_policy"
            )
        };
        check_moves::<<G::Moves as Moves<G::Move>>::Ranks>();
        McGraph {
            policy,
            store: Store::with_bytes(options.memory),
            rng: Rng::new(options.seed),
            options,
            rates: Rates::new(),
            game: None,
            root: NONE,
            path: Vec::with_capacity(MAX_PATH),
            settled: false,
            is_partial: false,
            solo: Solo::new(G::PLAYERS),
            meter: Meter::new(Budget::nodes(0)),
        }
    }

    /// Nodes in the graph, including those of earlier turns that have not been freed yet.
    pub fn live_nodes(&self) -> usize {
        self.store.live()
    }

    /// The policy.
    pub fn policy(&self) -> &P {
        &self.policy
    }

    #[inline(always)]
    fn at(&self, at: u32) -> &Node<V> {
        &self.store.nodes[at as usize]
    }

    /// A node's sum of rewards to a player.
    #[inline(always)]
    fn sum(node: &Node<V>, player: Player) -> i64 {
        match (V, player) {
            (1, Player::FIRST) => node.sums[0],
            (1, _) => -node.sums[0],
            (_, player) => node.sums[player.index() % V],
        }
    }

    /// The bounds of an edge's end, for the player who moves along it; open if it isn't a node.
    #[inline(always)]
    fn bounds_of(&self, edge: &Edge<G::Move, P::Prior>, mover: Player) -> Bounds {
        if edge.is_absent {
            Bounds::ABSENT
        } else if edge.target == NONE {
            Bounds::OPEN
        } else {
            self.at(edge.target).bounds.seen_by::<G>(mover)
        }
    }

    /// Updates a node's bounds from its children's. Returns whether they changed.
    fn refresh(&mut self, at: u32, mover: Player) -> bool {
        let edges = self.at(at).edges();
        if edges.is_empty() || !self.options.proofs {
            return false;
        }
        let known =
            self.store.edges.each(edges).map(|edge| (self.bounds_of(edge, mover), G::move_index(edge.m)));
        let bounds = Bounds::of::<G>(known, mover, Player::FIRST);
        let node = &mut self.store.nodes[at as usize];
        let is_new = node.bounds != bounds;
        node.bounds = bounds;
        is_new
    }

    fn is_settled(&self, mover: Player) -> bool {
        let root = self.at(self.root);
        let mut edges = self.store.edges.each(root.edges());
        root.bounds.is_closed::<G>()
            || G::PLAYERS > 2 && edges.any(|edge| self.bounds_of(edge, mover).view::<G>(mover).0 > 0)
    }

    #[inline(always)]
    fn grow<C: Cpu>(&mut self, _cpu: C, game: &G) {
        if self.at(self.root).edges().is_empty() {
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
        let mut leaf = self.root;
        self.path.clear();
        let mut is_proof = false;
        loop {
            let node = self.at(leaf);
            let edges = node.edges();
            let is_new = node.visits < self.options.expand_after && leaf != self.root;
            if self.path.len() == MAX_PATH {
                break;
            }
            let edge = if !edges.is_empty() {
                match self.select(leaf, edges, state.to_move()) {
                    Some(edge) => edge,
                    None => {
                        // The position below has been settled on other paths.
                        self.refresh(leaf, state.to_move());
                        is_proof = true;
                        break;
                    }
                }
            } else if is_new {
                break;
            } else if !self.meter.meets_if::<CAREFUL>(Rare::FIRST_LIST) {
                return CAREFUL;
            } else if let Some(block) = self.expand(leaf, &state, None) {
                block.get(0)
            } else {
                break;
            };
            if !self.meter.step_if::<CAREFUL>() {
                return true;
            }
            let m = self.store.edges.get(edge).m;
            leaf = self.walk::<CAREFUL>(leaf, edge, &mut state, m);
            if leaf == NONE || self.path.iter().any(|step| step.node == leaf) {
                break;
            }
            if G::ENDS_BY_WAY && self.is_another_end(leaf, &state) {
                leaf = NONE;
                break;
            }
            if self.at(leaf).bounds.is_closed::<G>() {
                is_proof = true;
                break;
            }
        }
        self.solo.begin();
        let rewards = if is_proof && self.at(leaf).bounds.is_closed::<G>() {
            self.proven(leaf)
        } else {
            let Some(rewards) = self.play_out::<CAREFUL>(&mut leaf, &mut state, &mut is_proof) else {
                return CAREFUL;
            };
            rewards
        };
        if leaf != NONE {
            self.store.nodes[leaf as usize].add(&rewards);
        }
        for step in &self.path {
            self.store.nodes[step.node as usize].add(&rewards);
            self.store.edges.get_mut(step.edge).add(rewards.of(step.mover));
        }
        if is_proof && self.options.proofs {
            self.prove();
        }
        true
    }

    /// Whether the game is over on this way to a node, and wasn't on those before: the result isn't the node's. A result that is
    /// proved still holds for the way on which it was found alone (the graph history interaction problem: Campbell, *The
    /// graph-history interaction: on ignoring position history*, 1985).
    #[inline(always)]
    fn is_another_end(&self, at: u32, state: &G) -> bool {
        let node = self.at(at);
        node.visits > 0 && !node.is_over && state.is_over()
    }

    /// Follows an edge. Returns the node it leads to, or `NONE` if the store is full.
    #[inline(always)]
    fn walk<const CAREFUL: bool>(&mut self, node: u32, edge: NodeId, state: &mut G, m: G::Move) -> u32 {
        self.path.push(Step { node, edge, mover: state.to_move() });
        state.play(m);
        let mut target = self.store.edges.get(edge).target;
        if target == NONE && self.meter.step_if::<CAREFUL>() {
            target = self.store.find_or_make(key_of(state)).unwrap_or(NONE);
            self.store.edges.get_mut(edge).target = target;
        }
        target
    }

    /// The rewards of a closed node; for one player their mean, since its best payoff is recorded already.
    fn proven(&self, at: u32) -> Rewards {
        let node = self.at(at);
        Rewards::each::<G>(|player| match G::PLAYERS {
            1 => (node.sums[0] / i64::from(node.visits.max(1))) as i32,
            _ => WIN * i32::from(node.bounds.seen_by::<G>(player).view::<G>(player).0),
        })
    }

    /// The playout from the leaf, whose first moves become nodes if the options say so. `None` if the deadline passed, or
    /// the iteration is to be repeated with care.
    #[inline(always)]
    fn play_out<const CAREFUL: bool>(
        &mut self,
        leaf: &mut u32,
        state: &mut G,
        is_proof: &mut bool,
    ) -> Option<Rewards> {
        let limit = self.policy.limit();
        let (mut plies, mut inside) = (0, 0);
        while plies < limit.min(self.options.rollout_expand)
            && *leaf != NONE
            && self.path.len() < MAX_PATH
            && self.at(*leaf).edges().is_empty()
            && (plies == 0 || self.at(*leaf).visits == 0)
        {
            if !self.meter.step_if::<CAREFUL>() {
                return None;
            }
            let Some(m) = self.policy.next(state, plies, &mut self.rng) else { break };
            if !self.meter.meets_if::<CAREFUL>(Rare::FIRST_LIST) {
                return None;
            }
            plies += 1;
            if let Some(block) = self.expand(*leaf, state, Some(m)) {
                *leaf = self.walk::<CAREFUL>(*leaf, block.get(0), state, m);
                inside = plies;
            } else {
                self.solo.note::<G>(m);
                state.play(m);
                break;
            }
        }
        let (policy, rng, solo) = (&mut self.policy, &mut self.rng, &mut self.solo);
        let is_over = play_out::<_, _, CAREFUL>(policy, rng, solo, state, &mut plies, &mut self.meter)?;
        if !self.meter.rewards_if::<CAREFUL>(is_over, G::PLAYERS) {
            return None;
        }
        let rewards = self.policy.rewards(state, plies, is_over);
        if !self.meter.steps_if::<CAREFUL>(G::PLAYERS) {
            return Some(rewards);
        }
        if is_over && plies == inside && *leaf != NONE {
            let node = &mut self.store.nodes[*leaf as usize];
            node.is_over = true;
            if self.options.proofs {
                node.bounds = Bounds::ended(state, Player::FIRST);
                *is_proof = true;
            }
        }
        if let Some(payoff) = self.solo.judge(state, &rewards, is_over) {
            self.solo.remember(payoff, self.path.iter().map(|step| self.store.edges.get(step.edge).m));
        }
        Some(rewards)
    }

    /// Gives a node its edges in the policy's order, but `first` before the others.
    #[inline(always)]
    fn expand(&mut self, at: u32, state: &G, first: Option<G::Move>) -> Option<Block> {
        let mut list = G::Moves::default();
        state.moves(&mut list);
        self.unfold(at, state, &mut list, first)
    }

    /// Unfolds a node whose moves are listed already. `None` also if the deadline passed.
    #[inline(always)]
    fn unfold(&mut self, at: u32, state: &G, moves: &mut [G::Move], first: Option<G::Move>) -> Option<Block> {
        let block = self.store.expand(at, moves.len())?;
        arrange(&mut self.policy, &mut self.rng, state, moves, first);
        for (edge, &m) in block.iter().zip(moves.iter()) {
            let Some(prior) = prior(&mut self.policy, state, m, &mut self.meter) else {
                self.store.fold(at);
                return None;
            };
            let edge = self.store.edges.get_mut(edge);
            (edge.m, edge.by, edge.prior) = (m, state.to_move(), prior);
        }
        Some(block)
    }

    /// Selects an edge; `None` if none can change the node's value.
    #[inline(always)]
    fn select(&mut self, at: u32, edges: Block, mover: Player) -> Option<NodeId> {
        let node = self.at(at);
        let visits = node.visits;
        let certain = node.bounds.seen_by::<G>(mover).certain::<G>(true);
        let wins = |edge: &&Edge<G::Move, P::Prior>| self.bounds_of(edge, mover).view::<G>(mover).0 > 0;
        let last = match G::PLAYERS {
            0..=2 => u16::MAX,
            _ => self
                .store
                .edges
                .each(edges)
                .filter(wins)
                .map(|edge| G::move_index(edge.m))
                .min()
                .unwrap_or(u16::MAX),
        };
        let scale = self.options.exploration * self.rates.of(visits).growth;
        let (mut best, mut fresh, mut tried) = (Best::NONE, Best::NONE, 0);
        for (i, edge) in (0..).zip(self.store.edges.each(edges)) {
            let bounds = self.bounds_of(edge, mover);
            if !bounds.matters::<G>(certain) || G::PLAYERS > 2 && G::move_index(edge.m) > last {
                continue;
            }
            let bonus = self.policy.bonus(edge.prior, visits, edge.visits);
            if edge.visits == 0 {
                fresh.offer(self.options.first_play_urgency + bonus, i);
                if size_of::<P::Prior>() == 0 {
                    break;
                }
                continue;
            }
            tried += 1;
            let (sum, count) = if edge.target == NONE {
                (edge.sum(), edge.visits)
            } else {
                let target = self.at(edge.target);
                (Self::sum(target, mover), target.visits)
            };
            let mean = sum as f32 * self.rates.of(count).share;
            let mean = match G::PLAYERS {
                1 => self.solo.share(mean),
                _ => 0.5 + mean * (0.5 / WIN as f32),
            };
            let scale = scale * self.policy.exploration_weight(edge.prior);
            best.offer(mean + scale * self.rates.of(edge.visits).width + bonus, i);
        }
        let draw = || self.rng.below(edges.len() as u32);
        best.choose(fresh, tried, self.options.jump, draw).map(|i| edges.get(i))
    }

    /// The end of the path is certain, and may make certain what is above.
    #[cold]
    fn prove(&mut self) {
        for i in (0..self.path.len()).rev() {
            let Step { node, mover, .. } = self.path[i];
            if !self.refresh(node, mover) {
                break;
            }
        }
        if let Some(mover) = self.game.as_ref().map(|game| game.to_move()) {
            self.settled = self.is_settled(mover);
        }
    }
}

struct Grow<'a, G: Game, P: Policy<G>, const V: usize> {
    search: &'a mut McGraph<G, P, V>,
    game: &'a G,
}

impl<G: Game, P: Policy<G>, const V: usize> Task for Grow<'_, G, P, V> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        self.search.grow(cpu, self.game);
    }
}

impl<G: Game, P: Policy<G>, const V: usize> Search<G> for McGraph<G, P, V> {
    fn search(&mut self, game: &G, budget: Budget) -> Report<G::Move> {
        self.meter = self.meter.again(budget);
        if !self.meter.is_in_time() {
            return result::unsearched(game);
        }
        let (restarted, first) = self.settle(game, &budget);
        cpu::dispatch(Grow { search: self, game });
        let found = |best| {
            let (edge, mover) = (self.store.edges.get(best), game.to_move());
            let lower = self.bounds_of(edge, mover).view::<G>(mover).0;
            Found { lower, mean: self.mean(best, mover), settled: self.settled, is_partial: self.is_partial }
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
