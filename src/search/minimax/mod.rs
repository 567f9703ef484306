//! Minimax that keeps its whole tree, for any number of players, with siblings pruning.
//!
//! ```text
//!   one expansion                          siblings pruning, threshold 5, the root's mover maximises
//!
//!   root ── choose ── choose ── leaf            root 7
//!    ▲        ▲         │        │             ┌──┴──────┐
//!    │        │ no      │      all its         7         1     never pruned: the root's children
//!    └─ back ─┴─ up ◄───┘      moves are      ┌┴───┐   ┌─┴──┐
//!      (ends where nothing     made and       7   13   1    3     13 is 6 worse than 7 to its
//!       changes)               evaluated           ╳              chooser, the opponent: not explored
//! ```

mod node;
mod options;
mod threshold;
mod tree;

pub use options::{MinimaxOptions, Order};
pub use threshold::Threshold;

use crate::clock::{Budget, Meter, Rare};
use crate::cpu::{self, Cpu, Task};
use crate::evaluation::Evaluation;
use crate::game::Game;
use crate::list::{List, Moves};
use crate::pool::{check_moves, Block, NodeId, Pool};
use crate::score::Score;
use crate::search::keep::keep;
use crate::search::report::{line_of, unsearched, Report, Search};
use crate::tree::Tree;
use crate::tree::LINE;
use node::{Node, CLOSED, DEEPEST, IDLE};
use threshold::Used;

/// Expansions between two updates of the threshold.
const LOOK_EVERY: u32 = 64;

/// Minimax in the static pool, for any number of players, with siblings pruning.
///
/// An expansion makes all moves of a leaf and evaluates the positions after them. In the back-up each player
/// takes the child with its best value (max-n: Luckhardt and Irani, *An Algorithmic Solution of N-Person
/// Games*, 1986), ties go to the move that is listed first; wins lose value and losses gain value with every
/// ply. The back-up ends where nothing changes. A node counts as visited when it is created.
///
/// *Siblings pruning* (from MiniFrame): below the root's children, a node is explored only while it is worth
/// no less than its best sibling less the [`Threshold`], to the player who chooses between them. That is not
/// stored but decided on every descent: a pruned node returns when its siblings get worse, an open one is
/// pruned when they get better. A pruned node still has its value.
///
/// *Closing*: a node whose value is certain isn't explored again: the game is over there, or all its
/// children are closed, or a closed child wins and no other can win sooner. A closed root ends the
/// search. So does a full pool, and a tree in which nothing may be explored.
///
/// `N` is the number of values of a node: 1 for one or two players (the second player's is the negated
/// first), or the number of players. With two values a two-player game need not be zero-sum: each node stores
/// [`Evaluation::evaluate_for`] of both players. A node takes 19 bytes and the move for one value, rounded up to 4.
///
/// ```
/// # mod nim { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/examples/nim.rs")); }
/// use coppice::search::{Minimax, MinimaxOptions};
/// use coppice::{Budget, Player, Search};
/// # use nim::{Even, Nim};
///
/// let mut search = Minimax::new(Even, MinimaxOptions::default());
/// let report = search.search(&Nim::<2>(6, Player::FIRST), Budget::nodes(10_000));
/// assert_eq!(report.best, Some(2), "four stones lose for the opponent");
///
/// // More than two players: the number of values a node keeps is the number of players.
/// let mut search = Minimax::<_, _, 3>::for_players(Even, MinimaxOptions::default());
/// let report = search.search(&Nim::<3>(2, Player::FIRST), Budget::nodes(10_000));
/// assert_eq!(report.best, Some(2));
///
/// // Two players, each with a value of its own.
/// let mut search = Minimax::<_, _, 2>::for_players(Even, MinimaxOptions::default());
/// let report = search.search(&Nim::<2>(6, Player::FIRST), Budget::nodes(10_000));
/// assert_eq!(report.best, Some(2));
/// ```
#[derive(Debug, Clone)]
pub struct Minimax<G: Game, E, const N: usize = 1> {
    evaluation: E,
    options: MinimaxOptions,
    pool: Pool<Node<G::Move, N>>,
    /// The current threshold. [`Node::due`] holds for it or for a wider one.
    threshold: i32,
    /// The game at the root.
    game: Option<G>,
    /// The path from the root to the leaf that is expanded.
    path: Vec<(NodeId, G)>,
    meter: Meter<128>,
    /// The best of the root's moves that were evaluated before the deadline cut its expansion off.
    cut_off: Option<G::Move>,
}

impl<G: Game, E: Evaluation<G>> Minimax<G, E> {
    /// A search by this evaluation, for one or two players.
    ///
    /// # Panics
    /// When compiled, if the game has more than two players.
    pub fn new(evaluation: E, options: MinimaxOptions) -> Minimax<G, E> {
        Minimax::for_players(evaluation, options)
    }
}

