//! Monte Carlo tree search: UCT with proven results, in the static pool.

use crate::clock::{Budget, Meter};
use crate::cpu::{self, Cpu, Task};
use crate::game::{Game, Payoff, Player};
use crate::list::{List, Moves};
use crate::math;
use crate::pool::{NodeId, Pool};
use crate::rng::Rng;
use crate::score::Score;
use crate::search::{Report, Search, LINE};

/// A win's reward; a loss is its negative, a draw 0. Sums of rewards are exact.
const WIN: i64 = 1000;

/// No path through the tree is longer; from there on it is playouts.
const MAX_PATH: usize = 512;

/// How many moves may have been made since the last search for its tree to be found again.
const KEEP_PLIES: u32 = 4;

/// How to choose, and what may end the search.
#[derive(Debug, Clone)]
pub struct Options {
    /// The constant C of UCB1 = mean + C sqrt(ln N / n), with rewards in 0 to 1 (Kocsis and
    /// Szepesvári, *Bandit Based Monte-Carlo Planning*, 2006; √2 there).
    pub exploration: f32,
    /// The value of a move that has not been tried, in place of its UCB1 (Gelly and Wang,
    /// *Exploration Exploitation in Go*, 2006). Infinity tries every move once before any twice.
    pub first_play_urgency: f32,
    /// Keep bounds on what each node is worth, skip what is settled, stop when the root is
    /// (Cazenave and Saffidine, *Score Bounded Monte-Carlo Tree Search*, 2010). For two players.
    pub proofs: bool,
    /// Keep the subtree of the position really reached from one search to the next.
    pub keep_tree: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { exploration: 0.9, first_play_urgency: 1.1, proofs: true, keep_tree: true }
    }
}

/// What a node remembers, from the point of view of the player who chose to go there.
#[derive(Debug, Clone, Copy)]
struct Stats<M> {
    visits: u32,
    /// The sum of rewards, an `i64` in two halves: it would cost 8 bytes of alignment otherwise.
    sum: [u32; 2],
    m: M,
    /// Bounds on the sign of the payoff under best play.
    lower: i8,
    upper: i8,
}

impl<M: Default> Default for Stats<M> {
    fn default() -> Stats<M> {
        Stats { visits: 0, sum: [0; 2], m: M::default(), lower: -1, upper: 1 }
    }
}

impl<M> Stats<M> {
    #[inline(always)]
    fn sum(&self) -> i64 {
        (u64::from(self.sum[0]) | u64::from(self.sum[1]) << 32) as i64
    }

    #[inline(always)]
    fn add(&mut self, reward: i64) {
        let sum = (self.sum() + reward) as u64;
        self.sum = [sum as u32, (sum >> 32) as u32];
        self.visits += 1;
    }

    /// The mean reward, from -1000 to 1000; exact where the result is proven.
    fn mean(&self) -> f64 {
        if self.is_solved() {
            f64::from(self.lower) * WIN as f64
        } else {
            self.sum() as f64 / f64::from(self.visits.max(1))
        }
    }

    #[inline(always)]
    fn is_solved(&self) -> bool {
        self.lower == self.upper
    }
}

/// Monte Carlo tree search with random playouts to the end of the game.
///
/// Each iteration goes down the tree by UCB1, makes children of the leaf it reaches if that was
/// visited before, plays at random to the end and counts the result on the way back. For any number
/// of players: each node keeps the rewards of the player who chose it. When the pool is full, leaves
/// stay leaves and the search goes on.
#[derive(Debug, Clone)]
pub struct Mcts<G: Game> {
    options: Options,
    pool: Pool<Stats<G::Move>>,
    rng: Rng,
    /// The game at the root.
    game: Option<G>,
    /// The way down of an iteration, and who chose each step.
    path: Vec<(NodeId, Player)>,
}

impl<G: Game> Mcts<G> {
    /// A search in a pool of `pool_bytes` bytes, whose playouts follow from `seed`.
    pub fn new(pool_bytes: usize, seed: u64, options: Options) -> Mcts<G> {
        Mcts {
            options,
            pool: Pool::with_bytes(pool_bytes),
            rng: Rng::new(seed),
            game: None,
            path: Vec::with_capacity(MAX_PATH),
        }
    }

