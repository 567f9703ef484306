//! Best-first minimax: grows its tree where averages of backed-up values lead.

mod data;
mod tree;

use crate::clock::{Budget, Meter, Rare};
use crate::cpu::{self, Cpu, Task};
use crate::evaluation::Evaluation;
use crate::game::Game;
use crate::list::{List, Moves};
use crate::math;
use crate::pool::{check_moves, Block, NodeId, Pool};
use crate::score::Score;
use crate::search::keep::{keep, TreeReuse};
use crate::search::report::{line_of, unsearched, Report, Search};
use crate::tree::{Tree, LINE};

use data::{Best, Data, CLOSED, MINUS, NEVER, OPEN};

/// Maximum length of a path through the tree.
const MAX_PATH: usize = 512;

/// Length of the table of [`root_of_ln`], 256 kB. Selection needs it at each node of a path and waits for the result.
const KNOWN: u32 = 65_536;

/// Selection and tree reuse.
#[derive(Debug, Clone)]
pub struct BestFirstOptions {
    /// Bytes of the pool of nodes, allocated when the search is made: at least a node's.
    pub memory: usize,
    /// The constant C of UCB1 = average + C sqrt(ln N / n), with averages in 0 to 1 (Auer, Cesa-Bianchi and Fischer,
    /// *Finite-time Analysis of the Multiarmed Bandit Problem*, 2002).
    pub exploration: f32,
    /// The estimate, in the evaluation's units, that counts as three quarters of a win: an estimate x becomes ½ + ½
    /// x / (scale + |x|). Above 0. A certain win is 1, a certain loss 0. The median of |x| over the positions of
    /// games is a good start.
    pub scale: f32,
    /// Choose by the average of the values that were backed up to a node; otherwise by the last value, as Korf and
    /// Chickering do.
    pub average: bool,
    /// Keep the subtree of the position that was reached for the next search.
    pub keep_tree: bool,
}

impl Default for BestFirstOptions {
    fn default() -> BestFirstOptions {
        // Reversi, 5000 nodes a move, points of 100 games against alpha-beta without table: 79 to 86 with 0.05 or
        // 0.1, 71 with 0.02, fewer from 0.2 on. 500 is that evaluation's median.
        BestFirstOptions { memory: 64 << 20, exploration: 0.1, scale: 500.0, average: true, keep_tree: true }
    }
}

/// √ln n; 0 for no visit.
#[inline(always)]
fn root_of_ln(visits: u32) -> f32 {
    math::ln(visits.max(1) as f32).sqrt()
}

/// Best-first minimax with averages, for two players or one.
///
/// Each iteration goes down the tree by UCB1 over the nodes' averages to a leaf, makes *all* its children, evaluates
/// each, and backs up minimax values: a node is worth the best of its children to the player to move. Each node of
/// the path averages the values it has had, one a visit, so an old value weighs more than a new one. A child's own
/// estimate is its first visit.
///
/// Results of finished games are certain. A node is *closed*, and not visited again, when nothing below it can
/// change its value: its children are closed, or could at best win later than its certain win. A closed root ends
/// the search.
///
/// The answer is a certain win if there is one, the quickest. Otherwise it is the child with the largest value +
/// ln(visits), values in 0 to 1: values with many visits are more reliable. A closed child with an equal or better
/// value is taken instead. Certain losses come last, the slowest first.
///
/// When the pool is full, a leaf takes the best of its children's values without storing the children, and is
/// skipped for the rest of the search.
///
/// Minimax values that decide where the tree grows: Korf and Chickering, *Best-First Minimax Search* (1996). UCB1 in
/// a tree: Kocsis and Szepesvári (2006); with minimax back-ups instead of playouts: Ramanujan and Selman,
/// *Trade-offs in Sampling-based Adversarial Planning* (2011). value + ln(visits) is what authors of ultimate
/// tic-tac-toe bots report.
///
/// ```
/// # mod nim { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/examples/nim.rs")); }
/// use coppice::search::{BestFirst, BestFirstOptions};
/// use coppice::{Budget, Player, Search};
/// # use nim::{Even, Nim};
/// let mut search = BestFirst::new(Even, BestFirstOptions::default());
/// let report = search.search(&Nim::<2>(6, Player::FIRST), Budget::nodes(10_000));
/// assert_eq!(report.best, Some(2), "four stones lose for the opponent");
/// ```
#[derive(Debug, Clone)]
pub struct BestFirst<G: Game, E> {
    evaluation: E,
    options: BestFirstOptions,
    pool: Pool<Data<G::Move>>,
    /// The game at the root.
    game: Option<G>,
    /// The path of an iteration, and whether the player who chose a node moves there again.
    path: Vec<(NodeId, bool)>,
    /// [`root_of_ln`] of the numbers below [`KNOWN`].
    roots: Vec<f32>,
    /// The number of this search: 1 to 254, then 1 again.
    turn: u8,
    meter: Meter<256>,
    /// The best of the root's moves that were evaluated before the deadline cut its expansion off, and its value.
    cut_off: Option<(G::Move, Score)>,
}

