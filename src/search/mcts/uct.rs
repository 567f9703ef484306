//! The tree form: each iteration goes down by UCB1, plays out and counts on the way back.

use std::cmp::Ordering;

use crate::clock::{Budget, Meter};
use crate::cpu::{self, Cpu, Task};
use crate::game::{Game, Player};
use crate::list::{List, Moves};
use crate::math;
use crate::pool::{Block, NodeId, Pool};
use crate::rng::Rng;
use crate::score::Score;
use crate::search::keep::{keep, Kept};
use crate::search::or_only;
use crate::search::{Report, Search, LINE};
use crate::tree::Tree;

use super::bounds::Bounds;
use super::policy::{Policy, Uniform};
use super::solo::{arrange, play_out, Solo};
use super::{Jump, Options, MAX_PATH, WIN};

/// What a node remembers, from the point of view of the player who chose to go there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stats<M, X> {
    pub(super) visits: u32,
    /// The sum of rewards, an `i64` in two halves: it would cost 8 bytes of alignment otherwise.
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

/// How many [`Rate`]s are remembered: 192 kB, of which few are in use at a time, as visits grow one by one.
/// Divisions and square roots are a fifth of an iteration in tic-tac-toe, the root's logarithm alone a
/// tenth.
pub(super) const RATES: u32 = 1 << 14;

/// What UCB1 needs of a number of visits n.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rate {
    /// 1 / n.
    pub(super) share: f32,
    /// sqrt(1 / n).
    pub(super) width: f32,
    /// sqrt(ln n).
    pub(super) growth: f32,
}

impl Rate {
    #[inline(always)]
    pub(super) fn of(visits: u32) -> Rate {
        let visits = visits.max(1) as f32;
        let share = 1.0 / visits;
        Rate { share, width: share.sqrt(), growth: math::ln(visits).sqrt() }
    }

    /// The same, from a table of the first.
    #[inline(always)]
    pub(super) fn from(rates: &[Rate], visits: u32) -> Rate {
        match rates.get(visits as usize) {
            Some(&rate) => rate,
            None => Rate::of(visits),
        }
    }
}

/// The best of some moves, of equals the first, found without a branch, which would be mispredicted as
/// often as not.
#[derive(Debug, Clone, Copy)]
pub(super) struct Best {
    value: f32,
    place: u32,
}

impl Best {
    /// Of no moves.
    pub(super) const NONE: Best = Best { value: f32::NEG_INFINITY, place: u32::MAX };

    #[inline(always)]
    pub(super) fn offer(&mut self, value: f32, place: u32) {
        let is_better = value > self.value;
        self.place = if is_better { place } else { self.place };
        self.value = if is_better { value } else { self.value };
    }

    /// The place of the move to go on with, given the best of those that have been tried, of which there
    /// are `tried`, and of the others; `draw` is a number below that of the moves. `None` if no move
    /// matters.
    #[inline(always)]
    pub(super) fn choose(
        self,
        fresh: Best,
        tried: u32,
        jump: Jump,
        draw: impl FnOnce() -> u32,
    ) -> Option<usize> {
        let widen = match jump {
            // The place of none is above all others, its value below.
            _ if self.place.max(fresh.place) == u32::MAX => self.place == u32::MAX,
            // Of equals what has been tried.
            Jump::Never => fresh.value > self.value,
            jump => (draw() < tried) == (jump == Jump::Written),
        };
        let chosen = if widen { fresh } else { self };
        (chosen.place != u32::MAX).then_some(chosen.place as usize)
    }
}

/// What is known of a move when it comes to choosing one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate<I> {
    pub(super) id: I,
    /// The least and the most that the payoff's sign can be.
    pub(super) view: (i8, i8),
    pub(super) visits: u32,
    /// The mean reward.
    pub(super) mean: f64,
}

