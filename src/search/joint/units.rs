//! One tree for each unit, known as Smitsimax: for players who move several units at the same time.

use crate::clock::{Budget, Meter};
use crate::game::Player;
use crate::joint::{players, Choices, Joint, MAX_PLAYERS};
use crate::list::Moves;
use crate::pool::{check_moves, NodeId, Pool};
use crate::rng::Rng;
use crate::search::mcts::Uniform;
use crate::search::rates::Rates;
use crate::tree::Memory;

use super::follow::turn_between;
use super::playout::{points, put_in_order, worth, Playout};
use super::report::{listed, JointReport, JointSearch, Seen};
use super::strategy::{Strategy, MANY};

/// Parameters of the search.
#[derive(Debug, Clone)]
pub struct UnitsOptions {
    /// Bytes of the pool of nodes, which the units' trees share, allocated when the search is made: at least a node's.
    pub memory: usize,
    /// The seed of the random numbers: the same seed gives the same answers within the same budgets of nodes.
    pub seed: u64,
    /// The constant C of UCB1 = mean + C sqrt(ln N / n), with each unit's points scaled to 0 to 1 by the least and the
    /// most it has had.
    pub exploration: f32,
    /// The number of turns looked ahead, from 1 to 64: then [`Playout::estimate`] says what each unit has reached.
    /// The playout's own limit is not used.
    pub turns: u32,
    /// Use what the last search stored, if its turn leads to this state.
    pub keep_tree: bool,
}

impl Default for UnitsOptions {
    fn default() -> UnitsOptions {
        UnitsOptions { memory: 64 << 20, seed: 0, exploration: 0.9, turns: MAX_TURNS as u32, keep_tree: true }
    }
}

const MAX_TURNS: usize = 64;

/// A unit's move after its earlier ones.
#[derive(Debug, Clone, Copy, Default)]
struct Node<M> {
    m: M,
    visits: u32,
    mean: f32,
}

/// A tree for each unit (P. Smits, *Smitsimax*, a method for CodinGame contests, 2020). The game has a *player for each
/// unit*: up to eight, whoever they belong to. A unit's payoff is what it should strive for, for example its side's
/// score and a little for its own position.
///
/// A unit's tree branches by its own moves alone; all units move down their trees at the same time, and each learns
/// from what it got. So four units with 7 moves each have trees of 7 branches a turn, not of 2401. A tree's node is
/// one history of the unit, whatever the others did: it can't answer their moves, and is right where units rarely
/// have to. No equilibrium is promised. A move that isn't legal where a history leads this time is not chosen.
///
/// The answer has a move of each unit: where the deadline passes before the search has listed them, that takes a call for
/// each.
///
/// An iteration is a node. The answer is each unit's most visited move: [`Units::choices`] has those of all units, so one
/// search moves a whole side.
///
/// When the game moves on, each unit's tree goes down by the move that it made. Say with [`Units::played`] which those were.
/// Otherwise the search tries all joint moves of the last state for one that leads to this one, if there are no more than
/// 20,000, and starts over where none does.
///
/// ```
/// # mod nim { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/examples/nim.rs")); }
/// # use nim::Nim;
/// use coppice::search::{JointSearch, Units, UnitsOptions};
/// use coppice::{Budget, Player, Turns};
///
/// let mut search = Units::new(UnitsOptions::default());
/// let nim: Turns<_> = Turns(Nim::<2>(3, Player::FIRST));
/// let report = search.search(&nim, Player::FIRST, Budget::nodes(1_000));
/// assert_eq!(report.best, Some(3));
/// assert_eq!(search.choices().of(Player::FIRST), Some(3));
/// ```
#[derive(Debug, Clone)]
pub struct Units<G: Joint, P = Uniform> {
    options: UnitsOptions,
    playout: P,
    pool: Pool<Node<G::Move>>,
    rng: Rng,
    rates: Rates,
    choices: Choices<G::Move>,
    /// Each unit's nodes in this iteration, and how many.
    paths: [[NodeId; MAX_TURNS]; MAX_PLAYERS],
    depths: [usize; MAX_PLAYERS],
    spans: [(f32, f32); MAX_PLAYERS],
    /// The state that the trees begin with; `None` after [`Units::played`].
    last: Option<G>,
    /// The trees begin with the next state that is searched.
    is_told: bool,
    meter: Meter<16>,
}

