//! The search of *Exploration of Possibilities*, parts 1 and 2, as its text words it.

use contest::notation::GameNotation;
use contest::session::Offer;
use coppice::clock::Meter;
use coppice::cpu::{self, Cpu, Task};
use coppice::math::ln;
use coppice::rng::mix;
use coppice::{Budget, Game, Payoff, Player, Report, Rng, Score, Search};

contest::tunables! {
    /// Switches and parameters of [`Exploration`].
    pub struct Numbers {
        /// 1 as published: nodes all of whose moves have closed children are closed and not visited again, and a closed root
        /// ends the search. 0: the budget ends it.
        closing: u32 = 1 in 0..=1,
        /// 0: no jumps. Past a node with untried moves: 1, as the program
        /// has it, with probability 1 - tried / moves; 2, as the text words it, if a number drawn from 0 to the untried
        /// moves is above that of the tried ones.
        jump: u32 = 0 in 0..=2,
        /// 0: a tree. A position reached in several ways is one node, and a result is added 1 once to each position above it,
        /// 2 as published, from each parent: as often as there are ways from the root.
        graph: u32 = 0 in 0..=2,
        /// The answer is the root's child with 1, as published, the largest UCB1; 0 the most visits.
        by_ucb: u32 = 1 in 0..=1,
        /// The constant C of UCB1, for rewards in 0 to 1: that of `mcts`.
        exploration: f32 = 0.9 in 0.05..=2.5,
    }
}

/// No node, or no edge.
const NONE: u32 = u32::MAX;

/// Edges there are room for, a node: a tree has one.
const EDGES: usize = 2;

/// Nodes on the way up between two looks at the clock: the ways from the root may be many.
const LOOK_EVERY: u64 = 1024;

#[derive(Debug, Clone, Copy)]
struct Node {
    key: u64,
    /// Half points of the first player.
    sum: u64,
    visits: u64,
    /// The iteration that added to it last.
    stamp: u64,
    /// The next node with the same head.
    chain: u32,
    /// The edge made last to a child, and to a parent.
    down: u32,
    up: u32,
    /// The number of moves, of those tried, and of those whose child is closed.
    moves: u16,
    tried: u16,
    closed: u16,
    mover: Player,
    is_closed: bool,
    /// If it is closed, the sign of its payoff for the first player by best play.
    value: i8,
}

#[derive(Debug, Clone, Copy)]
struct Edge<M> {
    m: M,
    parent: u32,
    child: u32,
    /// The edge made before to a child of the parent, and to a parent of the child.
    down: u32,
    up: u32,
}

/// Monte Carlo tree search for games of two in which no position returns: a node gets its children one at a time, in listed
/// order, each with a random playout to the end of the game; a node whose moves have all been tried is left by UCB1. The
/// tree is discarded after each turn. When the memory is full, no children are added.
///
/// The engine's [`Mcts`](coppice::search::Mcts) and [`McGraph`](coppice::search::McGraph) differ in what the switches turn
/// on: they close a node as soon as its value is proved, add a result once to the positions of its way, and answer
/// with the most visited move.
#[derive(Debug, Clone)]
pub struct Exploration<G: Game> {
    numbers: Numbers,
    nodes: Vec<Node>,
    edges: Vec<Edge<G::Move>>,
    /// In a graph the first node of each chain, by the key's low bits.
    heads: Vec<u32>,
    rng: Rng,
    meter: Meter<16>,
    /// Nodes added to on the way up, of all iterations.
    steps: u64,
}

/// The search as a contest offers it.
pub fn exploration<G: GameNotation>() -> Offer<G> {
    let about = "Monte Carlo tree search as in Exploration of Possibilities, with its ideas as switches";
    Offer::tunable("exploration", about, |_, settings, numbers: &Numbers| {
        Exploration::new(*numbers, settings.bytes_or(16 << 20), settings.seed)
    })
}

impl<G: Game> Exploration<G> {
    /// A search in `bytes` bytes, at least a node's, which are allocated here.
    pub fn new(numbers: Numbers, bytes: usize, seed: u64) -> Exploration<G> {
        let unit = size_of::<Node>() + EDGES * size_of::<Edge<G::Move>>() + size_of::<u32>();
        let nodes = (bytes / unit).clamp(1, NONE as usize / EDGES);
        Exploration {
            numbers,
            nodes: Vec::with_capacity(nodes),
            edges: Vec::with_capacity(EDGES * nodes),
            heads: vec![NONE; if numbers.graph > 0 { 1 << nodes.ilog2() } else { 0 }],
            rng: Rng::new(seed),
            meter: Meter::new(Budget::nodes(0)),
            steps: 0,
        }
    }

    fn node(&self, id: u32) -> &Node {
        &self.nodes[id as usize]
    }