impl<G: Game, E: Evaluation<G>, const N: usize> Minimax<G, E, N> {
    /// A search by this evaluation for `N` players, or for one or two with `N` = 1.
    ///
    /// # Panics
    /// When compiled, if `N` is neither the number of players nor, for two, 1.
    pub fn for_players(evaluation: E, options: MinimaxOptions) -> Minimax<G, E, N> {
        const {
            assert!(
                N == G::PLAYERS || N == 1 && G::PLAYERS == 2,
                "for N players, three or more: Minimax::<_, _, N>::for_players"
            )
        };
        check_moves::<<G::Moves as Moves<G::Move>>::Ranks>();
        let options = MinimaxOptions { max_depth: options.max_depth.min(DEEPEST), ..options };
        Minimax {
            evaluation,
            pool: Pool::with_bytes(options.memory),
            threshold: options.threshold.first(),
            game: None,
            path: Vec::with_capacity(options.max_depth as usize + 1),
            meter: Meter::new(Budget::nodes(0)),
            cut_off: None,
            options,
        }
    }

    /// The bytes of one node.
    pub const NODE_BYTES: usize = Pool::<Node<G::Move, N>>::NODE_BYTES;

    /// The evaluation.
    pub fn evaluation(&self) -> &E {
        &self.evaluation
    }

    /// From the next search on, prunes by this policy.
    pub fn set_threshold(&mut self, threshold: Threshold) {
        self.options.threshold = threshold;
    }

    /// The threshold that the last search ended with.
    pub fn threshold(&self) -> i32 {
        self.threshold
    }

    /// Forgets the tree.
    pub fn clear(&mut self) {
        self.game = None;
        self.pool.clear();
    }

    /// Makes `game` the root, with its subtree if the tree has it. Returns [`Report::restarted`].
    fn settle(&mut self, game: &G, budget: &Budget) -> bool {
        let known = self.game.as_ref().filter(|_| self.options.keep_tree);
        let kept = keep(&mut self.pool, known, game, budget, |_, node| Some(node.m));
        self.game = Some(game.clone());
        let root = self.pool.root();
        let _ = self.meter.is_in_time();
        if self.pool.children(root).is_empty() {
            *self.pool.get_mut(root) =
                Node::leaf::<_, _, true>(game, &self.evaluation, G::Move::default(), &mut self.meter);
        } else {
            // This node's children may have been pruned; a root's children never are.
            *self.pool.get_mut(root) = self.judge(root);
        }
        self.narrow_or_widen(self.options.threshold.first());
        self.path.clear();
        self.path.push((root, game.clone()));
        kept.restarted()
    }

    /// Sets the threshold. If it gets wider, all nodes are updated, since pruned nodes may be explorable
    /// again; if it gets narrower, the descent updates them.
    fn narrow_or_widen(&mut self, threshold: i32) {
        let is_wider = threshold > self.threshold;
        self.threshold = threshold;
        if is_wider {
            self.refresh(self.pool.root());
        }
    }

    fn refresh(&mut self, id: NodeId) {
        let children = self.pool.children(id);
        if !children.is_empty() && !self.pool.get(id).is_closed() {
            children.iter().for_each(|child| self.refresh(child));
            *self.pool.get_mut(id) = self.judge(id);
        }
    }

    #[inline(always)]
    fn grow<C: Cpu>(&mut self, _cpu: C, budget: Budget) {
        let used = Used::new(budget);
        let mut expansions = 0u32;
        while !self.pool.get(self.pool.root()).is_closed() {
            if expansions % LOOK_EVERY == 0 {
                let (live, capacity) = (self.pool.live(), self.pool.capacity());
                let now = used.threshold(self.options.threshold, self.meter.nodes(), live, capacity);
                now.into_iter().for_each(|now| self.narrow_or_widen(now));
            }
            let is_shallow = match self.options.order {
                Order::BreadthFirst => true,
                Order::BestFirst { shallow_every } => shallow_every > 0 && expansions % shallow_every == 0,
            };
            if !self.descend(is_shallow) {
                if self.meter.is_spent() {
                    break;
                }
                let Some(wider) = self.options.threshold.wider(self.threshold) else { break };
                self.narrow_or_widen(wider);
                continue;
            }
            if !self.expand() {
                break;
            }
            self.back_up(self.path.len() - 1);
            expansions = expansions.wrapping_add(1);
        }
    }

