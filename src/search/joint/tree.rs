//! Monte Carlo tree search over joint moves: what all rules of choosing moves share.
//!
//! A state has *arms*, one for each move of each player, and each player chooses among its own. What the joint move
//! leads to is found by its hash, and chance is drawn on the way. So a state with a moves of one player and b of the
//! other takes a + b arms, and not a · b children.

use crate::clock::{Budget, Meter};
use crate::game::Player;
use crate::joint::{players, Choices, Joint, MAX_PLAYERS};
use crate::pool::{Block, Pool};
use crate::rng::Rng;
use crate::tree::Memory;

use super::chance::{Chance, Widening};
use super::playout::{play_out, Playout, Points};
use super::store::Store;
use super::{listed, Answer, JointReport, Seen, Strategy};

/// Maximum length of a path through the tree; a playout starts there.
const MAX_PATH: usize = 512;

/// No arm: the player takes no part.
pub(super) const NO_ARM: u16 = u16::MAX;

/// The player of a cell: of none.
const CELL: u8 = u8::MAX;

/// A player's move in a state, or a cell in which a rule stores what it needs for a pair of moves.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Arm<M> {
    m: M,
    player: u8,
    pub(super) visits: u32,
    /// The mean points of the player after this move.
    pub(super) mean: f32,
    /// By regret matching, the sum of regrets; in a cell, the mean points of the second player.
    pub(super) regret: f32,
    /// By regret matching, the mean probability.
    pub(super) share: f32,
}

impl<M> Arm<M> {
    #[inline(always)]
    pub(super) fn add(&mut self, points: f32) {
        self.visits += 1;
        self.mean += (points - self.mean) / self.visits as f32;
    }
}

/// One player's arms: those from `first` to `first + len` of a state's.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Range {
    pub(super) player: u8,
    pub(super) first: u16,
    pub(super) len: u16,
}

/// The arms of a state, player by player, and then its cells.
#[derive(Clone, Copy)]
pub(super) struct Ranges {
    all: [Range; MAX_PLAYERS],
    count: usize,
    /// The index of the first cell.
    pub(super) cells: usize,
}

impl Ranges {
    #[inline(always)]
    fn of<M: Copy + Default>(pool: &Pool<Arm<M>>, block: Block) -> Ranges {
        let mut ranges = Ranges { all: [Range::default(); MAX_PLAYERS], count: 0, cells: block.len() };
        let mut last = CELL;
        for (i, arm) in pool.each(block).enumerate() {
            if arm.player == CELL {
                ranges.cells = i;
                break;
            }
            if arm.player != last {
                ranges.all[ranges.count] = Range { player: arm.player, first: i as u16, len: 0 };
                ranges.count += 1;
                last = arm.player;
            }
            ranges.all[ranges.count - 1].len += 1;
        }
        ranges
    }

    /// Each player's, of those who have moves.
    #[inline(always)]
    pub(super) fn each(&self) -> &[Range] {
        &self.all[..self.count]
    }
}

/// A path's step: a state, and the arm of each player there.
#[derive(Debug, Clone, Copy)]
struct Step {
    at: usize,
    arms: [u16; MAX_PLAYERS],
    /// The players who chose to explore, a bit each.
    explorers: u8,
}

/// The arm of each player, and the bits of those who chose to explore.
pub(super) type Taken<'a> = (&'a [u16], u8);

/// A player's choice.
#[derive(Debug, Clone, Copy)]
pub(super) struct Choice {
    /// The arm: an index into the state's.
    pub(super) arm: usize,
    /// It was made to explore, and not by the player's strategy.
    pub(super) explores: bool,
}

/// What a rule sees of a state.
pub(super) struct Node<'a, M> {
    pub(super) pool: &'a mut Pool<Arm<M>>,
    pub(super) block: Block,
    pub(super) visits: u32,
    /// The least and the most points of all playouts so far.
    pub(super) span: (f32, f32),
}

impl<M: Copy + Default> Node<'_, M> {
    /// Whose arms are where.
    #[inline(always)]
    pub(super) fn ranges(&self) -> Ranges {
        Ranges::of(self.pool, self.block)
    }

    #[inline(always)]
    pub(super) fn get(&self, i: usize) -> &Arm<M> {
        self.pool.get(self.block.get(i))
    }

    #[inline(always)]
    pub(super) fn get_mut(&mut self, i: usize) -> &mut Arm<M> {
        self.pool.get_mut(self.block.get(i))
    }
}

/// The same, to look at only.
pub(super) struct View<'a, M> {
    pub(super) pool: &'a Pool<Arm<M>>,
    pub(super) block: Block,
}

impl<M: Copy + Default> View<'_, M> {
    #[inline(always)]
    pub(super) fn get(&self, i: usize) -> &Arm<M> {
        self.pool.get(self.block.get(i))
    }
}

