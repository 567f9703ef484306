//! The submitted search: forced wins, and a search over the best cells of each position.

use coppice::{Budget, Evaluation, Game, Report, Reversible, Score, Search};

use super::board::Board;
use super::cell::Cell;
use super::field::{Field, MAX_IN_LINE};
use super::heuristic::{Heuristic, MoverFirst};
pub use super::threat_search::Numbers;
use super::threat_search::ThreatSearch;

/// [`ThreatSearch`] on a board of the contest. With more than [`MAX_IN_LINE`] in a line it plays the best cell by the
/// heuristic: no line of that length can be forced.
pub struct Strategy {
    threat_search: Option<ThreatSearch>,
    size: (usize, usize, usize),
}

impl Strategy {
    /// Size of the search's table in bytes.
    pub const BYTES: usize = 32 << 20;

    /// A search for boards like `start` with these parameters and a table of `table_bytes` bytes.
    pub fn new<const C: usize>(start: &Board<C>, numbers: Numbers, table_bytes: usize) -> Strategy {
        let size = start.size();
        let search = || ThreatSearch::new(Field::new(size.0, size.1, size.2), numbers, table_bytes);
        Strategy { threat_search: (size.2 <= MAX_IN_LINE).then(search), size }
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
        let Some(threat_search) = &mut self.threat_search else { return best_cell(board) };
        threat_search.set(|at| {
            let cell = Cell::new((at / columns) as u8, (at % columns) as u8);
            board.mark(cell).map_or(0, |player| player.index() as u8 + 1)
        });
        let found = threat_search.search(board.to_move().index(), budget);
        let best = Some(threat_search.field().place(found.at));
        let (score, nodes, depth, solved) = (found.score, found.nodes, found.depth, found.solved);
        Report { best, score, nodes, depth, solved, restarted: false }
    }
}

/// The best cell by the heuristic, of a board that isn't over.
fn best_cell<const C: usize>(board: &Board<C>) -> Report<Cell> {
    let (mut best, mut most) = (None, i32::MIN);
    board.for_each_move(|cell| {
        let rank = MoverFirst.rank(board, cell);
        if rank > most {
            (best, most) = (Some(cell), rank);
        }
    });
    Report { best, score: Heuristic.evaluate(board), nodes: 1, depth: 1, solved: false, restarted: false }
}