    /// The edges to a node's children, the last one first.
    fn children(&self, id: u32) -> impl Iterator<Item = &Edge<G::Move>> {
        let mut next = self.node(id).down;
        std::iter::from_fn(move || {
            let edge = self.edges.get(next as usize)?;
            next = edge.down;
            Some(edge)
        })
    }

    /// The node of a position, where there is room for another.
    fn find_or_add(&mut self, game: &G) -> u32 {
        let key = mix(game.hash() ^ (game.to_move().index() as u64) << 63);
        let head = key as usize & self.heads.len().wrapping_sub(1);
        let mut chain = self.heads.get(head).copied().unwrap_or(NONE);
        let first = chain;
        while let Some(node) = self.nodes.get(chain as usize) {
            if node.key == key {
                return chain;
            }
            chain = node.chain;
        }
        let id = self.nodes.len() as u32;
        if let Some(head) = self.heads.get_mut(head) {
            *head = id;
        }
        let (moves, is_closed) = (game.count_moves() as u16, game.is_over());
        let value = if is_closed { game.payoff(Player::FIRST).sign() as i8 } else { 0 };
        let mover = game.to_move();
        self.nodes.push(Node { key, chain: first, moves, mover, is_closed, value, ..Node::EMPTY });
        id
    }

    /// Whether a node is to get a child rather than be left through one.
    fn expands(&mut self, id: u32) -> bool {
        let Node { moves, tried, .. } = *self.node(id);
        let (moves, tried) = (u32::from(moves), u32::from(tried));
        tried < moves
            && match self.numbers.jump {
                0 => true,
                1 => self.rng.below(moves) < tried,
                _ => self.rng.below(moves - tried + 1) <= tried,
            }
    }

    /// Makes a node's next move, if it has one and there is room; returns the child.
    fn expand(&mut self, id: u32, game: &mut G) -> Option<u32> {
        let Node { moves, tried, down, .. } = *self.node(id);
        let is_full = self.nodes.len() == self.nodes.capacity() || self.edges.len() == self.edges.capacity();
        if tried == moves || is_full {
            return None;
        }
        let mut list = G::Moves::default();
        game.moves(&mut list);
        let m = list[usize::from(tried)];
        game.play(m);
        let child = self.find_or_add(game);
        let edge = self.edges.len() as u32;
        let up = std::mem::replace(&mut self.nodes[child as usize].up, edge);
        self.edges.push(Edge { m, parent: id, child, down, up });
        let node = &mut self.nodes[id as usize];
        (node.down, node.tried) = (edge, tried + 1);
        if self.node(child).is_closed {
            self.close_child(id);
        }
        Some(child)
    }

    /// A child of a node has been closed: closes it too, if that was the last, and tells its parents.
    fn close_child(&mut self, id: u32) {
        let node = &mut self.nodes[id as usize];
        node.closed += 1;
        if node.closed < node.moves {
            return;
        }
        let sign = if node.mover == Player::FIRST { 1 } else { -1 };
        let best = self.children(id).map(|edge| sign * self.node(edge.child).value).max();
        let node = &mut self.nodes[id as usize];
        (node.is_closed, node.value) = (true, sign * best.unwrap_or(0));
        let mut up = node.up;
        while let Some(&edge) = self.edges.get(up as usize) {
            self.close_child(edge.parent);
            up = edge.up;
        }
    }

    /// UCB1 of a child for the player who chooses it.
    fn ucb(&self, parent: &Node, child: u32) -> f64 {
        let child = self.node(child);
        if child.visits == 0 {
            return f64::INFINITY;
        }
        let visits = child.visits as f64;
        let share = child.sum as f64 / (2.0 * visits);
        let share = if parent.mover == Player::FIRST { share } else { 1.0 - share };
        share
            + f64::from(self.numbers.exploration)
                * (f64::from(ln(parent.visits.max(1) as f32)) / visits).sqrt()
    }

    /// The child with the largest UCB1 that isn't closed, of equal ones the first that was tried.
    fn select(&self, id: u32) -> Option<Edge<G::Move>> {
        let parent = self.node(id);
        let open = |edge: &&Edge<G::Move>| self.numbers.closing == 0 || !self.node(edge.child).is_closed;
        let valued = self.children(id).filter(open).map(|edge| (self.ucb(parent, edge.child), edge));
        valued.reduce(|best, next| if next.0 >= best.0 { next } else { best }).map(|(_, edge)| *edge)
    }