/// How players choose among their arms, and what they learn.
pub(super) trait Rule {
    /// The number of cells that a state needs, given the number of each player's arms.
    fn cells(&self, _arms: &[usize]) -> usize {
        0
    }

    /// The arm that a player takes in an iteration.
    fn choose<M: Copy + Default>(&self, node: &Node<'_, M>, range: Range, rng: &mut Rng) -> Choice;

    /// Learns from an iteration: what each player did, and what each got.
    fn learn<M: Copy + Default>(&self, node: &mut Node<'_, M>, taken: Taken<'_>, points: &Points);

    /// An arm's part in the strategy that the search answers with.
    fn weight<M>(&self, arm: &Arm<M>) -> f64;

    /// What the state is worth to one of its players.
    fn value<M: Copy + Default>(&self, node: &View<'_, M>, ranges: &Ranges, range: Range) -> f64;

    /// Whether an iteration in which a player explored counts in the states before with the state's value in place of what
    /// the players got.
    fn hides_exploration(&self) -> bool {
        false
    }
}

/// The mean points of a player in a state.
pub(super) fn mean<M: Copy + Default>(node: &View<'_, M>, range: Range) -> f64 {
    let arms = || (0..range.len).map(|i| node.get(usize::from(range.first + i)));
    let visits: f64 = arms().map(|arm| f64::from(arm.visits)).sum();
    arms().map(|arm| f64::from(arm.visits) * f64::from(arm.mean)).sum::<f64>() / visits.max(1.0)
}

/// A search tree under one rule.
#[derive(Debug, Clone)]
pub(super) struct JointTree<G: Joint, R, P> {
    pub(super) rule: R,
    pub(super) policy: P,
    pub(super) widening: Option<Widening>,
    pub(super) keep_tree: bool,
    pub(super) answer: Answer,
    store: Store<Arm<G::Move>>,
    chance: Option<Chance<G::Outcome>>,
    rng: Rng,
    path: Vec<Step>,
    span: (f32, f32),
}

impl<G: Joint, R: Rule, P: Playout<G>> JointTree<G, R, P> {
    pub(super) fn new(
        bytes: usize,
        seed: u64,
        rule: R,
        policy: P,
        shape: (Option<Widening>, bool, Answer),
    ) -> Self {
        let (widening, keep_tree, answer) = shape;
        // A quarter of the memory holds outcomes, if they are held.
        let outcomes = widening.as_ref().is_some_and(Widening::widens_outcomes).then_some(bytes / 4);
        JointTree {
            rule,
            policy,
            keep_tree,
            answer,
            store: Store::with_bytes(bytes - outcomes.unwrap_or(0)),
            chance: outcomes.map(Chance::with_bytes),
            widening,
            rng: Rng::new(seed),
            path: Vec::with_capacity(MAX_PATH),
            span: (f32::INFINITY, f32::NEG_INFINITY),
        }
    }

    /// The number of states stored.
    pub(super) fn live(&self) -> usize {
        self.store.live()
    }

    /// The memory of the arms and cells, which are the pool's nodes.
    pub(super) fn memory(&self) -> Memory {
        let pool = &self.store.pool;
        let node_bytes = Pool::<Arm<G::Move>>::NODE_BYTES;
        Memory { live: pool.live(), capacity: pool.capacity(), node_bytes }
    }

    pub(super) fn search(&mut self, game: &G, player: Player, budget: Budget) -> JointReport<G> {
        let mut meter = Meter::<16>::new(budget);
        if !self.keep_tree {
            self.store.clear();
            self.chance.iter_mut().for_each(Chance::clear);
        }
        self.store.begin();
        self.chance.iter_mut().for_each(Chance::begin);
        let list = listed(game, player);
        if list.is_empty() {
            let is_over = game.is_over();
            return JointReport::without_moves(
                super::playout::points(game, &self.policy, is_over)[player.index()],
                is_over,
            );
        }
        let key = game.hash();
        let kept = self.store.find(key).map_or(0, |at| u64::from(self.store.entry(at).visits));
        let mut depth = 0;
        while meter.take() {
            self.iterate(game);
            depth = depth.max(self.path.len() as u32);
        }
        let (strategy, value) = match self.peek(game, player, &list) {
            Some(seen) => (seen.strategy, seen.value),
            None => (
                Strategy::new(&list, |_| 1.0),
                super::playout::points(game, &self.policy, false)[player.index()],
            ),
        };
        let best = match self.answer {
            Answer::Drawn => strategy.draw(&mut self.rng),
            Answer::Mode => strategy.mode(),
        };
        JointReport { best, strategy, value, nodes: meter.nodes(), depth, exact: false, kept }
    }

    pub(super) fn seen(&self, game: &G, player: Player) -> Option<Seen<G>> {
        let list = listed(game, player);
        if list.is_empty() {
            return None;
        }
        self.peek(game, player, &list)
    }

    fn peek(&self, game: &G, player: Player, list: &[G::Move]) -> Option<Seen<G>> {
        let at = self.store.find(game.hash())?;
        let entry = *self.store.entry(at);
        let ranges = Ranges::of(&self.store.pool, entry.items);
        let range = *ranges.each().iter().find(|range| usize::from(range.player) == player.index())?;
        let arm = |i: u16| self.store.pool.get(entry.items.get(usize::from(range.first + i)));
        let weight = |i: usize| {
            let own = (0..range.len).map(arm).find(|arm| arm.m == list[i]);
            own.map_or(0.0, |arm| self.rule.weight(arm))
        };
        let strategy = Strategy::new(list, weight);
        let value = self.rule.value(&View { pool: &self.store.pool, block: entry.items }, &ranges, range);
        Some(Seen { visits: u64::from(entry.visits), strategy, value })
    }

    /// One iteration: down the tree, a playout, and what was learnt from it.
    #[inline(always)]
    fn iterate(&mut self, game: &G) {
        let mut state = game.clone();
        self.path.clear();
        loop {
            match (&mut self.chance, &self.widening) {
                (Some(chance), Some(widening)) => chance.let_happen(&mut state, widening, &mut self.rng),
                _ => state.let_happen(&mut self.rng),
            }
            if self.path.len() == MAX_PATH {
                break;
            }
            let key = state.hash();
            let Some(at) = self.store.find(key) else {
                self.insert(&state, key);
                break;
            };
            let choices = self.descend(at);
            state.play(&choices);
        }
        let mut points = play_out(&mut state, &mut self.policy, &mut self.rng);
        for player in players::<G>() {
            let own = points[player.index()] as f32;
            self.span = (self.span.0.min(own), self.span.1.max(own));
        }
        for step in self.path.iter().rev() {
            let entry = *self.store.entry(step.at);
            let Store { pool, .. } = &mut self.store;
            let mut node = Node { pool, block: entry.items, visits: entry.visits, span: self.span };
            self.rule.learn(&mut node, (&step.arms[..G::PLAYERS], step.explorers), &points);
            if step.explorers != 0 && self.rule.hides_exploration() {
                let view = View { pool: &self.store.pool, block: entry.items };
                let ranges = Ranges::of(&self.store.pool, entry.items);
                for &range in ranges.each() {
                    points[usize::from(range.player)] = self.rule.value(&view, &ranges, range);
                }
            }
        }
    }

    /// Chooses each player's move in a stored state.
    #[inline(always)]
    fn descend(&mut self, at: usize) -> Choices<G::Move> {
        let entry = *self.store.visit(at);
        let ranges = Ranges::of(&self.store.pool, entry.items);
        let mut step = Step { at, arms: [NO_ARM; MAX_PLAYERS], explorers: 0 };
        let mut choices = Choices::NONE;
        let node =
            Node { pool: &mut self.store.pool, block: entry.items, visits: entry.visits, span: self.span };
        for &range in ranges.each() {
            let open = match &self.widening {
                Some(widening) => widening.open_moves(usize::from(range.len), entry.visits) as u16,
                None => range.len,
            };
            let i = if open == 1 {
                usize::from(range.first)
            } else {
                let choice = self.rule.choose(&node, Range { len: open, ..range }, &mut self.rng);
                step.explorers |= u8::from(choice.explores) << range.player;
                choice.arm
            };
            step.arms[usize::from(range.player)] = i as u16;
            choices.set(Player::new(range.player), node.get(i).m);
        }
        self.path.push(step);
        choices
    }

    /// Stores a state, if it isn't over and there is room for it.
    #[inline(always)]
    fn insert(&mut self, state: &G, key: u64) {
        let mut counts = [0; MAX_PLAYERS];
        let mut total = 0;
        for player in players::<G>() {
            counts[player.index()] = listed(state, player).len();
            total += counts[player.index()];
        }
        if total == 0 {
            return;
        }
        let cells = self.rule.cells(&counts[..G::PLAYERS]);
        let Some(at) = self.store.insert(key, total + cells) else { return };
        let block = self.store.entry(at).items;
        let mut ids = block.iter();
        for player in players::<G>().filter(|player| counts[player.index()] > 0) {
            let mut list = listed(state, player);
            self.policy.order(state, player, &mut list, &mut self.rng);
            for (&m, id) in list.iter().zip(&mut ids) {
                *self.store.pool.get_mut(id) = Arm { m, player: player.index() as u8, ..Arm::default() };
            }
        }
        for id in ids {
            self.store.pool.get_mut(id).player = CELL;
        }
    }
}
