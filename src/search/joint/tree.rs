//! Monte Carlo tree search over joint moves: the part that all rules of choosing moves share.
//!
//! A state has *arms*, one for each move of each player, and each player chooses among its own. The state after a joint move
//! is found by its hash, and chance is drawn on the way. So a state with a moves of one player and b of the
//! other takes a + b arms, and not a · b children.

use crate::clock::{Budget, Meter, Rare};
use crate::cpu::{self, Cpu, Task};
use crate::game::Player;
use crate::joint::{players, Choices, Joint, MAX_PLAYERS};
use crate::list::Moves;
use crate::pool::{check_moves, NodeId, Pool};
use crate::rng::Rng;
use crate::tree::Memory;

use super::chance::{Chance, Widening};
use super::playout::{play_out, points, put_in_order, worth, Playout};
use super::report::{listed, Answer, JointReport, Seen};
use super::rule::{Arm, Node, Range, Ranges, Rule, View, CELL, NO_ARM};
use super::store::{Entry, Store};
use super::strategy::{Strategy, MANY};

/// Maximum length of a path through the tree; a playout starts there.
const MAX_PATH: usize = 512;

/// The note of a state whose items aren't the arms of one player; otherwise it is that player's number.
const SEVERAL: u16 = u16::MAX;

/// A path's step: a state, and the arm of each player there.
#[derive(Debug, Clone, Copy)]
struct Step {
    at: usize,
    arms: [u16; MAX_PLAYERS],
    /// The players who chose to explore, a bit each.
    explorers: u8,
}

/// A move on a path, for rules that learn by arms.
#[derive(Debug, Clone, Copy)]
struct PathArm {
    arm: NodeId,
    player: u8,
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
    /// The path, for rules that learn by arms.
    made: Vec<PathArm>,
    span: (f32, f32),
    meter: Meter<16>,
}

impl<G: Joint, R: Rule, P: Playout<G>> JointTree<G, R, P> {
    pub(super) fn new(
        bytes: usize,
        seed: u64,
        rule: R,
        policy: P,
        shape: (Option<Widening>, bool, Answer),
    ) -> Self {
        check_moves::<<G::Moves as Moves<G::Move>>::Ranks>();
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
            path: Vec::with_capacity(if R::BY_ARM { 0 } else { MAX_PATH }),
            made: Vec::with_capacity(if R::BY_ARM { MAX_PATH * G::PLAYERS } else { 0 }),
            span: (f32::INFINITY, f32::NEG_INFINITY),
            meter: Meter::new(Budget::nodes(0)),
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
        self.meter = self.meter.again(budget);
        if !self.keep_tree {
            self.store.clear();
            self.chance.iter_mut().for_each(Chance::clear);
        }
        self.store.begin();
        self.chance.iter_mut().for_each(Chance::begin);
        let list = listed(game, player);
        if list.is_empty() {
            let is_over = game.is_over();
            return JointReport::without_moves(worth(game, &self.policy, player, is_over), is_over);
        }
        if !self.meter.is_in_time() {
            let (best, strategy) = (list.first().copied(), Strategy::new(&list, |_| 1.0));
            return JointReport { best, strategy, ..JointReport::without_moves(0.0, false) };
        }
        let key = game.hash();
        let kept = self.store.find(key).map_or(0, |at| u64::from(self.store.entry(at).visits));
        let depth = cpu::dispatch(Grow { tree: self, game });
        let (strategy, value) = match self.peek(key, player, &list) {
            Some(seen) => (seen.strategy, seen.value),
            None => {
                let value = self.meter.is_in_time().then(|| worth(game, &self.policy, player, false));
                (Strategy::new(&list, |_| 1.0), value.unwrap_or(0.0))
            }
        };
        let best = match self.answer {
            Answer::Drawn => strategy.draw(&mut self.rng),
            Answer::Mode => strategy.mode(),
        };
        // Among many, the arms may be those of another state of this hash.
        let best = best.filter(|m| list.len() <= MANY || list.contains(m)).or(list.first().copied());
        JointReport { best, strategy, value, nodes: self.meter.nodes(), depth, exact: false, kept }
    }

    pub(super) fn seen(&self, game: &G, player: Player) -> Option<Seen<G>> {
        let list = listed(game, player);
        if list.is_empty() {
            return None;
        }
        self.peek(game.hash(), player, &list)
    }

