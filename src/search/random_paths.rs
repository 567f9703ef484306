//! Monte Carlo search by random paths in a tree: MiniFrame's.

use crate::clock::{Budget, Meter, Rare};
use crate::cpu::{self, Cpu, Task};
use crate::evaluation::Evaluation;
use crate::game::{Game, Player};
use crate::list::{List, Moves};
use crate::pool::{check_moves, NodeId, Pool};
use crate::rng::Rng;
use crate::score::Score;
use crate::search::keep::keep;
use crate::search::report::{line_of, Report, Search};
use crate::tree::LINE;
use crate::tree::{Memory, NodeView, Status, Tree};

/// The most nodes of a path: deeper moves are made outside the tree.
const MAX_PATH: usize = 512;

/// Memory and seed.
#[derive(Debug, Clone)]
pub struct RandomPathsOptions {
    /// Bytes of the pool of nodes, allocated when the search is made: at least a node's.
    pub memory: usize,
    /// The seed of the random numbers: the same seed gives the same answers within the same budgets of nodes.
    pub seed: u64,
}

impl Default for RandomPathsOptions {
    fn default() -> RandomPathsOptions {
        RandomPathsOptions { memory: 64 << 20, seed: 0 }
    }
}

/// A node: the ends found below it, as the player who chose it sees them.
#[derive(Debug, Clone, Copy)]
struct Node<M> {
    /// The number of ends.
    ends: u32,
    /// The sum of their values, an `i64` in two halves, which avoids the alignment of an `i64`.
    sum: [u32; 2],
    m: M,
    chooser: Player,
    /// Each end below has been found, or the game is over here.
    is_closed: bool,
}

impl<M: Default> Default for Node<M> {
    fn default() -> Node<M> {
        Node { ends: 0, sum: [0; 2], m: M::default(), chooser: Player::FIRST, is_closed: false }
    }
}

impl<M> Node<M> {
    #[inline(always)]
    fn sum(&self) -> i64 {
        (u64::from(self.sum[0]) | u64::from(self.sum[1]) << 32) as i64
    }

    #[inline(always)]
    fn add(&mut self, value: Score) {
        let sum = (self.sum() + i64::from(value.value())) as u64;
        self.sum = [sum as u32, (sum >> 32) as u32];
        self.ends += 1;
    }

    /// The mean value of the ends, rounded towards zero.
    fn mean(&self) -> Score {
        Score::estimate((self.sum() / i64::from(self.ends.max(1))) as i32)
    }

    /// Whether its mean is above another's. A node without ends is below all others.
    fn is_better(&self, other: &Node<M>) -> bool {
        let product = |a: &Node<M>, b: &Node<M>| i128::from(a.sum()) * i128::from(b.ends);
        self.ends > 0 && (other.ends == 0 || product(self, other) > product(other, self))
    }
}

/// Monte Carlo search as MiniFrame does it, for any number of players: from the root one child at a time, each with the
/// same probability, down to an end of the game, again and again. A node is worth the mean of the ends that were found
/// below it, to the player who chose it; the answer is the root's child with the largest mean, of equal ones the first
/// that is listed.
///
/// An end counts with [`Evaluation::ended_for`], clamped to ±[`Score::MAX_ESTIMATE`]: with the default that is a win, a
/// draw or a loss, but the evaluation may as well count points. It is found once: a node below which every end is known
/// is closed and not chosen again, and a closed root ends the search. The tree is kept from turn to turn. When the pool
/// is full, the rest of a path is made outside the tree, and an end out there may count several times.
///
/// A node of the budget is a state visited, so a path takes as many as it has moves; in [`Mcts`](crate::search::Mcts)
/// and [`Flat`](crate::search::Flat) a playout is one node. The mean belongs to players who move at random, so it
/// doesn't converge to the game's value; [`Mcts`](crate::search::Mcts) does, and is stronger wherever that was
/// measured. A node takes 26 bytes and the move, rounded up to 4.
///
/// ```
/// # mod nim { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/examples/nim.rs")); }
/// use coppice::search::{RandomPaths, RandomPathsOptions};
/// use coppice::{Budget, Player, Search};
/// # use nim::{Even, Nim};
///
/// // Taking all three stones wins at once; of the paths that begin otherwise, the opponent wins some.
/// let mut search = RandomPaths::new(Even, RandomPathsOptions { memory: 1 << 20, seed: 1 });
/// let report = search.search(&Nim::<2>(3, Player::FIRST), Budget::nodes(10_000));
/// assert_eq!(report.best, Some(3));
/// ```
#[derive(Debug, Clone)]
pub struct RandomPaths<G: Game, E> {
    evaluation: E,
    pool: Pool<Node<G::Move>>,
    rng: Rng,
    /// The game at the root.
    game: Option<G>,
    /// The nodes of a path below the root.
    path: Vec<NodeId>,
    meter: Meter<16>,
}