    /// One iteration: down, a new child, a playout, and back up. False if the deadline passed.
    #[inline(always)]
    fn iterate(&mut self, game: &G) -> bool {
        let mut id = 0;
        let mut state = game.clone();
        loop {
            if !self.meter.step() {
                return false;
            }
            let mut edge = if self.expands(id) { None } else { self.select(id) };
            if edge.is_none() {
                if let Some(child) = self.expand(id, &mut state) {
                    id = child;
                    break;
                }
                // The end of the game, or a full memory.
                edge = self.select(id);
            }
            let Some(edge) = edge else { break };
            state.play(edge.m);
            id = edge.child;
        }
        while let Some(m) = state.random_move(&mut self.rng) {
            if !self.meter.step() {
                return false;
            }
            state.play(m);
        }
        let half_points = state.payoff(Player::FIRST).sign() + 1;
        self.back_up(id, half_points as u64)
    }

    /// Adds a result to a node and those above it. False if the deadline passed.
    fn back_up(&mut self, id: u32, half_points: u64) -> bool {
        let now = self.meter.nodes();
        let node = &mut self.nodes[id as usize];
        if std::mem::replace(&mut node.stamp, now) == now && self.numbers.graph == 1 {
            return true;
        }
        node.visits += 1;
        node.sum += half_points;
        let mut up = node.up;
        self.steps += 1;
        if self.steps % LOOK_EVERY == 0 && !self.meter.is_in_time() {
            return false;
        }
        while let Some(&edge) = self.edges.get(up as usize) {
            if !self.back_up(edge.parent, half_points) {
                return false;
            }
            up = edge.up;
        }
        true
    }

    /// The edge to the answer.
    fn answer(&self) -> Option<&Edge<G::Move>> {
        let root = self.node(0);
        let worth = |edge: &Edge<G::Move>| match self.numbers.by_ucb {
            1 => self.ucb(root, edge.child),
            _ => self.node(edge.child).visits as f64,
        };
        let valued = self.children(0).map(|edge| (worth(edge), edge));
        valued.reduce(|best, next| if next.0 >= best.0 { next } else { best }).map(|(_, edge)| edge)
    }
}

impl Node {
    const EMPTY: Node = Node {
        key: 0,
        sum: 0,
        visits: 0,
        stamp: 0,
        chain: NONE,
        down: NONE,
        up: NONE,
        moves: 0,
        tried: 0,
        closed: 0,
        mover: Player::FIRST,
        is_closed: false,
        value: 0,
    };
}

struct Grow<'a, G: Game> {
    search: &'a mut Exploration<G>,
    game: &'a G,
}

impl<G: Game> Task for Grow<'_, G> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, _cpu: C) {
        let Grow { search, game } = self;
        while !(search.numbers.closing == 1 && search.node(0).is_closed) && search.meter.take() {
            if !search.iterate(game) {
                break;
            }
        }
    }
}

