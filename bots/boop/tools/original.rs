//! The search of the paper with switchable parts: Richoux, *Injecting Combinatorial Optimization into MCTS:
//! Application to the Board Game boop.* (2024), algorithms 1 and 2, as its program implements them.
//!
//! The engine's own form of the method is [`Optimised`](coppice::search::Optimised). This one also reproduces
//! peculiarities of the program that decide its results: nodes are created one at a time, by piece and cell, each
//! with the promotion that a rule chooses, and a node counts as complete once it has as many children as there are
//! empty cells. The enumeration in `solver` is no [`Model`](coppice::optimise::Model) either: that rule breaks ties at
//! random, for which a model has no generator, and random playouts need it without an objective.

use arrayvec::ArrayVec;
use coppice::clock::Meter;
use coppice::cpu::{self, Cpu, Task};
use coppice::math::ln;
use coppice::{Budget, Game, Player, Report, Rng, Score, Search};

use super::solver::{self, objective, Masked};
use crate::boop::board::Board;
use crate::boop::heuristic::{heuristic, MOST};
use crate::boop::side::BORDER;
use crate::boop::turn::Turn;

contest::tunables! {
    /// Switches and tunable parameters. With `select`, `expand` and `playout` all 0 this is plain Monte Carlo tree
    /// search.
    pub struct Numbers {
        /// S: the root keeps only the solver's best moves.
        select: u32 = 1 in 0..=1,
        /// E: a node tries its moves in the solver's order. Without it the order is random.
        expand: u32 = 1 in 0..=1,
        /// P: playouts follow the solver's moves and are cut off. Without it they are random and run to the end.
        playout: u32 = 1 in 0..=1,
        /// 1 as published: a win in a playout is valued from Red's view, whoever's view is asked for; 0 is correct.
        /// Next to the root, playouts are judged from the searcher's view, so it is Blue who takes wins for losses.
        /// In self-play with 170 iterations, Blue won 11 and Red 60 of 72 games with 1, and 31 and 37 with 0; the
        /// paper reports 7 and 93 of 100.
        by_colour: u32 = 1 in 0..=1,
        /// 1 as published: a new node's own playout doesn't count as a visit to it. 0 counts it.
        unvisited: u32 = 1 in 0..=1,
        /// 1 as published: random playouts too return the mean of the heuristic. 0 uses only their results.
        scored: u32 = 1 in 0..=1,
        /// 1 as in the program: without S the root leaves out border cells in the first six plies, and its nodes are
        /// complete six children early. 0 as in the text: all children.
        masked: u32 = 1 in 0..=1,
        /// 1 as in the program: a node is complete once it has as many children as there are empty cells. 0 as in the
        /// text: once it has one for each piece and cell.
        by_cells: u32 = 1 in 0..=1,
        /// 1 as published. 2: the solver avoids moves that allow an immediate win, where it can: a decision over two stages,
        /// which the paper names as future work (section VII).
        stages: u32 = 1 in 1..=2,
        /// Number of root moves that S keeps.
        root_moves: u32 = 5 in 1..=72,
        /// Length of P's playouts in plies: 21 in the program, 20 in the text.
        plies: u32 = 21 in 1..=400,
        /// Weight of each playout ply relative to the one before.
        discount: f32 = 0.9 in 0.1..=1.0,
        /// Exploration constant of UCT, for rewards in -1 to 1.
        exploration: f32 = 0.3 in 0.0..=3.0,
    }
}

/// The program's mask of border cells ends at this ply.
const MASKED_PLIES: u16 = 6;

impl Numbers {
    /// Whether the mask of border cells applies.
    #[inline(always)]
    fn masks_border(&self, board: &Board) -> bool {
        self.select == 0 && self.masked == 1 && board.ply() < MASKED_PLIES
    }
}

/// Null node id.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Node {
    board: Board,
    /// Sum of rewards to the player who moved here.
    sum: f64,
    visits: u32,
    parent: u32,
    /// The child created last, and the sibling created just before this node.
    child: u32,
    sibling: u32,
    children: u32,
    turn: Turn,
    /// Excluded from selection, by S or as a border cell.
    is_masked: bool,
    tried: Masked,
}

/// The paper's search. The tree is discarded after each turn.
pub struct Paper {
    numbers: Numbers,
    nodes: Vec<Node>,
    rng: Rng,
}

impl Paper {
    /// A search with a pool of `pool_bytes` bytes. `seed` determines its random choices.
    pub fn new(numbers: Numbers, pool_bytes: usize, seed: u64) -> Paper {
        // Any pool has room for the root and its children.
        let capacity = (pool_bytes / size_of::<Node>()).clamp(80, NONE as usize);
        Paper { numbers, nodes: Vec::with_capacity(capacity), rng: Rng::new(seed) }
    }

    fn node(&self, id: u32) -> &Node {
        &self.nodes[id as usize]
    }

    fn children(&self, id: u32) -> impl Iterator<Item = (u32, &Node)> {
        let mut next = self.node(id).child;
        std::iter::from_fn(move || {
            let node = self.nodes.get(next as usize)?;
            let id = std::mem::replace(&mut next, node.sibling);
            Some((id, node))
        })
    }