impl<G: Joint> Units<G> {
    /// A search with random playouts.
    pub fn new(options: UnitsOptions) -> Units<G> {
        Units::with_playout(Uniform, options)
    }
}

impl<G: Joint, P: Playout<G>> Units<G, P> {
    /// A search with playouts of its own.
    pub fn with_playout(playout: P, options: UnitsOptions) -> Units<G, P> {
        check_moves::<<G::Moves as Moves<G::Move>>::Ranks>();
        let options = UnitsOptions { turns: options.turns.clamp(1, MAX_TURNS as u32), ..options };
        let pool = Pool::with_bytes(options.memory);
        let root = pool.root();
        Units {
            playout,
            rng: Rng::new(options.seed),
            options,
            rates: Rates::new(),
            choices: Choices::NONE,
            paths: [[root; MAX_TURNS]; MAX_PLAYERS],
            depths: [0; MAX_PLAYERS],
            spans: [NO_SPAN; MAX_PLAYERS],
            last: None,
            is_told: false,
            meter: Meter::new(Budget::nodes(0)),
            pool,
        }
    }

    /// Tells the search which moves were made, one for each unit that made one, in the state that it searched last: the
    /// next search keeps what follows them, whatever state it is given. So a state that was read from rounded numbers is
    /// recognised. Call it once for each turn since the last search.
    pub fn played(&mut self, choices: &Choices<G::Move>) {
        for unit in players::<G>() {
            let (Some(m), Some(top)) = (choices.of(unit), self.top(unit)) else { continue };
            let made = self.pool.children(top).iter().find(|&id| self.pool.get(id).m == m);
            match made {
                Some(child) => self.pool.lift(top, child),
                None => self.pool.prune(top),
            }
        }
        (self.last, self.is_told) = (None, true);
    }

    /// Makes the trees begin with this state, given each unit's moves: keeps what is stored for it, or begins again.
    fn begin(&mut self, game: &G, lists: &[G::Moves; MAX_PLAYERS], budget: &Budget) {
        let is_told = std::mem::take(&mut self.is_told);
        let last = self.last.replace(game.clone());
        let is_same = last.as_ref() == Some(game);
        let is_kept = self.options.keep_tree
            && match last {
                None => is_told,
                Some(last) if last == *game => true,
                Some(last) => match turn_between(&last, game, budget) {
                    Some(turn) => {
                        self.played(&turn);
                        (self.last, self.is_told) = (Some(game.clone()), false);
                        true
                    }
                    None => false,
                },
            };
        if !is_kept {
            self.pool.clear();
            self.spans = [NO_SPAN; MAX_PLAYERS];
        }
        // A tree that was grown where other moves were legal lacks some. Many aren't looked up: there, a tree is only kept for
        // the same state.
        for unit in players::<G>() {
            let Some(top) = self.top(unit) else { continue };
            let list = &lists[unit.index()];
            let arms = || self.pool.each(self.pool.children(top));
            let is_whole = match list.len() {
                0..=MANY => list.iter().all(|&m| arms().any(|arm| arm.m == m)),
                _ => is_same,
            };
            if !is_whole {
                self.pool.prune(top);
            }
        }
        if self.pool.children(self.pool.root()).is_empty() {
            // Without room for the tops, playouts go on and moves stay equal.
            let _ = self.pool.expand(self.pool.root(), G::PLAYERS);
        }
    }

    /// The last search's answer for every unit.
    pub fn choices(&self) -> Choices<G::Move> {
        self.choices
    }

    /// The top of a unit's tree; `None` if the pool is too small for one.
    fn top(&self, unit: Player) -> Option<NodeId> {
        let tops = self.pool.children(self.pool.root());
        (unit.index() < tops.len()).then(|| tops.get(unit.index()))
    }

    #[inline(never)]
    fn iterate_carefully(&mut self, game: &G) {
        let _ = self.iterate::<true>(game);
    }