impl<G: Game, E: Evaluation<G>> RandomPaths<G, E> {
    /// A search by this evaluation.
    pub fn new(evaluation: E, options: RandomPathsOptions) -> RandomPaths<G, E> {
        check_moves::<<G::Moves as Moves<G::Move>>::Ranks>();
        RandomPaths {
            evaluation,
            pool: Pool::with_bytes(options.memory),
            rng: Rng::new(options.seed),
            game: None,
            path: Vec::with_capacity(MAX_PATH),
            meter: Meter::new(Budget::nodes(0)),
        }
    }

    /// The bytes of one node.
    pub const NODE_BYTES: usize = Pool::<Node<G::Move>>::NODE_BYTES;

    /// Makes `game`, which has the moves of `list`, the root and gives it its children. Returns [`Report::restarted`].
    fn settle(&mut self, game: &G, list: &[G::Move], budget: &Budget) -> bool {
        let kept = keep(&mut self.pool, self.game.as_ref(), game, budget, |_, node| Some(node.m));
        self.game = Some(game.clone());
        let root = self.pool.root();
        if self.pool.children(root).is_empty() && !self.unfold(root, game, list) {
            // The kept tree fills the whole pool and its root can't be expanded: start a new tree.
            self.pool.clear();
            let _ = self.unfold(self.pool.root(), game, list);
        }
        kept.restarted()
    }

    /// Gives a node the moves of `game` as children; false if the pool has no room.
    #[inline(always)]
    fn expand(&mut self, id: NodeId, game: &G) -> bool {
        let mut list = G::Moves::default();
        game.moves(&mut list);
        self.unfold(id, game, &list)
    }

    /// Unfolds a node whose moves are listed already.
    #[inline(always)]
    fn unfold(&mut self, id: NodeId, game: &G, list: &[G::Move]) -> bool {
        let block = loop {
            match self.pool.expand(id, list.len()) {
                Some(block) => break block,
                None if self.pool.has_condemned() => {}
                None => return false,
            }
        };
        let chooser = game.to_move();
        for (child, &m) in block.iter().zip(list.iter()) {
            *self.pool.get_mut(child) = Node { m, chooser, ..Node::default() };
        }
        true
    }

    #[inline(always)]
    fn run<C: Cpu>(&mut self, _cpu: C, game: &G) {
        let root = self.pool.root();
        while !self.pool.children(root).is_empty() && !self.pool.get(root).is_closed {
            if !self.descend(game) {
                break;
            }
        }
    }

    /// One path from the root to an end, and the way back; false if the budget ended before it did.
    #[inline(always)]
    fn descend(&mut self, game: &G) -> bool {
        self.path.clear();
        let mut state = game.clone();
        let mut id = self.pool.root();
        let is_inside = loop {
            if state.is_over() {
                break true;
            }
            if !self.meter.step() {
                return false;
            }
            let has_children =
                !self.pool.children(id).is_empty() || self.path.len() < MAX_PATH && self.expand(id, &state);
            if !has_children {
                break false;
            }
            if !self.meter.take() {
                return false;
            }
            let Some(child) = self.draw(id) else { break false };
            state.play(self.pool.get(child).m);
            self.path.push(child);
            id = child;
        };
        if is_inside {
            self.pool.get_mut(id).is_closed = true;
        }
        while let Some(m) = state.random_move(&mut self.rng) {
            if !self.meter.take() {
                return false;
            }
            state.play(m);
        }
        let _ = self.meter.announce(self.path.len());
        self.back_up(&state)
    }

    /// A child that isn't closed, each with the same probability.
    #[inline(always)]
    fn draw(&mut self, id: NodeId) -> Option<NodeId> {
        let children = self.pool.children(id);
        let open = self.pool.each(children).filter(|node| !node.is_closed).count();
        if open == 0 {
            return None;
        }
        let place = self.rng.below(open as u32) as usize;
        children.iter().filter(|&child| !self.pool.get(child).is_closed).nth(place)
    }