    /// The bytes of one node.
    pub const NODE_BYTES: usize = Pool::<Stats<G::Move>>::NODE_BYTES;

    /// Nodes in the tree.
    pub fn live_nodes(&self) -> usize {
        self.pool.live()
    }

    /// Makes `game` the root: with the subtree that the last search grew below it, if it is a few
    /// moves from there, or else an empty one.
    fn settle(&mut self, game: &G) {
        let found = match &self.game {
            Some(root) if self.options.keep_tree => self.find(self.pool.root(), root, game, KEEP_PLIES),
            _ => None,
        };
        match found {
            Some(id) => {
                self.pool.keep(id);
            }
            None => self.pool.clear(),
        }
        self.game = Some(game.clone());
    }

    fn find(&self, id: NodeId, at: &G, game: &G, plies: u32) -> Option<NodeId> {
        if at == game {
            return Some(id);
        }
        if plies == 0 {
            return None;
        }
        let mut children = self.pool.children(id).iter();
        children.find_map(|child| self.find(child, &at.after(self.pool.get(child).m), game, plies - 1))
    }

    #[inline(always)]
    fn grow<C: Cpu>(&mut self, _cpu: C, game: &G, meter: &mut Meter<16>) {
        let root = self.pool.root();
        if self.pool.children(root).is_empty() && !self.expand(root, game) {
            // The kept tree fills the pool up to its root: better a new one than none.
            self.pool.clear();
            if !self.expand(root, game) {
                return;
            }
        }
        while !self.is_settled() && meter.take() {
            self.iterate(game.clone());
        }
    }

    /// One way down, one playout, and back.
    #[inline(always)]
    fn iterate(&mut self, mut state: G) {
        let mut id = self.pool.root();
        self.path.clear();
        self.path.push((id, state.to_move()));
        loop {
            if self.pool.children(id).is_empty() {
                let is_new = self.pool.get(id).visits == 0;
                if is_new || self.path.len() == MAX_PATH || !self.expand(id, &state) {
                    break;
                }
            }
            let mover = state.to_move();
            id = self.select(id);
            state.play(self.pool.get(id).m);
            self.path.push((id, mover));
        }
        let mut plies = 0;
        while let Some(m) = state.random_move(&mut self.rng) {
            state.play(m);
            plies += 1;
        }
        for &(id, chooser) in &self.path {
            self.pool.get_mut(id).add(WIN * i64::from(state.payoff(chooser).sign()));
        }
        if plies == 0 && self.options.proofs && G::PLAYERS == 2 {
            self.prove(&state);
        }
    }

    /// Gives a leaf its children, in random order, so that ties fall differently from node to node.
    /// False if the game is over there or the pool is full.
    #[inline(always)]
    fn expand(&mut self, id: NodeId, state: &G) -> bool {
        let mut list = G::Moves::default();
        state.moves(&mut list);
        let moves = &mut *list;
        if moves.is_empty() {
            return false;
        }
        let Some(block) = self.pool.expand(id, moves.len()) else { return false };
        for i in 0..moves.len() {
            let j = i + self.rng.below((moves.len() - i) as u32) as usize;
            moves.swap(i, j);
            self.pool.get_mut(block.get(i)).m = moves[i];
        }
        true
    }

    /// The child with the best UCB1, of those that can still change what the node is worth.
    #[inline(always)]
    fn select(&self, id: NodeId) -> NodeId {
        let children = self.pool.children(id);
        let settled = if self.options.proofs { self.best_lower(id) } else { i8::MIN };
        let scale = self.options.exploration * math::ln(self.pool.get(id).visits.max(1) as f32).sqrt();
        let mut best = children.get(0);
        let mut best_value = f32::NEG_INFINITY;
        for child in children.iter() {
            let stats = self.pool.get(child);
            if stats.upper <= settled {
                continue;
            }
            let value = if stats.visits == 0 {
                self.options.first_play_urgency
            } else {
                let share = 1.0 / stats.visits as f32;
                0.5 + stats.sum() as f32 * (0.5 / WIN as f32) * share + scale * share.sqrt()
            };
            if value > best_value {
                (best, best_value) = (child, value);
            }
        }
        best
    }