    /// One iteration; nothing is learnt from it if the deadline passed. False if it is to be repeated with care.
    fn iterate<const CAREFUL: bool>(&mut self, game: &G) -> bool {
        let mut state = game.clone();
        let mut at: [Option<NodeId>; MAX_PLAYERS] = [None; MAX_PLAYERS];
        for unit in players::<G>() {
            at[unit.index()] = self.top(unit);
            self.depths[unit.index()] = 0;
        }
        let mut is_over = false;
        for _ in 0..self.options.turns {
            if !self.meter.step_if::<CAREFUL>() {
                return true;
            }
            state.let_happen(&mut self.rng);
            let (mut choices, mut any) = (Choices::NONE, false);
            for unit in players::<G>() {
                let i = unit.index();
                if !self.meter.step_if::<CAREFUL>() {
                    return true;
                }
                let m = match at[i] {
                    None => self.playout.next(&state, unit, &mut self.rng),
                    Some(node) => {
                        let list = listed(&state, unit);
                        if !self.meter.step_if::<CAREFUL>() {
                            return true;
                        }
                        at[i] = if list.is_empty() {
                            Some(node)
                        } else {
                            self.step::<CAREFUL>(&state, unit, node, list)
                        };
                        match at[i] {
                            Some(next) if next != node => Some(self.pool.get(next).m),
                            _ if P::RANKED && !self.meter.step_if::<CAREFUL>() => return true,
                            _ => self.playout.next(&state, unit, &mut self.rng),
                        }
                    }
                };
                if let Some(m) = m {
                    choices.set(unit, m);
                    any = true;
                }
            }
            is_over = !any;
            if is_over {
                break;
            }
            if !self.meter.step_if::<CAREFUL>() {
                return true;
            }
            state.play(&choices);
        }
        if !self.meter.step_if::<CAREFUL>() {
            return true;
        }
        if !is_over {
            state.let_happen(&mut self.rng);
            is_over = state.is_over();
        }
        let all = points::<_, _, CAREFUL>(&state, &self.playout, is_over, &mut self.meter);
        let Some(all) = all else { return CAREFUL };
        for unit in players::<G>().map(Player::index) {
            let own = all[unit] as f32;
            let span = &mut self.spans[unit];
            *span = (span.0.min(own), span.1.max(own));
            for &id in &self.paths[unit][..self.depths[unit]] {
                let node = self.pool.get_mut(id);
                node.visits += 1;
                node.mean += (own - node.mean) / node.visits as f32;
            }
        }
        true
    }

    /// A unit's next node, which is one of its moves; `None` if the tree ends here, has none of the legal moves,
    /// or the deadline passed.
    #[inline(always)]
    fn step<const CAREFUL: bool>(
        &mut self,
        state: &G,
        unit: Player,
        node: NodeId,
        mut list: G::Moves,
    ) -> Option<NodeId> {
        let i = unit.index();
        let is_top = self.depths[i] == 0;
        if self.pool.children(node).is_empty() {
            // A leaf that was visited before: it grows. Moves that the estimate ranks first are tried first.
            if !is_top && self.pool.get(node).visits == 0 {
                return None;
            }
            let (playout, rng, meter) = (&self.playout, &mut self.rng, &mut self.meter);
            if !put_in_order::<G, P, CAREFUL>(state, unit, &mut list, playout, rng, meter) {
                return None;
            }
            let block = self.pool.expand(node, list.len())?;
            for (id, &m) in block.iter().zip(list.iter()) {
                self.pool.get_mut(id).m = m;
            }
        }
        let children = self.pool.children(node);
        let total: u32 = self.pool.each(children).map(|child| child.visits).sum();
        let (least, most) = self.spans[i];
        let scale = if most > least { 1.0 / (most - least) } else { 0.0 };
        let width = self.options.exploration * self.rates.of(total).growth;
        let (mut best, mut best_value) = (None, f32::NEG_INFINITY);
        for id in children.iter() {
            let child = self.pool.get(id);
            let value = match child.visits {
                0 => f32::INFINITY,
                visits => (child.mean - least) * scale + width * self.rates.of(visits).width,
            };
            // Few moves are the best so far, so few are looked up.
            if value > best_value && list.contains(&child.m) {
                (best, best_value) = (Some(id), value);
            }
        }
        let next = best?;
        self.paths[i][self.depths[i]] = next;
        self.depths[i] += 1;
        Some(next)
    }

    /// A unit's moves, many in the order of its arms.
    fn ordered(&self, unit: Player, list: &G::Moves) -> G::Moves {
        let arms = self.top(unit).map(|top| self.pool.children(top));
        let mut moves = G::Moves::default();
        match arms.filter(|arms| list.len() > MANY && arms.len() == list.len()) {
            Some(arms) => self.pool.each(arms).for_each(|arm| moves.push(arm.m)),
            None => list.iter().for_each(|&m| moves.push(m)),
        }
        moves
    }