    fn peek(&self, key: u64, player: Player, list: &[G::Move]) -> Option<Seen<G>> {
        let at = self.store.find(key)?;
        let entry = *self.store.entry(at);
        let ranges = Ranges::of(&self.store.pool, entry.items());
        let range = *ranges.each().iter().find(|range| usize::from(range.player) == player.index())?;
        let arm = |i: u16| self.store.pool.get(entry.items().get(usize::from(range.first + i)));
        let weight = |i: usize| {
            let own = (0..range.len).map(arm).find(|arm| arm.m == list[i]);
            own.map_or(0.0, |arm| self.rule.weight(arm))
        };
        let strategy = if list.len() > MANY && usize::from(range.len) == list.len() {
            let mut moves = G::Moves::default();
            (0..range.len).for_each(|i| moves.push(arm(i).m));
            Strategy::new(&moves, |i| self.rule.weight(arm(i as u16)))
        } else {
            Strategy::new(list, weight)
        };
        let value = self.rule.value(&View { pool: &self.store.pool, block: entry.items() }, &ranges, range);
        Some(Seen { visits: u64::from(entry.visits), strategy, value })
    }

    #[inline(never)]
    fn iterate_carefully(&mut self, game: &G) -> usize {
        self.iterate::<true>(game).unwrap_or(0)
    }

    /// One iteration: down the tree, a playout, and what was learnt from it, if the deadline didn't pass. Returns the
    /// length of the path; `None` if it is to be repeated with care.
    #[inline(always)]
    fn iterate<const CAREFUL: bool>(&mut self, game: &G) -> Option<usize> {
        let mut state = game.clone();
        self.path.clear();
        self.made.clear();
        let mut depth = 0;
        let is_over = loop {
            if !self.meter.step_if::<CAREFUL>() {
                return Some(depth);
            }
            match (&mut self.chance, &self.widening) {
                (Some(chance), Some(widening)) => chance.let_happen(&mut state, widening, &mut self.rng),
                _ => state.let_happen(&mut self.rng),
            }
            if depth == MAX_PATH {
                break false;
            }
            if !self.meter.step_if::<CAREFUL>() {
                return Some(depth);
            }
            let key = state.hash();
            let Some(at) = self.store.find(key) else {
                if !self.meter.meets_if::<CAREFUL>(Rare::FIRST_LIST) {
                    return CAREFUL.then_some(depth);
                }
                break !self.insert::<CAREFUL>(&state, key);
            };
            // Written in place: a copy would wait until the single moves have reached memory.
            let mut choices = Choices::NONE;
            self.descend(at, &mut choices);
            if !self.meter.step_if::<CAREFUL>() {
                return Some(depth);
            }
            state.play(&choices);
            depth += 1;
        };
        let points = match is_over {
            true => points::<_, _, CAREFUL>(&state, &self.policy, true, &mut self.meter),
            false => play_out::<_, _, CAREFUL>(&mut state, &mut self.policy, &mut self.rng, &mut self.meter),
        };
        let Some(mut points) = points else { return CAREFUL.then_some(depth) };
        for player in players::<G>() {
            let own = points[player.index()] as f32;
            self.span = (self.span.0.min(own), self.span.1.max(own));
        }
        for &PathArm { arm, player } in &self.made {
            self.store.pool.get_mut(arm).add(points[usize::from(player)] as f32);
        }
        for step in self.path.iter().rev() {
            let entry = *self.store.entry(step.at);
            let Store { pool, .. } = &mut self.store;
            let mut node = Node { pool, block: entry.items(), visits: entry.visits, span: self.span };
            self.rule.learn(&mut node, (&step.arms[..G::PLAYERS], step.explorers), &points);
            if step.explorers != 0 && self.rule.hides_exploration() {
                let view = View { pool: &self.store.pool, block: entry.items() };
                let ranges = Ranges::of(&self.store.pool, entry.items());
                for &range in ranges.each() {
                    points[usize::from(range.player)] = self.rule.value(&view, &ranges, range);
                }
            }
        }
        Some(depth)
    }

    /// Chooses each player's move in a stored state.
    #[inline(always)]
    fn descend(&mut self, at: usize, choices: &mut Choices<G::Move>) {
        let entry = *self.store.visit(at);
        if R::BY_ARM && entry.note != SEVERAL {
            let (i, _) =
                self.choose(&entry, Range { player: entry.note as u8, first: 0, len: entry.items().len });
            return self.make(&entry, entry.note as u8, i, choices);
        }
        let ranges = Ranges::of(&self.store.pool, entry.items());
        let mut step = Step { at, arms: [NO_ARM; MAX_PLAYERS], explorers: 0 };
        for &range in ranges.each() {
            let (i, explores) = self.choose(&entry, range);
            step.explorers |= u8::from(explores) << range.player;
            step.arms[usize::from(range.player)] = i as u16;
            self.make(&entry, range.player, i, choices);
        }
        if !R::BY_ARM {
            self.path.push(step);
        }
    }