impl<G: Game, E: Evaluation<G>> BestFirst<G, E> {
    /// A search by this evaluation.
    ///
    /// # Panics
    /// If the scale is not above 0. When compiled, if the game has more than two players.
    pub fn new(evaluation: E, options: BestFirstOptions) -> BestFirst<G, E> {
        const { assert!(G::PLAYERS <= 2, "best-first minimax is for one or two players") };
        assert!(options.scale > 0.0, "the scale is not above 0");
        check_moves::<<G::Moves as Moves<G::Move>>::Ranks>();
        BestFirst {
            evaluation,
            pool: Pool::with_bytes(options.memory),
            options,
            game: None,
            path: Vec::with_capacity(MAX_PATH),
            roots: (0..KNOWN).map(root_of_ln).collect(),
            turn: OPEN,
            meter: Meter::new(Budget::nodes(0)),
            cut_off: None,
        }
    }

    /// The evaluation.
    pub fn evaluation(&self) -> &E {
        &self.evaluation
    }

    /// The bytes of one node.
    pub const NODE_BYTES: usize = Pool::<Data<G::Move>>::NODE_BYTES;

    /// Forgets all earlier searches.
    pub fn clear(&mut self) {
        self.pool.clear();
        self.game = None;
    }

    /// Makes `game` the root: with the last search's subtree, if the position is a few moves below the old root, or
    /// else with an empty tree. Returns [`Report::restarted`].
    fn settle(&mut self, game: &G, budget: &Budget) -> bool {
        let last = self.game.as_ref().filter(|_| self.options.keep_tree);
        let root = self.pool.root();
        // A kept root's value is from its chooser's point of view.
        let kept = keep(&mut self.pool, last, game, budget, |_, data| Some(data.m));
        if matches!(kept, TreeReuse::Subtree { .. }) && !self.pool.children(root).is_empty() {
            let best = self.best_of_children(root);
            self.set(root, best, true);
        }
        self.game = Some(game.clone());
        self.turn = self.turn % (CLOSED - 1) + 1;
        kept.restarted()
    }

    #[inline(always)]
    fn grow<C: Cpu>(&mut self, _cpu: C, game: &G) {
        if self.pool.children(self.pool.root()).is_empty() {
            // The kept tree may fill the whole pool, so that its root can't be expanded: start a new tree.
            self.pool.clear();
        }
        while !self.is_done(self.pool.get(self.pool.root())) && self.iterate(game.clone()) {}
    }

    /// Whether nothing below a node can be searched any more in this search.
    #[inline(always)]
    fn is_done(&self, data: &Data<G::Move>) -> bool {
        data.is_closed() || data.state == self.turn
    }

    /// One iteration: descends to a leaf, expands it and backs up. False if the children don't fit into the budget, or
    /// the deadline passed.
    #[inline(always)]
    fn iterate(&mut self, mut state: G) -> bool {
        let mut id = self.pool.root();
        self.path.clear();
        self.path.push((id, true));
        while let Some(child) = self.select(id).filter(|_| self.path.len() < MAX_PATH) {
            if !self.meter.step() {
                return false;
            }
            id = child;
            let mover = state.to_move();
            state.play(self.pool.get(id).m);
            self.path.push((id, state.to_move() == mover));
        }
        let stuck = !self.pool.children(id).is_empty() || self.path.len() == MAX_PATH;
        let mut changed = false;
        if !stuck {
            let Some(best) = self.expand(id, &state) else { return false };
            changed = self.set(id, best, self.path[self.path.len() - 1].1);
        }
        if self.pool.children(id).is_empty() || stuck {
            let data = self.pool.get_mut(id);
            data.state = if data.is_closed() { CLOSED } else { self.turn };
        }
        for i in (0..self.path.len()).rev() {
            let (id, same) = self.path[i];
            if changed && i + 1 < self.path.len() {
                let best = self.best_of_children(id);
                changed = self.set(id, best, same);
            }
            let average = self.options.average;
            let value = self.squash(self.pool.get(id).value);
            let data = self.pool.get_mut(id);
            data.visits += 1;
            data.spread = (1.0 / data.visits as f32).sqrt();
            data.average =
                if average { data.average + (value - data.average) / data.visits as f32 } else { value };
        }
        true
    }