/// The move to choose: the most visited, or `by_mean` the one with the best mean, of those that may still turn out better than what is certain,
/// unless what is certain is worth as much as that one seems to be.
pub(super) fn answer<I: Copy>(moves: impl Iterator<Item = Candidate<I>> + Clone, by_mean: bool) -> Option<I> {
    let certain = moves.clone().max_by_key(|candidate| (candidate.view.0, candidate.visits))?;
    let lower = certain.view.0;
    let open = moves.filter(|candidate| candidate.view.1 > lower);
    let open = match by_mean {
        false => open.max_by_key(|candidate| candidate.visits),
        true => open.max_by(|a, b| {
            let worth = |candidate: &Candidate<I>| (candidate.visits > 0, candidate.mean);
            worth(a).partial_cmp(&worth(b)).unwrap_or(Ordering::Equal)
        }),
    };
    let Some(open) = open else { return Some(certain.id) };
    let is_better = open.mean > f64::from(lower) * f64::from(WIN);
    Some(if is_better || lower < 0 { open.id } else { certain.id })
}

/// Monte Carlo tree search with playouts, at random to the end of the game unless a [`Policy`] says
/// otherwise.
///
/// Each iteration goes down the tree by UCB1, makes children of the leaf it reaches if that was
/// visited before, plays out and counts the result on the way back. For up to eight players: each
/// node keeps the rewards of the player who chose it. When the pool is full, leaves stay leaves and the
/// search goes on.
///
/// For one player, payoffs are scaled by the range of those seen, the answer begins the best
/// line that was played to the end, and the tree is kept along that line alone.
#[derive(Debug, Clone)]
pub struct Mcts<G: Game, P: Policy<G> = Uniform> {
    options: Options,
    policy: P,
    pub(super) pool: Pool<Stats<G::Move, P::Prior>>,
    rng: Rng,
    /// The game at the root.
    pub(super) game: Option<G>,
    /// The way down of an iteration, and who chose each step.
    path: Vec<(NodeId, Player)>,
    /// What UCB1 needs of the first numbers of visits.
    rates: Vec<Rate>,
    /// Nothing below the root can change what it is worth.
    settled: bool,
    /// The root has moves that the policy doesn't want.
    is_partial: bool,
    solo: Solo<G::Move>,
}

impl<G: Game> Mcts<G> {
    /// A search in a pool of `pool_bytes` bytes, whose playouts follow from `seed`.
    pub fn new(pool_bytes: usize, seed: u64, options: Options) -> Mcts<G> {
        Mcts::with_policy(pool_bytes, seed, options, Uniform)
    }
}

impl<G: Game, P: Policy<G>> Mcts<G, P> {
    /// The same, with a policy.
    pub fn with_policy(pool_bytes: usize, seed: u64, options: Options, policy: P) -> Mcts<G, P> {
        Mcts {
            options,
            policy,
            pool: Pool::with_bytes(pool_bytes),
            rng: Rng::new(seed),
            game: None,
            path: Vec::with_capacity(MAX_PATH),
            rates: (0..RATES).map(Rate::of).collect(),
            settled: false,
            is_partial: false,
            solo: Solo::new(G::PLAYERS),
        }
    }

    /// The bytes of one node.
    pub const NODE_BYTES: usize = Pool::<Stats<G::Move, P::Prior>>::NODE_BYTES;

    /// Nodes in the tree.
    pub fn live_nodes(&self) -> usize {
        self.pool.live()
    }

    /// The policy, to be asked what it learnt.
    pub fn policy(&self) -> &P {
        &self.policy
    }

    /// Makes `game` the root: with the subtree that the last search grew below it, if it is a few
    /// moves from there, or else an empty one. Returns [`Report::restarted`].
    fn settle(&mut self, game: &G, budget: &Budget) -> bool {
        let last = self.game.as_ref().filter(|_| self.options.keep_tree);
        let line = &self.solo.line;
        // What closed nodes were worth to one player is known of the best line alone.
        let enter = |plies, stats: &Stats<G::Move, P::Prior>| {
            (G::PLAYERS > 1 || line.get(plies) == Some(&stats.m)).then_some(stats.m)
        };
        let kept = keep(&mut self.pool, last, game, budget, enter);
        match kept {
            Kept::Subtree { plies } => drop(self.solo.line.drain(..plies.min(self.solo.line.len()))),
            Kept::Nothing { .. } => self.solo.clear(),
        }
        self.game = Some(game.clone());
        self.open_root(game);
        kept.restarted()
    }

    /// Gives the root its children, lets the policy choose among them, and finds out what is certain.
    fn open_root(&mut self, game: &G) {
        let root = self.pool.root();
        if self.pool.children(root).is_empty() && self.expand(root, game, None).is_none() {
            // The kept tree fills the pool up to its root: better a new one than none.
            self.pool.clear();
            self.expand(root, game, None);
        }
        let mut list = G::Moves::default();
        game.moves(&mut list);
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
                } else if stats.bounds == Bounds::ABSENT {
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
    }

