//! The original's agent: alpha-beta with separate deepening for each root action and switchable parts.

use coppice::search::{AlphaBeta, AlphaBetaOptions, EachMove, LINE};
use coppice::{Budget, List, Report, Search};

use super::busy::{Busy, Inside};
use super::row_weights::RowWeights;
use crate::freckers::board::Board;
use crate::freckers::cell::Move;
use contest::tunable::{Tunable, TunableError, Tunables};

/// Default size of the table in bytes: it is cleared every turn, so a larger one costs time.
const TABLE_BYTES: usize = 8 << 20;

contest::tunables! {
    /// Switches for the parts of [`Original`]: 1 is on, 0 is off.
    pub struct Parts {
        /// Transposition table, used only at equal remaining depth.
        table: u32 = 1 in 0..=1,
        /// Clears the table every turn.
        clear: u32 = 1 in 0..=1,
        /// Killer moves: tries first the moves that last caused a cutoff at the same ply.
        killers: u32 = 1 in 0..=1,
        /// Sorts moves by rows gained, then by hops.
        sorting: u32 = 1 in 0..=1,
        /// Searches each root action separately, with its share of the budget and a full window.
        each_move: u32 = 1 in 0..=1,
        /// Iterative deepening from depth 1, as far as the budget allows.
        deepening: u32 = 1 in 0..=1,
        /// Maximum depth in plies; without deepening, the only depth.
        depth: u32 = 100 in 2..=100,
    }
}

/// All parts switched off: the original's plain alpha-beta to depth 3.
pub struct Plain(pub Parts);

impl Default for Plain {
    fn default() -> Plain {
        Plain(Parts { table: 0, clear: 0, killers: 0, sorting: 0, each_move: 0, deepening: 0, depth: 3 })
    }
}

impl Tunables for Plain {
    fn list(&self) -> Vec<Tunable> {
        self.0.list()
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), TunableError> {
        self.0.set(name, value)
    }
}

impl Parts {
    /// The engine's options for the search.
    fn options(&self) -> AlphaBetaOptions {
        AlphaBetaOptions {
            deepening: self.deepening == 1,
            table: self.table == 1,
            equal_depth: true,
            table_move: self.table == 1,
            killers: self.killers == 1,
            sorting: self.sorting == 1,
            // When each move is searched separately, the move itself is the first ply.
            ..AlphaBetaOptions::plain(self.depth - self.each_move)
        }
    }
}

/// Alpha-beta over the original's evaluation, without growing that changes nothing.
pub struct Original {
    search: EachMove<AlphaBeta<Busy, Inside<RowWeights>>>,
    is_each: bool,
    is_cleared: bool,
}

impl Original {
    /// A search with these parts and a table of `table_bytes` bytes.
    pub fn new(parts: &Parts, table_bytes: Option<usize>) -> Original {
        let bytes = table_bytes.unwrap_or(TABLE_BYTES);
        let search =
            AlphaBeta::new(Inside(RowWeights), AlphaBetaOptions { memory: bytes, ..parts.options() });
        Original {
            search: EachMove(search),
            is_each: parts.each_move == 1,
            is_cleared: parts.table * parts.clear == 1,
        }
    }
}

impl Search<Board> for Original {
    fn search(&mut self, board: &Board, budget: Budget) -> Report<Move> {
        if self.is_cleared {
            self.search.0.clear();
        }
        match self.is_each {
            true => self.search.search(&Busy(*board), budget),
            false => self.search.0.search(&Busy(*board), budget),
        }
    }

    fn line(&self, board: &Board, best: Move) -> List<Move, LINE> {
        match self.is_each {
            true => self.search.line(&Busy(*board), best),
            false => self.search.0.line(&Busy(*board), best),
        }
    }
}