    /// Evaluates all children of a leaf, and keeps them if the pool has room. `None` if they don't fit into the
    /// budget, or the deadline passed: then the leaf stays one.
    #[inline(always)]
    fn expand(&mut self, id: NodeId, game: &G) -> Option<Best> {
        if !self.meter.meets(Rare::LIST) {
            return None;
        }
        let mut list = G::Moves::default();
        game.moves(&mut list);
        if list.is_empty() {
            // The game is over on this way to the state, and was not on that of the last turn's tree.
            let ended = self.evaluation.ended(game).subtract_mate_distance(1);
            return Some(Best { value: ended, lower: ended, upper: ended });
        }
        if !self.meter.allows(list.len() as u64) {
            return None;
        }
        let block = self.pool.expand(id, list.len());
        let (mut best, mut made) = (Best::NONE, 0);
        if !self.meter.is_careful() {
            (best, made) = self.fill::<false>(block, game, &list, (best, 0));
        }
        if made < list.len() {
            (best, made) = self.fill_carefully(block, game, &list, (best, made));
        }
        self.meter.add(made as u64);
        if made < list.len() {
            self.cut_off(id, made, list[0]);
            return None;
        }
        Some(best)
    }

    /// Evaluates the moves of a position from number `made` on. Returns the best of all, and how many are evaluated then: all,
    /// until the deadline; without `CAREFUL` until the meter is careful.
    #[inline(always)]
    fn fill<const CAREFUL: bool>(
        &mut self,
        block: Option<Block>,
        game: &G,
        list: &[G::Move],
        (mut best, made): (Best, usize),
    ) -> (Best, usize) {
        let estimate = self.evaluation.below(game);
        for (i, &m) in list.iter().enumerate().skip(made) {
            if !self.meter.step_if::<CAREFUL>() {
                return (best, i);
            }
            let next = game.after(m);
            let over = next.is_over();
            if over && !self.meter.meets(Rare::END) || !self.meter.step_if::<CAREFUL>() {
                return (best, i);
            }
            let value = if over { self.evaluation.ended(&next) } else { estimate(m, &next) };
            let value = value.for_parent(next.to_move() == game.to_move());
            let state = if over { CLOSED } else { OPEN };
            let average = self.squash(value);
            let interest = self.evaluation.interest(game, &next);
            let data = Data { value, average, visits: 1, interest, m, state, ..Data::default() };
            best = best.or(&data);
            if let Some(block) = block {
                *self.pool.get_mut(block.get(i)) = data;
            }
            if !CAREFUL && over && self.meter.is_careful() {
                return (best, i + 1);
            }
        }
        (best, list.len())
    }

    #[inline(never)]
    fn fill_carefully(
        &mut self,
        block: Option<Block>,
        game: &G,
        list: &[G::Move],
        done: (Best, usize),
    ) -> (Best, usize) {
        self.fill::<true>(block, game, list, done)
    }

    /// Takes a leaf's `count` evaluated children away again; `first` is its first move.
    #[cold]
    fn cut_off(&mut self, id: NodeId, count: usize, first: G::Move) {
        if id == self.pool.root() {
            let made = self.pool.each(self.pool.children(id)).take(count);
            let best = made.reduce(|best, next| if next.value > best.value { next } else { best });
            self.cut_off = Some(best.map_or((first, Score::DRAW), |best| (best.m, best.value)));
        }
        self.pool.prune(id);
    }

    #[inline(always)]
    fn best_of_children(&self, id: NodeId) -> Best {
        self.pool.each(self.pool.children(id)).fold(Best::NONE, Best::or)
    }

    /// Sets a node's value and bounds from its children, one ply further. Returns whether they changed. `same` if
    /// its chooser moves there.
    #[inline(always)]
    fn set(&mut self, id: NodeId, best: Best, same: bool) -> bool {
        let value = best.value.add_mate_distance(1).for_parent(same);
        let (mut lower, mut upper) = (best.lower.add_mate_distance(1), best.upper.add_mate_distance(1));
        if !same {
            (lower, upper) = (-upper, -lower);
        }
        let plies = |score: Score| score.plies_to_end().map_or(NEVER, |plies| plies.min(254) as u8);
        let win = if upper.is_win() { plies(upper) } else { NEVER };
        let loss = if lower.is_loss() { plies(lower) } else { NEVER };
        let data = self.pool.get_mut(id);
        let state = if best.upper <= best.lower { CLOSED } else { data.state };
        let old = (data.value, data.win, data.loss, data.state);
        (data.value, data.win, data.loss, data.state) = (value, win, loss, state);
        old != (value, win, loss, state)
    }

    /// An estimate between 0 and 1.
    #[inline(always)]
    fn squash(&self, score: Score) -> f32 {
        if score.is_win() || score.is_loss() {
            return if score.is_win() { 1.0 } else { 0.0 };
        }
        let x = score.value() as f32;
        0.5 + 0.5 * x / (self.options.scale + x.abs())
    }

