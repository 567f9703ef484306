//! Alpha-beta with a hash table, iterative deepening and killers.

use crate::board::{Board, Move, Moves};
use crate::eval::{estimate, WIN};
use arrayvec::ArrayVec;
use fxhash::FxHashMap;

/// Maximum length of a line.
const DEEPEST: usize = 24;

/// The principal variation.
pub type Line = ArrayVec<Move, DEEPEST>;

/// The bound that a table entry holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    depth: u8,
    value: i32,
    bound: Bound,
    best: Option<Move>,
}

/// The result of a search.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The value for the player to move.
    pub value: i32,
    /// The line.
    pub line: Line,
    /// The number of positions visited.
    pub nodes: u64,
}

/// The search; it keeps its table from move to move.
#[derive(Default)]
pub struct AlphaBeta {
    table: FxHashMap<Board, Entry>,
    killers: [ArrayVec<Move, 2>; DEEPEST],
    nodes: u64,
    most: u64,
}

impl AlphaBeta {
    /// Iterative deepening until `most` positions were visited.
    pub fn search(&mut self, board: &Board, most: u64) -> Found {
        self.nodes = 0;
        self.most = most;
        if self.table.len() > 200_000 {
            self.table.clear();
        }
        self.killers.iter_mut().for_each(ArrayVec::clear);
        let mut found = Found::default();
        for depth in 1..DEEPEST as u8 {
            let Some(value) = self.node(board, depth, 0, -WIN, WIN) else { break };
            let line = self.line(board);
            found = Found { value, line, nodes: self.nodes };
            if value.abs() > WIN - DEEPEST as i32 {
                break;
            }
        }
        found.nodes = self.nodes;
        found
    }

    fn node(&mut self, board: &Board, depth: u8, ply: usize, alpha: i32, beta: i32) -> Option<i32> {
        self.nodes += 1;
        if self.nodes > self.most {
            return None;
        }
        if board.is_lost() {
            return Some(ply as i32 - WIN);
        }
        if depth == 0 || ply + 1 >= DEEPEST {
            return Some(estimate(board));
        }
        let known = self.table.get(board).copied();
        if let Some(entry) = known.filter(|e| e.depth >= depth && ply > 0) {
            match entry.bound {
                Bound::Exact => return Some(entry.value),
                Bound::AtLeast if entry.value >= beta => return Some(entry.value),
                Bound::AtMost if entry.value <= alpha => return Some(entry.value),
                _ => {}
            }
        }
        let moves = self.sorted(board, ply, known.and_then(|e| e.best));
        let (mut low, mut best, mut best_move) = (alpha, -WIN, None);
        for m in moves {
            let value = -self.node(&board.after(m), depth - 1, ply + 1, -beta, -low)?;
            if value > best {
                best = value;
                best_move = Some(m);
            }
            low = low.max(value);
            if low >= beta {
                self.killer(board, ply, m);
                break;
            }
        }
        let bound = match best {
            b if b >= beta => Bound::AtLeast,
            b if b > alpha => Bound::Exact,
            _ => Bound::AtMost,
        };
        self.table.insert(*board, Entry { depth, value: best, bound, best: best_move });
        Some(best)
    }

    /// The moves, the most promising first.
    fn sorted(&self, board: &Board, ply: usize, first: Option<Move>) -> Moves {
        let mut moves = board.moves();
        let killers = &self.killers[ply];
        moves.sort_by_key(|m| {
            let captures = board.captures(*m);
            (Some(*m) != first, !captures, !killers.contains(m), 7 - m.to.row(), *m)
        });
        moves
    }

    fn killer(&mut self, board: &Board, ply: usize, m: Move) {
        if board.captures(m) || self.killers[ply].contains(&m) {
            return;
        }
        if self.killers[ply].is_full() {
            self.killers[ply].remove(0);
        }
        self.killers[ply].push(m);
    }

    /// The line stored in the table.
    fn line(&self, board: &Board) -> Line {
        let mut line = Line::new();
        let mut board = *board;
        while let Some(m) = self.table.get(&board).and_then(|e| e.best) {
            if line.try_push(m).is_err() {
                break;
            }
            board = board.after(m);
        }
        line
    }
}