    /// Adds an end to the nodes of the path, and closes those below which nothing is left; false if the deadline passed.
    #[inline(always)]
    fn back_up(&mut self, end: &G) -> bool {
        for i in (0..self.path.len()).rev() {
            let id = self.path[i];
            self.close(id);
            if !self.meter.meets(Rare::END) {
                return false;
            }
            let value = self.evaluation.ended_for(end, self.pool.get(id).chooser);
            self.pool.get_mut(id).add(Score::estimate(value.value()));
        }
        self.close(self.pool.root());
        true
    }

    /// Closes a node whose children are all closed.
    #[inline(always)]
    fn close(&mut self, id: NodeId) {
        let children = self.pool.children(id);
        if !children.is_empty() && self.pool.each(children).all(|node| node.is_closed) {
            self.pool.get_mut(id).is_closed = true;
        }
    }

    /// The child with the largest mean, the first of equal ones.
    fn best_child(&self, id: NodeId) -> Option<NodeId> {
        let is_better = |a: NodeId, b: NodeId| self.pool.get(a).is_better(self.pool.get(b));
        self.pool.children(id).iter().reduce(|best, next| if is_better(next, best) { next } else { best })
    }
}

struct Run<'a, G: Game, E> {
    search: &'a mut RandomPaths<G, E>,
    game: &'a G,
}

impl<G: Game, E: Evaluation<G>> Task for Run<'_, G, E> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        self.search.run(cpu, self.game);
    }
}

impl<G: Game, E: Evaluation<G>> Search<G> for RandomPaths<G, E> {
    fn search(&mut self, game: &G, budget: Budget) -> Report<G::Move> {
        let mut list = G::Moves::default();
        game.moves(&mut list);
        let Some(&first) = list.first() else { return Report::ended(self.evaluation.ended(game)) };
        self.meter = self.meter.again(budget);
        if !self.meter.is_in_time() {
            return Report { solved: false, best: Some(first), ..Report::ended(Score::DRAW) };
        }
        let restarted = self.settle(game, &list, &budget);
        if self.meter.is_in_time() {
            cpu::dispatch(Run { search: self, game });
        }
        // Without room for the root's children it has no estimate.
        let best = self.best_child(self.pool.root()).map(|child| *self.pool.get(child));
        let depth = self.best_line(self.pool.root()).len() as u32;
        Report {
            best: Some(best.map_or(first, |node| node.m)),
            score: best.map_or(Score::DRAW, |node| node.mean()),
            nodes: self.meter.nodes(),
            depth,
            solved: false,
            restarted,
        }
    }

    fn line(&self, game: &G, best: G::Move) -> List<G::Move, LINE> {
        line_of(self, game, best)
    }

    fn tree(&self) -> Option<&dyn Tree<G>> {
        Some(self)
    }
}

/// Scores are means of ends to the player who chose the node; at the root of its children's ends, to the player to
/// move.
impl<G: Game, E: Evaluation<G>> Tree<G> for RandomPaths<G, E> {
    fn root(&self) -> Option<NodeId> {
        self.game.as_ref().map(|_| self.pool.root())
    }

    fn position(&self) -> Option<&G> {
        self.game.as_ref()
    }

    fn node(&self, id: NodeId) -> NodeView<G::Move> {
        let node = self.pool.get(id);
        let children = self.pool.children(id).len();
        let (played, player, score, visits) = match (self.pool.parent(id), &self.game) {
            (None, Some(game)) => {
                let below = self.pool.each(self.pool.children(id));
                let (sum, ends) = below
                    .fold((0, 0), |(sum, ends), child| (sum + child.sum(), ends + u64::from(child.ends)));
                (None, game.to_move(), Score::estimate((sum / ends.max(1) as i64) as i32), ends)
            }
            _ => (Some(node.m), node.chooser, node.mean(), u64::from(node.ends)),
        };
        let status = match (node.is_closed, children) {
            (true, 0) => Status::Ended,
            (true, _) => Status::Closed,
            (false, 0) => Status::Leaf,
            (false, _) => Status::Open,
        };
        NodeView { played, player, score, bounds: None, visits, status, children }
    }

    fn child(&self, id: NodeId, i: usize) -> NodeId {
        let children = self.pool.children(id);
        assert!(i < children.len(), "child {i} of {}", children.len());
        children.get(i)
    }

    /// The child with the largest mean, if an end was found below one.
    fn best(&self, id: NodeId) -> Option<NodeId> {
        self.best_child(id).filter(|&child| self.pool.get(child).ends > 0)
    }

    fn memory(&self) -> Memory {
        Memory { live: self.pool.live(), capacity: self.pool.capacity(), node_bytes: Self::NODE_BYTES }
    }
}
