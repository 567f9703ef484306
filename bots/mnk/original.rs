//! The player MNKGames (Flecart, 2022) as it was published: selective search to a fixed depth, with as many nodes
//! a turn as were counted on this machine at the start.

use std::time::Instant;

use coppice::search::{Selective, SelectiveOptions};
use coppice::{Budget, Report, Search};

use super::board::Board;
use super::cell::Cell;
use super::heuristic::Heuristic;

/// With so many in a line it looks at three cells of a position in place of [`Numbers::width`].
const LONG_LINE: usize = 10;
const LONG_LINE_WIDTH: u32 = 3;
/// And no deeper than this where fewer than [`FEW_NODES`] were counted.
const SLOW_DEPTH: u32 = 8;
const FEW_NODES: u64 = 1_000_000;

contest::tunables! {
    /// What can be changed of [`Original`]; the defaults are what was published.
    pub struct Numbers {
        /// So many cells of each position are looked at, the best first, and three times as many at the root; with
        /// ten in a line three.
        width: u32 = 7 in 1..=30,
        /// So many plies deep; with ten in a line on a slow machine 8.
        depth: u32 = 10 in 1..=20,
        /// The part of the first turn's time that goes into counting, in percent. What is counted is the budget
        /// of every turn.
        counting_percent: u32 = 85 in 1..=100,
        /// 1 puts all free cells of a position in order, 0 keeps the best in a heap. The answers are the same.
        full_sort: u32 = 0 in 0..=1,
    }
}

/// The best cells of each position, to a fixed depth.
///
/// There the counting happens before the game; by the protocol of commands nobody waits then, so it takes its part
/// of the first turn, and that turn's search has what is left. A node budget takes the place of what is counted.
pub struct Original<const C: usize> {
    search: Selective<Board<C>, Heuristic>,
    numbers: Numbers,
    in_line: usize,
    /// Nodes a turn.
    counted: Option<u64>,
}

impl<const C: usize> Original<C> {
    /// Ready to play on a board like this with these numbers.
    pub fn new(numbers: Numbers, start: &Board<C>) -> Original<C> {
        let (_, _, in_line) = start.size();
        let search = search(&numbers, in_line, u64::MAX);
        Original { search, numbers, in_line, counted: None }
    }

    /// What the turn may take: the first time this is counted.
    fn nodes(&mut self, board: &Board<C>, deadline: Instant) -> u64 {
        if let Some(nodes) = self.counted {
            return nodes;
        }
        let now = Instant::now();
        let part = deadline.saturating_duration_since(now) * self.numbers.counting_percent / 100;
        let nodes = self.search.calibrate(board, now + part).max(1);
        if self.in_line >= LONG_LINE && nodes < FEW_NODES {
            self.search = search(&self.numbers, self.in_line, nodes);
        }
        self.counted = Some(nodes);
        nodes
    }
}

fn search<const C: usize>(numbers: &Numbers, in_line: usize, nodes: u64) -> Selective<Board<C>, Heuristic> {
    let (mut width, mut depth) = (numbers.width, numbers.depth);
    if in_line >= LONG_LINE {
        width = width.min(LONG_LINE_WIDTH);
        depth = if nodes < FEW_NODES { depth.min(SLOW_DEPTH) } else { depth };
    }
    let full_sort = numbers.full_sort == 1;
    Selective::new(Heuristic, SelectiveOptions { full_sort, ..SelectiveOptions::new(width as usize, depth) })
}

impl<const C: usize> Search<Board<C>> for Original<C> {
    fn search(&mut self, board: &Board<C>, budget: Budget) -> Report<Cell> {
        let nodes = budget.deadline().map_or(u64::MAX, |deadline| self.nodes(board, deadline));
        self.search.search(board, budget.and_nodes(nodes))
    }
}
