//! The submitted search: forced wins, and a search over the best cells of each position.

use coppice::{Budget, Game, Report, Score, Search};

use super::board::Board;
use super::cell::Cell;
use super::field::Field;
pub use super::threat_search::Numbers;
use super::threat_search::ThreatSearch;

/// [`ThreatSearch`] on a board of the contest.
pub struct Strategy {
    threat_search: ThreatSearch,
    size: (usize, usize, usize),
}

impl Strategy {
    /// Size of the search's table in bytes.
    pub const BYTES: usize = 32 << 20;

    /// A search for boards like `start` with these parameters and a table of `table_bytes` bytes.
    ///
    /// # Panics
    /// If the winning line is longer than [`MAX_IN_LINE`](super::field::MAX_IN_LINE).
    pub fn new<const C: usize>(start: &Board<C>, numbers: Numbers, table_bytes: usize) -> Strategy {
        let size = start.size();
        Strategy {
            threat_search: ThreatSearch::new(Field::new(size.0, size.1, size.2), numbers, table_bytes),
            size,
        }
    }
}

impl<const C: usize> Search<Board<C>> for Strategy {
    /// # Panics
    /// If the board's size differs from that of `start`.
    fn search(&mut self, board: &Board<C>, budget: Budget) -> Report<Cell> {
        assert!(board.size() == self.size, "made for a board of another size");
        if board.is_over() {
            return Report::ended(Score::ended(board.payoff(board.to_move())));
        }
        let columns = self.size.1;
        self.threat_search.set(|at| {
            let cell = Cell::new((at / columns) as u8, (at % columns) as u8);
            board.mark(cell).map_or(0, |player| player.index() as u8 + 1)
        });
        let found = self.threat_search.search(board.to_move().index(), budget);
        let best = Some(self.threat_search.field().place(found.at));
        let (score, nodes, depth, solved) = (found.score, found.nodes, found.depth, found.solved);
        Report { best, score, nodes, depth, solved, restarted: false }
    }
}