    /// A player's arm in a stored state, by the rule among those that are open, and whether it explores.
    #[inline(always)]
    fn choose(&mut self, entry: &Entry, range: Range) -> (usize, bool) {
        let open = match &self.widening {
            Some(widening) => widening.open_moves(usize::from(range.len), entry.visits) as u16,
            None => range.len,
        };
        if open == 1 {
            return (usize::from(range.first), false);
        }
        let (block, visits) = (entry.items(), entry.visits);
        let node = Node { pool: &mut self.store.pool, block, visits, span: self.span };
        let choice = self.rule.choose(&node, Range { len: open, ..range }, &mut self.rng);
        (choice.arm, choice.explores)
    }

    /// Makes a player's move, the one of an arm.
    #[inline(always)]
    fn make(&mut self, entry: &Entry, player: u8, arm: usize, choices: &mut Choices<G::Move>) {
        let arm = entry.items().get(arm);
        choices.set(Player::new(player), self.store.pool.get(arm).m);
        if R::BY_ARM {
            self.made.push(PathArm { arm, player });
        }
    }

    /// Stores a state, if it isn't over, there is room for it, and the deadline doesn't pass. Returns whether players have
    /// moves.
    #[inline(always)]
    fn insert<const CAREFUL: bool>(&mut self, state: &G, key: u64) -> bool {
        let mut counts = [0; MAX_PLAYERS];
        if let Some(player) = state.only_chooser() {
            let list = listed(state, player);
            let count = list.len();
            counts[player.index()] = count;
            if let Some(mut ids) = self.reserve(key, &counts) {
                if !self.write::<CAREFUL>(state, player, list, &mut ids) {
                    self.store.forget(key);
                    return true;
                }
            }
            return count > 0;
        }
        for player in players::<G>() {
            if !self.meter.step_if::<CAREFUL>() {
                return true;
            }
            counts[player.index()] = listed(state, player).len();
        }
        if let Some(mut ids) = self.reserve(key, &counts) {
            for player in players::<G>().filter(|player| counts[player.index()] > 0) {
                let is_written = self.meter.step_if::<CAREFUL>()
                    && self.write::<CAREFUL>(state, player, listed(state, player), &mut ids);
                if !is_written {
                    self.store.forget(key);
                    return true;
                }
            }
        }
        counts.iter().any(|&count| count > 0)
    }

    /// Makes room for a state's arms, given their number for each player, and its cells. `None` if the store is full or no player
    /// has a move.
    #[inline(always)]
    fn reserve(&mut self, key: u64, counts: &[usize; MAX_PLAYERS]) -> Option<impl Iterator<Item = NodeId>> {
        let arms: usize = counts.iter().sum();
        if arms == 0 {
            return None;
        }
        let cells = self.rule.cells(&counts[..G::PLAYERS]);
        let at = self.store.insert(key, arms + cells)?;
        let alone = counts.iter().position(|&count| count == arms + cells);
        let entry = self.store.touch(at);
        entry.note = alone.map_or(SEVERAL, |player| player as u16);
        let ids = entry.items().iter();
        for cell in ids.clone().skip(arms) {
            self.store.pool.get_mut(cell).player = CELL;
        }
        Some(ids)
    }

    /// Writes a player's moves into the next arms. False if the deadline passed, or the iteration is to be repeated with care.
    #[inline(always)]
    fn write<const CAREFUL: bool>(
        &mut self,
        state: &G,
        player: Player,
        mut list: G::Moves,
        ids: &mut impl Iterator<Item = NodeId>,
    ) -> bool {
        let (policy, rng, meter) = (&self.policy, &mut self.rng, &mut self.meter);
        if !put_in_order::<G, P, CAREFUL>(state, player, &mut list, policy, rng, meter) {
            return false;
        }
        let (own, run) = (player.index() as u8, list.len() as u16);
        for (&m, id) in list.iter().zip(ids) {
            let arm = self.store.pool.get_mut(id);
            (arm.m, arm.player, arm.run) = (m, own, run);
        }
        true
    }
}

/// The iterations of a search. Returns the length of the longest path.
struct Grow<'a, G: Joint, R, P> {
    tree: &'a mut JointTree<G, R, P>,
    game: &'a G,
}

impl<G: Joint, R: Rule, P: Playout<G>> Task for Grow<'_, G, R, P> {
    type Output = u32;

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) -> u32 {
        let mut depth = 0;
        while self.tree.meter.take() {
            let own = match self.tree.meter.is_careful() {
                true => None,
                false => self.tree.iterate::<false>(self.game),
            };
            depth = depth.max(own.unwrap_or_else(|| self.tree.iterate_carefully(self.game)));
        }
        depth as u32
    }
}