    /// What follows for a node from its children.
    fn bounds(&self, id: NodeId, mover: Player, chooser: Player) -> Bounds {
        let children = self.pool.children(id);
        if children.is_empty() || !self.options.proofs {
            return Bounds::OPEN;
        }
        let known = self.pool.each(children).map(|stats| (stats.bounds, G::code(stats.m)));
        Bounds::of::<G>(known, mover, chooser)
    }

    /// Whether nothing below the root can change what it is worth to the player to move.
    fn is_settled(&self, mover: Player) -> bool {
        let root = self.pool.root();
        let mut children = self.pool.each(self.pool.children(root));
        self.pool.get(root).bounds.is_closed::<G>()
            || G::PLAYERS > 2 && children.any(|stats| stats.bounds.view::<G>(mover).0 > 0)
    }

    #[inline(always)]
    fn grow<C: Cpu>(&mut self, _cpu: C, game: &G, meter: &mut Meter<16>) {
        if self.pool.children(self.pool.root()).is_empty() {
            return;
        }
        while !self.settled && meter.take() {
            self.iterate(game.clone());
        }
    }

    /// One way down, one playout, and back.
    #[inline(always)]
    fn iterate(&mut self, mut state: G) {
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
            } else if let Some(block) = self.expand(id, &state, None) {
                block.get(0)
            } else {
                break;
            };
            state.play(self.pool.get(child).m);
            self.path.push((child, mover));
            (id, chooser) = (child, mover);
        }
        let limit = self.policy.limit();
        self.solo.begin();
        let (mut plies, mut inside) = (0, 0);
        if self.options.rollout_expand > 0 {
            (plies, inside) = self.extend(id, &mut state, limit);
        }
        let is_over = play_out(&mut self.policy, &mut self.rng, &mut self.solo, &mut state, &mut plies);
        let rewards = self.policy.rewards(&state, plies, is_over);
        for &(id, chooser) in &self.path {
            self.pool.get_mut(id).add(rewards.of(chooser));
        }
        if let Some(payoff) = self.solo.judge(&state, &rewards, is_over) {
            self.solo.remember(payoff, self.path[1..].iter().map(|&(id, _)| self.pool.get(id).m));
        }
        if is_over && plies == inside && self.options.proofs {
            self.prove(&state);
        }
    }

    /// The first moves of a playout become nodes, as long as there is room: how many moves it has
    /// had, and how many nodes it made.
    fn extend(&mut self, leaf: NodeId, state: &mut G, limit: u32) -> (u32, u32) {
        let mut id = leaf;
        let mut plies = 0;
        while plies < limit.min(self.options.rollout_expand)
            && self.path.len() < MAX_PATH
            && self.pool.children(id).is_empty()
        {
            let Some(m) = self.policy.next(state, plies, &mut self.rng) else { break };
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
    /// game is over there or the pool is full.
    #[inline(always)]
    fn expand(&mut self, id: NodeId, state: &G, first: Option<G::Move>) -> Option<Block> {
        let mut list = G::Moves::default();
        state.moves(&mut list);
        let moves = &mut *list;
        let block = self.pool.expand(id, moves.len())?;
        arrange(&mut self.policy, &mut self.rng, state, moves, first);
        for (child, &m) in block.iter().zip(moves.iter()) {
            let prior = self.policy.prior(state, m);
            let stats = self.pool.get_mut(child);
            (stats.m, stats.prior) = (m, prior);
        }
        Some(block)
    }

    /// The child to go on to, of those that can still change what the node is worth: the best UCB1,
    /// or the first that has not been tried.
    #[inline(always)]
    fn select(&mut self, id: NodeId, children: Block, mover: Player, chooser: Player) -> NodeId {
        let stats = self.pool.get(id);
        let visits = stats.visits;
        let certain = stats.bounds.certain::<G>(chooser == mover);
        // For three players and more: nothing behind a win by code is of interest.
        let wins = |stats: &&Stats<G::Move, P::Prior>| stats.bounds.view::<G>(mover).0 > 0;
        let last = match G::PLAYERS {
            0..=2 => u16::MAX,
            _ => {
                self.pool.each(children).filter(wins).map(|stats| G::code(stats.m)).min().unwrap_or(u16::MAX)
            }
        };
        let scale = self.options.exploration * Rate::from(&self.rates, visits).growth;
        let (mut best, mut fresh, mut tried) = (Best::NONE, Best::NONE, 0);
        for (i, stats) in (0..).zip(self.pool.each(children)) {
            if !stats.bounds.matters::<G>(certain) || G::PLAYERS > 2 && G::code(stats.m) > last {
                continue;
            }
            let bonus = self.policy.bonus(stats.prior, visits, stats.visits);
            if stats.visits == 0 {
                fresh.offer(self.options.first_play_urgency + bonus, i);
                if size_of::<P::Prior>() == 0 {
                    // Moves are tried in the order in which they stand: the rest is untried as well.
                    break;
                }
                continue;
            }
            tried += 1;
            let rate = Rate::from(&self.rates, stats.visits);
            let mean = match G::PLAYERS {
                1 => self.solo.share(stats.sum() as f32 * rate.share),
                _ => 0.5 + stats.sum() as f32 * (0.5 / WIN as f32) * rate.share,
            };
            let scale = scale * self.policy.curiosity(stats.prior);
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

    fn report(&self, game: &G, nodes: u64) -> Report<G::Move> {
        let mover = game.to_move();
        let Some(best) = self.best_child(self.pool.root(), mover) else {
            // Not even the root's children fit into the pool.
            let mut list = G::Moves::default();
            game.moves(&mut list);
            let best = list.first().copied();
            let payoff = game.payoff(mover);
            let score = match (best, G::PLAYERS) {
                (Some(_), _) => Score::DRAW,
                (None, 1) => Score::estimate(payoff.0),
                (None, _) => Score::ended(payoff),
            };
            return Report { best, score, nodes, depth: 0, solved: best.is_none(), restarted: false };
        };
        let (mut depth, mut at, mut state) = (0, Some(best), game.clone());
        while let Some(child) = at {
            depth += 1;
            state.play(self.pool.get(child).m);
            at = self.best_child(child, state.to_move());
        }
        let stats = self.pool.get(best);
        let lower = stats.bounds.view::<G>(mover).0;
        // A win is one whatever the moves that the policy doesn't want are worth.
        let solved = self.settled && (!self.is_partial || G::PLAYERS > 1 && lower > 0);
        let score = match self.solo.best {
            Some(best) => Score::estimate(best),
            None if self.settled && G::PLAYERS > 1 => Score::ended(crate::game::Payoff(i32::from(lower))),
            None => Score::estimate(stats.mean::<G>(mover) as i32),
        };
        Report { best: Some(stats.m), score, nodes, depth, solved, restarted: false }
    }
}

struct Grow<'a, G: Game, P: Policy<G>> {
    search: &'a mut Mcts<G, P>,
    game: &'a G,
    meter: &'a mut Meter<16>,
}

impl<G: Game, P: Policy<G>> Task for Grow<'_, G, P> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        self.search.grow(cpu, self.game, self.meter);
    }
}

impl<G: Game, P: Policy<G>> Search<G> for Mcts<G, P> {
    fn search(&mut self, game: &G, budget: Budget) -> Report<G::Move> {
        let mut meter = Meter::new(budget);
        let restarted = self.settle(game, &budget);
        cpu::dispatch(Grow { search: self, game, meter: &mut meter });
        Report { restarted, ..self.report(game, meter.nodes()) }
    }

    fn line(&self, game: &G, best: G::Move) -> List<G::Move, LINE> {
        let mut line = List::default();
        if G::PLAYERS == 1 && !self.solo.line.is_empty() {
            self.solo.line.iter().take(LINE).for_each(|&m| line.push(m));
            return line;
        }
        let mut state = game.clone();
        let mut at = self.best_child(self.pool.root(), state.to_move());
        while let Some(child) = at.filter(|_| line.len() < LINE) {
            let m = self.pool.get(child).m;
            line.push(m);
            state.play(m);
            at = self.best_child(child, state.to_move());
        }
        or_only(line, best)
    }

    fn tree(&self) -> Option<&dyn Tree<G>> {
        Some(self)
    }
}
