//! Monte Carlo tree search: a tree in one vector, short playouts, transpositions by hash.

use crate::board::{Board, Move};
use crate::dice::Dice;
use crate::eval::estimate;
use fxhash::{FxHashMap, FxHashSet};
use smallvec::{smallvec, SmallVec};

/// Exploration weight.
const EXPLORE: f64 = 0.7;
/// Playout length after which the estimate decides.
const PLAYOUT: usize = 12;

/// Index of a node in the tree.
type Index = u32;

#[derive(Clone, Debug)]
struct Node {
    board: Board,
    visits: u32,
    /// Wins of the player who moved into the node.
    wins: f64,
    children: SmallVec<[(Move, Index); 8]>,
    /// Moves that were not tried yet.
    untried: SmallVec<[Move; 32]>,
}

/// The search.
pub struct Tree<'d, D> {
    nodes: Vec<Node>,
    known: FxHashMap<Board, Index>,
    dice: &'d mut D,
}

impl<'d, D: Dice> Tree<'d, D> {
    /// A tree of a root alone.
    pub fn new(board: &Board, dice: &'d mut D) -> Tree<'d, D> {
        let mut tree = Tree { nodes: Vec::with_capacity(4096), known: FxHashMap::default(), dice };
        tree.add(*board);
        tree
    }

    fn add(&mut self, board: Board) -> Index {
        if let Some(&index) = self.known.get(&board) {
            return index;
        }
        let mut untried = if board.is_lost() { smallvec![] } else { board.moves() };
        self.dice.mix(&mut untried);
        let index = self.nodes.len() as Index;
        self.nodes.push(Node { board, visits: 0, wins: 0.0, children: SmallVec::new(), untried });
        self.known.insert(board, index);
        index
    }

    /// Runs a number of playouts; returns the most visited move and its win rate.
    pub fn search(&mut self, games: u32) -> Option<(Move, f64)> {
        for _ in 0..games {
            self.game();
        }
        let root = &self.nodes[0];
        let best = root.children.iter().max_by_key(|(m, i)| (self.nodes[*i as usize].visits, *m))?;
        let node = &self.nodes[best.1 as usize];
        Some((best.0, node.wins / f64::from(node.visits.max(1))))
    }

    /// The number of positions in the tree.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    fn game(&mut self) {
        let mut path: SmallVec<[Index; 64]> = smallvec![0];
        let mut seen: FxHashSet<Index> = FxHashSet::default();
        let mut at = 0;
        while self.nodes[at as usize].untried.is_empty() {
            let Some(next) = self.select(at) else { break };
            if !seen.insert(next) {
                break;
            }
            path.push(next);
            at = next;
        }
        if let Some(m) = self.nodes[at as usize].untried.pop() {
            let board = self.nodes[at as usize].board.after(m);
            let next = self.add(board);
            self.nodes[at as usize].children.push((m, next));
            path.push(next);
            at = next;
        }
        let mut won = 1.0 - self.playout(self.nodes[at as usize].board);
        for &index in path.iter().rev() {
            let node = &mut self.nodes[index as usize];
            node.visits += 1;
            node.wins += won;
            won = 1.0 - won;
        }
    }

    /// The child with the highest upper confidence bound.
    fn select(&self, at: Index) -> Option<Index> {
        let node = &self.nodes[at as usize];
        let log = f64::from(node.visits.max(1)).ln();
        let bound = |i: Index| {
            let child = &self.nodes[i as usize];
            let visits = f64::from(child.visits.max(1));
            child.wins / visits + EXPLORE * (log / visits).sqrt()
        };
        let children = node.children.iter().map(|&(_, i)| i);
        children.max_by(|&a, &b| bound(a).total_cmp(&bound(b)).then(a.cmp(&b)))
    }

    /// The result for the player to move: 1 is a win, 0 a loss, estimates lie between.
    fn playout(&mut self, board: Board) -> f64 {
        let mut board = board;
        for ply in 0..PLAYOUT {
            if board.is_lost() {
                return (ply % 2) as f64;
            }
            let moves = board.moves();
            // A capture, if there is one, is chosen with probability 0.6.
            let sharp: SmallVec<[Move; 8]> = moves.iter().copied().filter(|m| board.captures(*m)).collect();
            let m = match sharp.as_slice() {
                [] => moves[self.dice.below(moves.len())],
                sharp if self.dice.share() < 0.6 => sharp[self.dice.below(sharp.len())],
                _ => *self.dice.one(&moves).unwrap_or(&moves[0]),
            };
            board = board.after(m);
        }
        let value = f64::from(estimate(&board)) / 100.0;
        let share = 1.0 / (1.0 + (-value).exp());
        if PLAYOUT % 2 == 0 {
            share
        } else {
            1.0 - share
        }
    }
}
