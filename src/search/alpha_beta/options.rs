//! The options of alpha-beta.

use super::MAX_PLIES;

/// Memory, depth limit, and the refinements of alpha-beta, each of which can be switched off separately. They change the
/// number of nodes of a depth; except for ProbCut, none changes the value at the root. (A table that is not bound to
/// [`equal_depth`](AlphaBetaOptions::equal_depth) can: it may return a value from a deeper search than the one requested.)
#[derive(Debug, Clone)]
pub struct AlphaBetaOptions {
    /// Bytes of the transposition table, allocated when the search is made: at least a bucket of 64, and no more than
    /// that without `table`.
    pub memory: usize,
    /// Stop after this depth, in plies from the root.
    pub max_depth: u32,
    /// Search to depth 1, 2, 3 and so on up to `max_depth`; off, to `max_depth` alone.
    pub deepening: bool,
    /// Look positions up in the table and store them there.
    pub table: bool,
    /// Take a value from the table only if it was searched to exactly the remaining depth.
    pub equal_depth: bool,
    /// Try the move first that the table has for a position.
    pub table_move: bool,
    /// Minimum remaining depth for using the table: below it a memory access costs more than it saves. At least 1.
    pub table_depth: u32,
    /// Minimum remaining depth for move ordering: near the leaves, searching one more move costs less than sorting.
    pub order_depth: u32,
    /// Then try the two moves that last caused a cutoff at the same ply.
    pub killers: bool,
    /// Order the other moves by how often, and at what depth, they caused cutoffs.
    pub history: bool,
    /// Order them by [`Evaluation::rank`](crate::Evaluation::rank).
    pub sorting: bool,
    /// Try moves after the first with a null window (Pearl's Scout; Marsland and Campbell 1982).
    pub principal_variation: bool,
    /// Minimum remaining depth for searching a position without a table move to half the depth first (internal iterative
    /// deepening), at least 2; [`OFF`](AlphaBetaOptions::OFF) is off.
    pub internal_depth: u32,
    /// The confidence of ProbCut, in hundredths of a standard deviation; 0 is off. **Changes values**: a node is cut off
    /// if a shallow search is beyond the window by this many times the error that
    /// [`Evaluation::prediction`](crate::Evaluation::prediction) states (Buro 1995).
    pub prob_cut: u32,
    /// Minimum remaining depth for ProbCut.
    pub prob_cut_depth: u32,
    /// Begin an iteration with a window of this width on both sides of the last value; 0 is off.
    pub aspiration: i32,
}

impl Default for AlphaBetaOptions {
    /// Iterative deepening with a table of 64 MB.
    fn default() -> AlphaBetaOptions {
        AlphaBetaOptions {
            memory: 64 << 20,
            max_depth: MAX_PLIES as u32 - 1,
            deepening: true,
            table: true,
            equal_depth: false,
            table_move: true,
            // Reversi to depth 11, against 2 and 1: 47 % less time (31 % with a larger evaluation).
            table_depth: 3,
            order_depth: 2,
            killers: true,
            history: true,
            sorting: true,
            principal_variation: true,
            internal_depth: AlphaBetaOptions::OFF,
            prob_cut: 0,
            prob_cut_depth: 3,
            aspiration: 0,
        }
    }
}

impl AlphaBetaOptions {
    /// A minimum depth that is never reached.
    pub const OFF: u32 = u32::MAX;

    /// Alpha-beta and nothing else: depth-first to `max_depth`, the moves as they are listed. Refinements can be
    /// switched on one by one from here; with `sorting` and [`Shuffled`](crate::search::Shuffled) the moves are
    /// tried in an order drawn from a seed.
    pub fn plain(max_depth: u32) -> AlphaBetaOptions {
        AlphaBetaOptions {
            max_depth,
            deepening: false,
            table: false,
            table_move: false,
            table_depth: 1,
            order_depth: 1,
            killers: false,
            history: false,
            sorting: false,
            principal_variation: false,
            ..AlphaBetaOptions::default()
        }
    }
}
