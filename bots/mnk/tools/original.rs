//! The player MNKGames (Flecart, 2022) as published: selective search to a fixed depth, with a node budget per turn
//! that is calibrated at the start.

use coppice::search::{Selective, SelectiveOptions};
use coppice::{Budget, Report, Search};

use crate::mnk::board::Board;
use crate::mnk::cell::Cell;
use crate::mnk::heuristic::MoverFirst;

/// From this line length up it looks at three cells of a position instead of [`Numbers::width`].
const LONG_LINE: usize = 10;
const LONG_LINE_WIDTH: u32 = 3;
/// Depth limit for such lines if fewer than [`FEW_NODES`] were calibrated.
const SLOW_DEPTH: u32 = 8;
const FEW_NODES: u64 = 1_000_000;

contest::tunables! {
    /// Parameters of [`Original`]. The defaults are the published values.
    pub struct Numbers {
        /// Number of best cells searched in each position, three times as many at the root; 3 with ten in a line.
        width: u32 = 7 in 1..=30,
        /// Depth in plies; 8 with ten in a line on a slow machine.
        depth: u32 = 10 in 1..=20,
        /// Percent of the first turn's time used for calibration. The nodes counted in it become the budget of every
        /// turn.
        counting_percent: u32 = 85 in 1..=100,
        /// 1 as in the course: calibration comes before the first turn, whose search then has its whole time. For games
        /// without processes: a referee would take it for a part of the turn. 0: it is one.
        before: u32 = 0 in 0..=1,
        /// 1 sorts all free cells of a position, 0 keeps the best in a heap. The answers are the same.
        full_sort: u32 = 0 in 0..=1,
        /// 1 chooses the best cells after each mark made and taken back; 0 only where they are read. The answers are the
        /// same.
        each_mark: u32 = 1 in 0..=1,
    }
}

/// Searches the best cells of each position to a fixed depth.
///
/// The original calibrates before the game. The command-line protocol has no such phase, so calibration takes part of
/// the first turn and that turn's search gets the rest, unless [`Numbers::before`] is set. A node budget replaces
/// calibration.
pub struct Original<const C: usize> {
    search: Selective<Board<C>, MoverFirst>,
    numbers: Numbers,
    in_line: usize,
    /// Calibrated nodes per turn.
    counted: Option<u64>,
}

impl<const C: usize> Original<C> {
    /// A player for boards like `start`, with these parameters.
    pub fn new(numbers: Numbers, start: &Board<C>) -> Original<C> {
        let (_, _, in_line) = start.size();
        let search = search(&numbers, in_line, u64::MAX);
        Original { search, numbers, in_line, counted: None }
    }

    /// The node budget of a turn, calibrated on the first call.
    fn nodes(&mut self, board: &Board<C>, budget: Budget) -> u64 {
        if let Some(nodes) = self.counted {
            return nodes;
        }
        let nodes = self.search.calibrate(board, budget.share(self.numbers.counting_percent, 100)).max(1);
        if self.in_line >= LONG_LINE && nodes < FEW_NODES {
            self.search = search(&self.numbers, self.in_line, nodes);
        }
        self.counted = Some(nodes);
        nodes
    }
}

fn search<const C: usize>(numbers: &Numbers, in_line: usize, nodes: u64) -> Selective<Board<C>, MoverFirst> {
    let (mut width, mut depth) = (numbers.width, numbers.depth);
    if in_line >= LONG_LINE {
        width = width.min(LONG_LINE_WIDTH);
        depth = if nodes < FEW_NODES { depth.min(SLOW_DEPTH) } else { depth };
    }
    let (full_sort, each_mark) = (numbers.full_sort == 1, numbers.each_mark == 1);
    let width = width as usize;
    Selective::new(MoverFirst, SelectiveOptions { width, root_width: None, depth, full_sort, each_mark })
}

impl<const C: usize> Search<Board<C>> for Original<C> {
    fn search(&mut self, board: &Board<C>, budget: Budget) -> Report<Cell> {
        let Some(deadline) = budget.deadline() else { return self.search.search(board, budget) };
        let (started, is_first) = (budget.now(), self.counted.is_none());
        let nodes = self.nodes(board, budget);
        let budget = match is_first && self.numbers.before == 1 {
            true => budget.with_deadline(deadline + budget.now().saturating_duration_since(started)),
            false => budget,
        };
        self.search.search(board, budget.and_nodes(nodes))
    }
}