    /// Sets the path to the next leaf to expand, reusing the part it has in common with the last one. False if no leaf is left,
    /// or the deadline passed.
    #[inline(always)]
    fn descend(&mut self, is_shallow: bool) -> bool {
        let mut depth = 0;
        loop {
            let id = self.path[depth].0;
            if self.pool.children(id).is_empty() {
                self.path.truncate(depth + 1);
                return depth < self.options.max_depth as usize;
            }
            if let Some(child) = self.choose(id, depth as u32, is_shallow) {
                if self.path.get(depth + 1).is_none_or(|&(next, _)| next != child) {
                    self.path.truncate(depth + 1);
                    if !self.meter.step() {
                        return false;
                    }
                    let game = self.path[depth].1.after(self.pool.get(child).m);
                    self.path.push((child, game));
                }
                depth += 1;
            } else if depth == 0 {
                return false;
            } else {
                // A narrower threshold has pruned the leaf that was due here.
                self.back_up(depth);
                depth = 0;
            }
        }
    }

    /// The child of a node, `depth` plies below the root, that leads to the next leaf.
    #[inline(always)]
    fn choose(&self, id: NodeId, depth: u32, is_shallow: bool) -> Option<NodeId> {
        let mover = self.pool.get(id).mover;
        let limit = self.limit(id, self.pool.get(id).value(mover).subtract_mate_distance(1));
        let mut chosen = None;
        let mut best = (u8::MAX, -Score::INFINITY);
        for child in self.pool.children(id).iter() {
            let node = self.pool.get(child);
            let value = node.value(mover);
            if node.due >= IDLE || value < limit || depth + 1 + u32::from(node.due) >= self.options.max_depth
            {
                continue;
            }
            let due = if is_shallow { node.due } else { 0 };
            if due < best.0 || due == best.0 && value > best.1 {
                (chosen, best) = (Some(child), (due, value));
            }
        }
        chosen
    }

    /// The least value of a child of `id` that isn't pruned, if the best has the value `best`.
    #[inline(always)]
    fn limit(&self, id: NodeId, best: Score) -> Score {
        if id == self.pool.root() {
            -Score::INFINITY
        } else {
            best.less(self.threshold)
        }
    }

    /// Gives the leaf at the end of the path its children. False if the budget or the pool has no
    /// room for them, or the deadline passed: then it stays a leaf.
    #[inline(always)]
    fn expand(&mut self) -> bool {
        let Some((id, game)) = self.path.last() else { return false };
        if !self.meter.meets(Rare::LIST) {
            return false;
        }
        let mut list = G::Moves::default();
        game.moves(&mut list);
        if list.is_empty() {
            return self.end();
        }
        if !self.meter.allows(list.len() as u64) {
            return false;
        }
        let block = loop {
            match self.pool.expand(*id, list.len()) {
                Some(block) => break block,
                None if self.pool.has_condemned() => {}
                None if self.path.len() == 1 && self.pool.live() > 1 => {
                    // The kept tree fills the whole pool and its root can't be expanded: start a new tree.
                    let root = *self.pool.get(*id);
                    self.pool.clear();
                    *self.pool.get_mut(*id) = root;
                }
                None => return false,
            }
        };
        let mut made = 0;
        if !self.meter.is_careful() {
            made = self.fill::<false>(block, &list, 0);
        }
        if made < list.len() {
            made = self.fill_carefully(block, &list, made);
        }
        self.meter.add(made as u64);
        if made < list.len() {
            self.cut_off(made);
        }
        made == list.len()
    }

    /// Closes the leaf at the end of the path, where the game is over. False if the deadline passed. It was an open leaf of the
    /// last turn's tree, on another way to an equal state: equality may leave the way out, and the rules look at it.
    #[cold]
    fn end(&mut self) -> bool {
        let depth = self.path.len() - 1;
        let (id, game) = &self.path[depth];
        let m = self.pool.get(*id).m;
        let leaf = Node::leaf::<_, _, true>(game, &self.evaluation, m, &mut self.meter);
        if self.meter.is_spent() {
            return false;
        }
        *self.pool.get_mut(*id) = Node { due: CLOSED, ..leaf };
        if depth > 0 {
            self.back_up(depth - 1);
        }
        true
    }

    /// Makes and evaluates the moves of the leaf at the end of the path from number `made` on. Returns the number evaluated
    /// then: all, until the deadline; without `CAREFUL` until the meter is careful.
    #[inline(always)]
    fn fill<const CAREFUL: bool>(&mut self, block: Block, list: &[G::Move], made: usize) -> usize {
        let game = &self.path[self.path.len() - 1].1;
        for (i, (child, &m)) in block.iter().zip(list).enumerate().skip(made) {
            let next = game.after(m);
            let leaf = Node::leaf::<_, _, CAREFUL>(&next, &self.evaluation, m, &mut self.meter);
            *self.pool.get_mut(child) = leaf;
            if CAREFUL && self.meter.is_spent() {
                return i;
            }
            if !CAREFUL && leaf.is_closed() && self.meter.is_careful() {
                return if self.meter.is_spent() { i } else { i + 1 };
            }
        }
        list.len()
    }

