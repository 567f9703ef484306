//! How the bot thinks: the selective search of MNKGames, with as many nodes a turn as this machine has
//! time for.

use std::time::Instant;

use coppice::search::{Selective, SelectiveOptions};
use coppice::{Budget, Report, Search};

use super::board::Board;
use super::cell::Cell;
use super::heuristic::Heuristic;

/// Nodes are shared among a turn's moves; a share of time that isn't planned with is what keeps the
/// last of them from being cut off.
const PLANNED_PERCENT: u64 = 85;

/// The part of the first turn in which the machine's speed is measured.
const MEASURED_PERCENT: u32 = 25;

crate::tunables! {
    /// What can be tuned of [`Strategy`].
    pub struct Numbers {
        /// So many cells of each position are looked at, the best first; with ten in a line never more than three.
        width: u32 = 7 in 2..=30,
        /// So many plies deep.
        depth: u32 = 10 in 2..=20,
    }
}

/// The best cells of each position, to a fixed depth.
pub struct Strategy<const C: usize> {
    search: Selective<Board<C>, Heuristic>,
    /// Nodes a second.
    speed: Option<u64>,
}

impl<const C: usize> Strategy<C> {
    /// Ready to play on a board like this.
    pub fn new(start: &Board<C>) -> Strategy<C> {
        Strategy::with(&Numbers::default(), start)
    }

    /// Ready to play on a board like this with these numbers.
    pub fn with(numbers: &Numbers, start: &Board<C>) -> Strategy<C> {
        let (_, _, in_line) = start.size();
        let width = if in_line >= 10 { numbers.width.min(3) } else { numbers.width };
        let options = SelectiveOptions::new(width as usize, numbers.depth);
        Strategy { search: Selective::new(Heuristic, options), speed: None }
    }

    /// As many nodes as there is time for until `deadline`; measured first if nothing is known yet.
    fn nodes(&mut self, board: &Board<C>, deadline: Instant) -> u64 {
        let left = |now: Instant| deadline.saturating_duration_since(now);
        let speed = match self.speed {
            Some(speed) => speed,
            None => {
                let start = Instant::now();
                let part = left(start) * MEASURED_PERCENT / 100;
                per_second(self.search.calibrate(board, start + part), start)
            }
        };
        let micros = left(Instant::now()).as_micros() as u64;
        (u128::from(speed) * u128::from(micros * PLANNED_PERCENT / 100) / 1_000_000) as u64
    }
}

fn per_second(nodes: u64, start: Instant) -> u64 {
    (u128::from(nodes) * 1_000_000 / start.elapsed().as_micros().max(1)) as u64
}

impl<const C: usize> Search<Board<C>> for Strategy<C> {
    fn search(&mut self, board: &Board<C>, budget: Budget) -> Report<Cell> {
        let Some(deadline) = budget.deadline() else { return self.search.search(board, budget) };
        let nodes = self.nodes(board, deadline).max(1);
        let start = Instant::now();
        let report = self.search.search(board, budget.and_nodes(nodes));
        // A turn of a few nodes says little of the speed.
        if report.nodes >= 10_000 {
            self.speed = Some(per_second(report.nodes, start));
        }
        report
    }
}