impl<G: Game> Search<G> for Exploration<G> {
    fn search(&mut self, game: &G, budget: Budget) -> Report<G::Move> {
        const { assert!(G::PLAYERS == 2, "for two players") };
        let mut list = G::Moves::default();
        game.moves(&mut list);
        let Some(&first) = list.first() else {
            return Report::ended(Score::ended(game.payoff(game.to_move())));
        };
        self.meter = self.meter.again(budget);
        self.nodes.clear();
        self.edges.clear();
        self.heads.fill(NONE);
        self.find_or_add(game);
        if self.meter.is_in_time() {
            cpu::dispatch(Grow { search: self, game });
        }
        let sign = if game.to_move() == Player::FIRST { 1 } else { -1 };
        let (best, score) = match self.answer() {
            None => (first, Score::DRAW),
            Some(edge) => {
                let child = self.node(edge.child);
                let score = match child.is_closed {
                    true => Score::ended(Payoff(i32::from(sign * child.value))),
                    false => {
                        let mean = 1000.0 * (child.sum as f64 / child.visits.max(1) as f64 - 1.0);
                        Score::estimate(i32::from(sign) * mean as i32)
                    }
                };
                (edge.m, score)
            }
        };
        let solved = self.node(0).is_closed;
        Report { best: Some(best), score, nodes: self.meter.nodes(), depth: 1, solved, restarted: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tictactoe::Board;

    fn after(cells: &[u8]) -> Board {
        cells.iter().fold(Board::START, |board, &cell| board.after(cell))
    }

    fn search<G: Game>(game: &G, numbers: Numbers, budget: Budget) -> (Exploration<G>, Report<G::Move>) {
        let mut search = Exploration::new(numbers, 4 << 20, 3);
        let report = search.search(game, budget);
        (search, report)
    }

    #[test]
    fn it_closes_small_games() {
        let board = after(&[0, 4]);
        let [tree, graph, each_parent] = [0, 1, 2].map(|graph| {
            let numbers = Numbers { graph, ..Numbers::default() };
            let (search, report) = search(&board, numbers, Budget::nodes(100_000));
            assert!(report.solved && search.node(0).value == 0 && report.nodes < 100_000, "{report:?}");
            (report.nodes, search.node(0).visits)
        });
        assert_eq!((tree.0, graph.0), (tree.1, graph.1), "an iteration counts once at the root");
        assert!(graph.0 < tree.0 / 3, "{graph:?} {tree:?}");
        assert!(each_parent.1 > 3 * each_parent.0, "{each_parent:?}");
        let open = Numbers { closing: 0, ..Numbers::default() };
        assert_eq!(search(&board, open, Budget::nodes(100_000)).1.nodes, 100_000);
    }

    /// A closed node has the value of its best child, a closed position's children are all closed, and each node of a graph
    /// knows all of its parents.
    #[test]
    fn nodes_close_with_all_children() {
        for graph in 0..3 {
            for jump in 0..3 {
                let numbers = Numbers { graph, jump, ..Numbers::default() };
                let (search, _) = search(&after(&[0, 4, 8]), numbers, Budget::nodes(1_000));
                let mut closed = 0;
                for id in 0..search.nodes.len() as u32 {
                    let node = search.node(id);
                    let below: Vec<&Node> = search.children(id).map(|edge| search.node(edge.child)).collect();
                    let all =
                        below.len() == usize::from(node.moves) && below.iter().all(|node| node.is_closed);
                    assert_eq!(node.is_closed, all);
                    let sign = if node.mover == Player::FIRST { 1 } else { -1 };
                    let best = below.iter().map(|child| sign * child.value).max();
                    assert!(!all || best.is_none_or(|best| node.value == sign * best));
                    closed += usize::from(all && node.moves > 0);
                    let parents = search.edges.iter().filter(|edge| edge.child == id).count();
                    let mut known = 0;
                    let mut up = node.up;
                    while let Some(edge) = search.edges.get(up as usize) {
                        assert_eq!(edge.child, id);
                        (known, up) = (known + 1, edge.up);
                    }
                    assert_eq!(known, parents);
                    assert!(graph > 0 || parents == usize::from(id > 0));
                }
                assert!(closed > 0, "graph {graph}, jump {jump}");
            }
        }
    }

    /// As worded, a node is jumped where few moves have been tried, as programmed where many have been.
    #[test]
    fn jumps_depend_on_the_moves_tried() {
        for (jump, tried, expected) in
            [(0, 1, 1.0), (1, 1, 0.1), (1, 9, 0.9), (2, 1, 0.2), (2, 4, 5.0 / 7.0), (2, 5, 1.0)]
        {
            let (mut search, _) =
                search(&Board::START, Numbers { jump, ..Numbers::default() }, Budget::nodes(0));
            (search.nodes[0].moves, search.nodes[0].tried) = (10, tried);
            let share = (0..4_000).filter(|_| search.expands(0)).count() as f64 / 4_000.0;
            // Five standard deviations are below 0.04.
            assert!((share - expected).abs() < 0.04, "{jump}, {tried} tried: {share}");
        }
    }

    #[test]
    fn the_answer_has_the_largest_ucb_or_the_most_visits() {
        let mut differ = 0;
        for nodes in (20..400).step_by(20) {
            let moves = [0, 1].map(|by_ucb| {
                let (search, report) =
                    search(&Board::START, Numbers { by_ucb, ..Numbers::default() }, Budget::nodes(nodes));
                let all: Vec<_> = search.children(0).collect();
                let best = all.iter().find(|edge| Some(edge.m) == report.best).expect("a child").child;
                let root = search.node(0);
                assert!(
                    by_ucb == 0
                        || all.iter().all(|edge| search.ucb(root, edge.child) <= search.ucb(root, best))
                );
                assert!(
                    by_ucb == 1
                        || all.iter().all(|edge| search.node(edge.child).visits <= search.node(best).visits)
                );
                report.best
            });
            differ += usize::from(moves[0] != moves[1]);
        }
        assert!(differ > 0);
    }

    /// In m,n,k the hash of a board with one mark is the change that it makes to the empty board's 0.
    #[test]
    fn no_position_is_below_itself() {
        let numbers = Numbers { graph: 2, ..Numbers::default() };
        let (search, _) = search(&crate::mnk::Board::<9>::new(3, 3, 3), numbers, Budget::nodes(500));
        assert_eq!(search.node(0).up, NONE);
    }

    #[test]
    fn a_full_memory_plays_on() {
        for bytes in [1, 1_000, 10_000] {
            for graph in 0..3 {
                let mut search = Exploration::new(Numbers { graph, ..Numbers::default() }, bytes, 3);
                let report = search.search(&Board::START, Budget::nodes(2_000));
                assert!(report.nodes == 2_000 && report.best.is_some() && !report.solved, "{report:?}");
            }
        }
    }
}