    #[inline(never)]
    fn fill_carefully(&mut self, block: Block, list: &[G::Move], made: usize) -> usize {
        self.fill::<true>(block, list, made)
    }

    /// Takes the leaf's `count` evaluated children away again.
    #[cold]
    fn cut_off(&mut self, count: usize) {
        let id = self.path[self.path.len() - 1].0;
        if self.path.len() == 1 {
            let mover = self.pool.get(id).mover;
            let made = self.pool.each(self.pool.children(id)).take(count);
            let best =
                made.reduce(|best, next| if next.value(mover) > best.value(mover) { next } else { best });
            self.cut_off = best.map(|best| best.m);
        }
        self.pool.prune(id);
    }

    /// Re-evaluates the path's nodes from index `from` up to the root, until nothing changes.
    #[inline(always)]
    fn back_up(&mut self, from: usize) {
        for i in (0..=from).rev() {
            let id = self.path[i].0;
            let node = self.judge(id);
            if node == *self.pool.get(id) {
                break;
            }
            *self.pool.get_mut(id) = node;
        }
    }

    /// A node's new contents, computed from its children.
    #[inline(always)]
    fn judge(&self, id: NodeId) -> Node<G::Move, N> {
        let node = self.pool.get(id);
        let mut judged = Node { due: IDLE, ..*node };
        let Some((place, best)) = self.best_child(id) else { return *node };
        let best = self.pool.get(best);
        let value = best.value(node.mover);
        judged.values = best.values.map(|value| value.add_mate_distance(1));
        // A certain win, and after how many plies.
        let win = judged.value(node.mover).plies_to_end().filter(|_| best.is_closed() && value.is_win());
        let limit = self.limit(id, value);
        let mut near = u8::MAX - 1;
        let mut is_closed = true;
        for (i, child) in self.pool.children(id).iter().enumerate() {
            let child = self.pool.get(child);
            near = near.min(child.near);
            if child.is_closed() {
                continue;
            }
            if child.value(node.mover) >= limit && child.due < IDLE {
                judged.due = judged.due.min(child.due + 1);
            }
            // Another win as quick counts if it is listed first.
            is_closed &= win.is_some_and(|plies| {
                let quickest = u32::from(child.near) + 1;
                !self.options.quickest_win || quickest > plies || quickest == plies && i > place
            });
        }
        judged.near = near + 1;
        if is_closed {
            judged.due = CLOSED;
        }
        judged
    }

    /// The best child for the player who chooses, the first of equal values, and its index.
    #[inline(always)]
    fn best_child(&self, id: NodeId) -> Option<(usize, NodeId)> {
        let mover = self.pool.get(id).mover;
        let children = self.pool.children(id).iter().enumerate();
        let value = |id: NodeId| self.pool.get(id).value(mover);
        children.reduce(|best, next| if value(next.1) > value(best.1) { next } else { best })
    }

    fn report(&self, game: &G, nodes: u64) -> Report<G::Move> {
        let root = self.pool.get(self.pool.root());
        let mut at = self.best_child(self.pool.root());
        let mut list = G::Moves::default();
        let best = match at {
            Some((_, child)) => Some(self.pool.get(child).m),
            None if self.cut_off.is_some() => self.cut_off,
            None => {
                // The game is over, or not even the root's children fit.
                game.moves(&mut list);
                list.first().copied()
            }
        };
        let mut depth = 0;
        while let Some((_, child)) = at {
            depth += 1;
            at = self.best_child(child);
        }
        let score = root.value(game.to_move());
        Report { best, score, nodes, depth, solved: root.is_closed(), restarted: false }
    }
}

struct Grow<'a, G: Game, E, const N: usize> {
    search: &'a mut Minimax<G, E, N>,
    budget: Budget,
}

impl<G: Game, E: Evaluation<G>, const N: usize> Task for Grow<'_, G, E, N> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        self.search.grow(cpu, self.budget);
    }
}

impl<G: Game, E: Evaluation<G>, const N: usize> Search<G> for Minimax<G, E, N> {
    fn search(&mut self, game: &G, budget: Budget) -> Report<G::Move> {
        (self.meter, self.cut_off) = (self.meter.again(budget), None);
        if !self.meter.is_in_time() {
            return unsearched(game, &self.evaluation);
        }
        let restarted = self.settle(game, &budget);
        if self.meter.is_in_time() {
            cpu::dispatch(Grow { search: self, budget });
        }
        Report { restarted, ..self.report(game, self.meter.nodes()) }
    }

    fn line(&self, game: &G, best: G::Move) -> List<G::Move, LINE> {
        line_of(self, game, best)
    }

    fn tree(&self) -> Option<&dyn Tree<G>> {
        Some(self)
    }
}