    #[inline(always)]
    fn best_lower(&self, id: NodeId) -> i8 {
        self.pool.children(id).iter().map(|child| self.pool.get(child).lower).max().unwrap_or(-1)
    }

    /// The end of the path is the end of the game: its payoff is a proof, and may prove nodes above.
    #[cold]
    fn prove(&mut self, state: &G) {
        let Some(&(leaf, chooser)) = self.path.last() else { return };
        let sign = state.payoff(chooser).sign() as i8;
        let stats = self.pool.get_mut(leaf);
        (stats.lower, stats.upper) = (sign, sign);
        for i in (0..self.path.len() - 1).rev() {
            let ((id, chooser), (_, mover)) = (self.path[i], self.path[i + 1]);
            let (mut lower, mut upper) = (-1, -1);
            for child in self.pool.children(id).iter() {
                let stats = self.pool.get(child);
                lower = lower.max(stats.lower);
                upper = upper.max(stats.upper);
            }
            if chooser != mover {
                (lower, upper) = (-upper, -lower);
            }
            let stats = self.pool.get_mut(id);
            if (stats.lower, stats.upper) == (lower, upper) {
                break;
            }
            (stats.lower, stats.upper) = (lower, upper);
        }
    }

    /// Nothing below the root can change what the root is worth.
    #[inline(always)]
    fn is_settled(&self) -> bool {
        let children = self.pool.children(self.pool.root()).iter();
        let bounds = children.map(|child| (self.pool.get(child).lower, self.pool.get(child).upper));
        let (lower, upper) = bounds.fold((-1, -1), |(l, u), (lower, upper)| (l.max(lower), u.max(upper)));
        lower == upper
    }

    /// The child to choose: the most visited of those that may still turn out better than what is
    /// certain, unless what is certain is worth as much as that one seems to be.
    fn best_child(&self, id: NodeId) -> Option<NodeId> {
        let children = self.pool.children(id).iter();
        let certain =
            children.clone().max_by_key(|&id| (self.pool.get(id).lower, self.pool.get(id).visits))?;
        let lower = self.pool.get(certain).lower;
        let open = children.filter(|&id| self.pool.get(id).upper > lower);
        let Some(open) = open.max_by_key(|&id| self.pool.get(id).visits) else { return Some(certain) };
        let is_better = self.pool.get(open).mean() > f64::from(lower) * WIN as f64;
        Some(if is_better || lower < 0 { open } else { certain })
    }

    fn report(&self, game: &G, nodes: u64) -> Report<G::Move> {
        let mut at = self.best_child(self.pool.root());
        let Some(best) = at else {
            // Not even the root's children fit into the pool.
            let mut list = G::Moves::default();
            game.moves(&mut list);
            let best = list.first().copied();
            let score = best.map_or_else(|| Score::ended(game.payoff(game.to_move())), |_| Score::DRAW);
            return Report { best, score, nodes, depth: 0, solved: best.is_none() };
        };
        let mut depth = 0;
        while let Some(child) = at {
            depth += 1;
            at = self.best_child(child);
        }
        let stats = self.pool.get(best);
        let solved = self.is_settled();
        let score = if solved {
            Score::ended(Payoff(i32::from(stats.lower)))
        } else {
            Score::estimate(stats.mean() as i32)
        };
        Report { best: Some(stats.m), score, nodes, depth, solved }
    }
}

struct Grow<'a, G: Game> {
    search: &'a mut Mcts<G>,
    game: &'a G,
    meter: &'a mut Meter<16>,
}

impl<G: Game> Task for Grow<'_, G> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        self.search.grow(cpu, self.game, self.meter);
    }
}

impl<G: Game> Search<G> for Mcts<G> {
    fn search(&mut self, game: &G, budget: Budget) -> Report<G::Move> {
        let mut meter = Meter::new(budget);
        self.settle(game);
        cpu::dispatch(Grow { search: self, game, meter: &mut meter });
        self.report(game, meter.nodes())
    }

    fn line(&self, _game: &G, _best: G::Move) -> List<G::Move, LINE> {
        let mut line = List::default();
        let mut at = self.best_child(self.pool.root());
        while let Some(child) = at.filter(|_| line.len() < LINE) {
            line.push(self.pool.get(child).m);
            at = self.best_child(child);
        }
        line
    }
}