    /// The child with the best UCB1, of those that can still change what the node is worth. `None` if nothing is
    /// left to search.
    #[inline(always)]
    fn select(&self, id: NodeId) -> Option<NodeId> {
        // With no proven win, any child that could still win is worth a visit.
        let value = self.pool.get(id).value;
        if !value.is_win() && !value.is_loss() {
            let best = self.select_above(id, MINUS)?;
            if self.pool.get(best).upper().is_win() {
                return Some(best);
            }
        }
        self.select_above(id, self.settled(id))
    }

    /// The child with the best UCB1, of those that could be worth more than this.
    #[inline(always)]
    fn select_above(&self, id: NodeId, settled: Score) -> Option<NodeId> {
        let visits = self.pool.get(id).visits;
        let root = self.roots.get(visits as usize).copied().unwrap_or_else(|| root_of_ln(visits));
        let scale = self.options.exploration * root;
        let children = self.pool.children(id);
        let mut best = None;
        let mut best_value = f32::NEG_INFINITY;
        for (i, data) in self.pool.each(children).enumerate() {
            if self.is_done(data) || settled > MINUS && data.upper() <= settled {
                continue;
            }
            let value = data.average + scale * data.interest * data.spread;
            if value > best_value {
                (best, best_value) = (Some(i), value);
            }
        }
        best.map(|i| children.get(i))
    }

    /// The value that the player to move at a node is guaranteed.
    #[inline(always)]
    fn settled(&self, id: NodeId) -> Score {
        let lower = self.pool.children(id).iter().map(|child| self.pool.get(child).lower());
        lower.max().unwrap_or(MINUS)
    }

    /// The answer at a node, as described at [`BestFirst`].
    fn best_child(&self, id: NodeId) -> Option<NodeId> {
        let settled = self.settled(id);
        let children = self.pool.children(id).iter();
        let certain = children.clone().find(|&child| self.pool.get(child).lower() == settled)?;
        let merit = |data: &Data<G::Move>| match data.value.plies_to_end() {
            Some(_) => data.value.value() as f32,
            None => self.squash(data.value) + math::ln(data.visits.max(1) as f32),
        };
        let mut best = None;
        let mut best_merit = f32::NEG_INFINITY;
        for child in children.filter(|&child| self.pool.get(child).upper() > settled) {
            let merit = merit(self.pool.get(child));
            if merit > best_merit {
                (best, best_merit) = (Some(child), merit);
            }
        }
        let Some(open) = best else { return Some(certain) };
        let (data, value) = (self.pool.get(certain), self.pool.get(open).value);
        let is_founded = settled.is_win() || data.is_closed();
        Some(if is_founded && data.value >= value { certain } else { open })
    }

    fn report(&mut self, game: &G) -> Report<G::Move> {
        let nodes = self.meter.nodes();
        let root = self.pool.root();
        let Some(best) = self.best_child(root) else {
            if let Some((m, value)) = self.cut_off {
                let score = value.add_mate_distance(1);
                return Report { best: Some(m), score, nodes, depth: 1, solved: false, restarted: false };
            }
            // Not even the root's children fit into the budget, or the pool.
            let mut list = G::Moves::default();
            game.moves(&mut list);
            let best = list.first().copied();
            let score = match best {
                None => self.evaluation.ended(game),
                Some(_) if self.meter.is_in_time() => self.evaluation.evaluate(game),
                Some(_) => Score::DRAW,
            };
            return Report { best, score, nodes, depth: 0, solved: best.is_none(), restarted: false };
        };
        let mut depth = 0;
        let mut at = Some(best);
        while let Some(child) = at {
            depth += 1;
            at = self.best_child(child);
        }
        let data = self.pool.get(best);
        let score = data.value.add_mate_distance(1);
        let solved = self.pool.get(root).is_closed() || score.is_win() || self.pool.get(root).value.is_loss();
        Report { best: Some(data.m), score, nodes, depth, solved, restarted: false }
    }
}

struct Grow<'a, G: Game, E> {
    search: &'a mut BestFirst<G, E>,
    game: &'a G,
}

impl<G: Game, E: Evaluation<G>> Task for Grow<'_, G, E> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        self.search.grow(cpu, self.game);
    }
}

impl<G: Game, E: Evaluation<G>> Search<G> for BestFirst<G, E> {
    fn search(&mut self, game: &G, budget: Budget) -> Report<G::Move> {
        (self.meter, self.cut_off) = (self.meter.again(budget), None);
        if !self.meter.is_in_time() {
            return unsearched(game, &self.evaluation);
        }
        let restarted = self.settle(game, &budget);
        if self.meter.is_in_time() && !game.is_over() && self.meter.is_in_time() {
            cpu::dispatch(Grow { search: self, game });
        }
        Report { restarted, ..self.report(game) }
    }

    fn line(&self, game: &G, best: G::Move) -> List<G::Move, LINE> {
        line_of(self, game, best)
    }

    fn tree(&self) -> Option<&dyn Tree<G>> {
        Some(self)
    }
}