    /// How often a unit made one of its moves, which are in that order.
    fn visits(&self, unit: Player, moves: &[G::Move], i: usize) -> u32 {
        let Some(top) = self.top(unit) else { return 0 };
        let arms = self.pool.children(top);
        if moves.len() > MANY {
            return if arms.len() == moves.len() { self.pool.get(arms.get(i)).visits } else { 0 };
        }
        self.pool.each(arms).find(|arm| arm.m == moves[i]).map_or(0, |arm| arm.visits)
    }
}

impl<G: Joint, P: Playout<G>> JointSearch<G> for Units<G, P> {
    fn search(&mut self, game: &G, player: Player, budget: Budget) -> JointReport<G> {
        self.choices = Choices::NONE;
        self.meter = self.meter.again(budget);
        let is_over = self.meter.is_in_time() && game.is_over();
        if is_over || self.meter.is_in_time() && game.awaits_chance() {
            let value = worth(game, &self.playout, player, is_over);
            return JointReport::without_moves(value, is_over);
        }
        // Also once the deadline has passed: the answer has a move of each unit.
        let lists: [G::Moves; MAX_PLAYERS] = std::array::from_fn(|i| match i < G::PLAYERS {
            true => listed(game, Player::new(i as u8)),
            false => G::Moves::default(),
        });
        if self.meter.is_in_time() {
            self.begin(game, &lists, &budget);
            let _ = self.meter.is_in_time();
        }
        let own = self.ordered(player, &lists[player.index()]);
        let kept = (0..own.len()).map(|i| u64::from(self.visits(player, &own, i))).sum();
        let mut depth = 0;
        while self.meter.take() {
            if self.meter.is_careful() || !self.iterate::<false>(game) {
                self.iterate_carefully(game);
            }
            depth = self.depths.iter().fold(depth, |depth, &own| depth.max(own as u32));
        }
        for unit in players::<G>() {
            let list = &lists[unit.index()];
            let moves = self.ordered(unit, list);
            let most = (0..moves.len()).rev().max_by_key(|&i| self.visits(unit, &moves, i)).map(|i| moves[i]);
            // The arms of many moves may be those of another state, if the deadline passed before the search.
            let most = most.filter(|m| list.len() <= MANY || list.contains(m)).or(list.first().copied());
            most.into_iter().for_each(|m| self.choices.set(unit, m));
        }
        let own = self.ordered(player, &lists[player.index()]);
        let strategy = Strategy::new(&own, |i| f64::from(self.visits(player, &own, i)));
        let best = self.choices.of(player);
        let top = self.top(player).map(|top| self.pool.each(self.pool.children(top)));
        let arm = top.and_then(|mut arms| arms.find(|arm| Some(arm.m) == best && arm.visits > 0));
        let value = match arm {
            Some(arm) => f64::from(arm.mean),
            None if self.meter.is_in_time() => worth(game, &self.playout, player, false),
            None => 0.0,
        };
        JointReport { best, strategy, value, nodes: self.meter.nodes(), depth, exact: false, kept }
    }

    /// Of the state that the trees begin with alone: further down, nodes stand for moves, not for states. The value is
    /// the mean over all moves.
    fn seen(&self, game: &G, player: Player) -> Option<Seen<G>> {
        self.last.as_ref().filter(|last| *last == game)?;
        let list = listed(game, player);
        let arms = self.pool.children(self.top(player)?);
        let (mut visits, mut sum) = (0, 0.0);
        for arm in self.pool.each(arms).filter(|arm| list.len() > MANY || list.contains(&arm.m)) {
            visits += u64::from(arm.visits);
            sum += f64::from(arm.visits) * f64::from(arm.mean);
        }
        let own = self.ordered(player, &list);
        let strategy = Strategy::new(&own, |i| f64::from(self.visits(player, &own, i)));
        (visits > 0).then(|| Seen { visits, strategy, value: sum / visits as f64 })
    }

    fn memory(&self) -> Option<Memory> {
        let node_bytes = Pool::<Node<G::Move>>::NODE_BYTES;
        Some(Memory { live: self.pool.live(), capacity: self.pool.capacity(), node_bytes })
    }
}

/// The span of a unit's points before it has had any.
const NO_SPAN: (f32, f32) = (f32::INFINITY, f32::NEG_INFINITY);