    /// Adds a child; [`NONE`] if the pool is full.
    fn add(&mut self, parent: u32, turn: Turn) -> u32 {
        let board = self.node(parent).board.after(turn);
        self.nodes[parent as usize].tried.add(turn);
        self.nodes[parent as usize].children += 1;
        if self.nodes.len() == self.nodes.capacity() {
            return NONE;
        }
        let id = self.nodes.len() as u32;
        let sibling = std::mem::replace(&mut self.nodes[parent as usize].child, id);
        self.nodes.push(Node { parent, sibling, turn, ..Node::new(board) });
        id
    }

    /// Creates the root with all of its children, some of them masked.
    fn plant(&mut self, board: &Board) {
        self.nodes.clear();
        self.nodes.push(Node { visits: 1, ..Node::new(*board) });
        let mut worth = ArrayVec::<_, 72>::new();
        board.each_placing(|is_large, cell| worth.push(objective(board, is_large, cell, &mut self.rng)));
        for i in 0..worth.len() {
            self.add(0, worth[i].0);
        }
        let numbers = self.numbers;
        let is_masked = |turn: Turn, kept: &[Turn]| match numbers.select {
            0 => numbers.masks_border(board) && BORDER >> turn.cell() & 1 == 1,
            _ => !kept.contains(&turn),
        };
        // Shuffle before sorting, to break ties at random.
        for i in (1..worth.len()).rev() {
            worth.swap(i, self.rng.below(i as u32 + 1) as usize);
        }
        if numbers.stages == 2 && numbers.select == 1 {
            worth
                .iter_mut()
                .filter(|(turn, _)| !solver::is_safe(board, *turn))
                .for_each(|(_, worth)| *worth -= 2 * MOST);
        }
        worth.sort_unstable_by_key(|&(_, worth)| -worth);
        let kept = worth.iter().take(self.numbers.root_moves as usize).map(|&(turn, _)| turn);
        let kept: ArrayVec<Turn, 72> = kept.collect();
        let all_masked = worth.iter().all(|&(turn, _)| is_masked(turn, &kept));
        for id in 1..self.nodes.len() {
            self.nodes[id].is_masked = !all_masked && is_masked(self.nodes[id].turn, &kept);
        }
    }

    /// The child to descend to; `None` if a new child must be created first.
    #[inline(always)]
    fn select(&mut self, id: u32) -> Option<u32> {
        let node = self.node(id);
        let spared = if self.numbers.masks_border(&node.board) { 6 } else { 0 };
        let own = node.board.own();
        let kinds = match self.numbers.by_cells {
            1 => 1,
            _ => u32::from(own.small_in_pool() > 0) + u32::from(own.large_in_pool() > 0),
        };
        if node.children + spared < kinds * node.board.empty().count_ones() {
            return None;
        }
        let growth = f64::from(ln(node.visits.max(1) as f32)).sqrt() * f64::from(self.numbers.exploration);
        let (mut best, mut most, mut ties) = (None, f64::NEG_INFINITY, 0);
        let mut rng = self.rng.clone();
        for (id, child) in self.children(id) {
            if child.is_masked {
                continue;
            }
            let visits = f64::from(child.visits);
            let value = match child.visits {
                0 => f64::INFINITY,
                _ => child.sum / visits + growth / visits.sqrt(),
            };
            if value > most {
                (best, most, ties) = (Some(id), value, 1);
            } else if value == most {
                ties += 1;
                if rng.below(ties) == 0 {
                    best = Some(id);
                }
            }
        }
        self.rng = rng;
        best
    }

    /// One iteration: descend, expand, play out, back up.
    #[inline(always)]
    fn iterate(&mut self) {
        let mut id = 0;
        while let Some(child) = self.select(id) {
            id = child;
        }
        let Node { board, tried, children, .. } = *self.node(id);
        if board.is_over() {
            let result = f64::from(-board.payoff(board.to_move()).sign());
            let node = &mut self.nodes[id as usize];
            node.visits += 1;
            // As published, a terminal node keeps the sum it was created with.
            node.sum += if self.numbers.unvisited == 0 && node.visits > 1 { result } else { 0.0 };
            let parent = node.parent;
            self.count(parent, -result);
            return;
        }
        let turn = match self.numbers.expand {
            0 => solver::random(&board, tried, &mut self.rng),
            _ => solver::best(&board, tried, self.numbers.stages, &mut self.rng),
        };
        let Some(turn) = turn else {
            // The pool has no room for a child of this node.
            self.count(id, 0.0);
            return;
        };
        let new = self.add(id, turn);
        let next = board.after(turn);
        let reward = match next.is_over() {
            true => f64::from(-next.payoff(next.to_move()).sign()),
            false => -self.play_out(&next) / f64::from(children + 1),
        };
        if new != NONE {
            let node = &mut self.nodes[new as usize];
            node.sum = reward;
            node.visits = u32::from(self.numbers.unvisited == 0);
        }
        self.count(id, -reward);
    }

    /// Adds a reward, from the view of the player who moved to the node, to it and its ancestors.
    #[inline(always)]
    fn count(&mut self, mut id: u32, mut reward: f64) {
        while id != NONE {
            let node = &mut self.nodes[id as usize];
            node.sum += reward;
            node.visits += 1;
            id = node.parent;
            reward = -reward;
        }
    }

    /// The value of a playout for the player to move at its start.
    #[inline(always)]
    fn play_out(&mut self, start: &Board) -> f64 {
        let is_solved = self.numbers.playout == 1;
        let me = start.to_move();
        let discount = f64::from(self.numbers.discount);
        let (mut board, mut sum, mut weight, mut plies) = (*start, 0.0, 1.0, 0);
        while !board.is_over() && (!is_solved || plies < self.numbers.plies) {
            let turn = match is_solved {
                true => solver::best(&board, Masked::default(), self.numbers.stages, &mut self.rng),
                false => solver::random(&board, Masked::default(), &mut self.rng),
            };
            let Some(turn) = turn else { break };
            board.play(turn);
            plies += 1;
            weight *= if plies > 1 { discount } else { 1.0 };
            let is_mine = board.to_move() == me;
            let (own, other) =
                if is_mine { (board.own(), board.other()) } else { (board.other(), board.own()) };
            if board.is_over() {
                let view = if self.numbers.by_colour == 1 { Player::SECOND } else { me };
                let result = f64::from(board.payoff(view).sign());
                if !is_solved && self.numbers.scored == 0 {
                    return result;
                }
                sum += weight * result;
            } else if is_solved || self.numbers.scored == 1 {
                sum += weight * f64::from(heuristic(own, other)) / f64::from(MOST);
            }
        }
        sum / f64::from(plies.max(1))
    }

    /// An immediate win, or the move with the best mean (ties broken at random), and that mean.
    fn answer(&mut self) -> Option<(Turn, f64)> {
        let won = |node: &Node| node.board.payoff(node.board.to_move()).sign() < 0;
        if let Some((_, node)) = self.children(0).find(|(_, node)| won(node)) {
            return Some((node.turn, 1.0));
        }
        let mean = |node: &Node| match node.visits {
            0 => f64::NEG_INFINITY,
            visits => node.sum / f64::from(visits),
        };
        let visible = |&(_, node): &(u32, &Node)| !node.is_masked;
        let most =
            self.children(0).filter(visible).map(|(_, node)| mean(node)).fold(f64::NEG_INFINITY, f64::max);
        let best = |(_, node): &(u32, &Node)| !node.is_masked && mean(node) == most;
        let ties = self.children(0).filter(best).count();
        let mut rng = self.rng.clone();
        let chosen = self.children(0).filter(best).nth(rng.below(ties.max(1) as u32) as usize);
        let answer = chosen.map(|(_, node)| (node.turn, most.max(-1.0)));
        self.rng = rng;
        answer
    }
}

impl Node {
    fn new(board: Board) -> Node {
        Node {
            board,
            sum: 0.0,
            visits: 0,
            parent: NONE,
            child: NONE,
            sibling: NONE,
            children: 0,
            turn: Turn::default(),
            is_masked: false,
            tried: Masked::default(),
        }
    }
}

struct Grow<'a> {
    paper: &'a mut Paper,
    meter: &'a mut Meter<16>,
}

impl Task for Grow<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, _cpu: C) {
        while self.meter.take() {
            self.paper.iterate();
        }
    }
}

impl Search<Board> for Paper {
    fn search(&mut self, board: &Board, budget: Budget) -> Report<Turn> {
        if board.is_over() {
            return Report::ended(Score::ended(board.payoff(board.to_move())));
        }
        let mut meter = Meter::new(budget);
        self.plant(board);
        cpu::dispatch(Grow { paper: self, meter: &mut meter });
        let (best, mean) = self.answer().unzip();
        let score = Score::estimate((1000.0 * mean.unwrap_or(0.0)) as i32);
        Report { best, score, nodes: meter.nodes(), depth: 1, solved: false, restarted: false }
    }
}

contest::tunables! {
    /// Tunable parameters of [`Heuristic`].
    pub struct HeuristicNumbers {
        /// As in [`Numbers`].
        stages: u32 = 1 in 1..=2,
    }
}

/// Plays the solver's best move by the heuristic, without search.
pub struct Heuristic {
    numbers: HeuristicNumbers,
    rng: Rng,
}

impl Heuristic {
    /// `seed` determines how ties are broken.
    pub fn new(numbers: HeuristicNumbers, seed: u64) -> Heuristic {
        Heuristic { numbers, rng: Rng::new(seed) }
    }
}

impl Search<Board> for Heuristic {
    fn search(&mut self, board: &Board, _: Budget) -> Report<Turn> {
        let turn = match board.is_over() {
            true => None,
            false => solver::best(board, Masked::default(), self.numbers.stages, &mut self.rng),
        };
        let score = match turn {
            None => Score::ended(board.payoff(board.to_move())),
            Some(turn) => {
                let next = board.after(turn);
                Score::estimate(heuristic(next.other(), next.own()))
            }
        };
        Report { best: turn, score, nodes: 0, depth: 1, solved: turn.is_none(), restarted: false }
    }
}
