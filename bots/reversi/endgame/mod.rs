//! Solves endgames exactly: who wins, or by how many discs, and with which move.
//!
//! Null-window searches down to the last disc (`node`). They are fast because they try moves that leave the opponent
//! few replies first (`order`), because the table has bounds of positions seen before (`bounds`), and because near
//! the end they use neither lists nor hashes (`last`).

mod bounds;
mod last;
mod node;
mod order;
mod stable;

#[cfg(test)]
mod tests;

use coppice::clock::Meter;
use coppice::cpu;
use coppice::table::Table;
use coppice::{Budget, Evaluation};

use super::board::{mobility, Board};
use super::cell::Cell;
use node::Root;

/// With more empty cells than this, solving isn't attempted: no machine would finish.
pub const MOST_EMPTY: u32 = 40;

/// A solver's table.
#[derive(Debug, Clone)]
pub struct Endgame {
    table: Table,
}

/// A solved position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Solved {
    /// A best move.
    pub best: Cell,
    /// The result for the player to move, see [`Goal`].
    pub score: i32,
}

/// A solver's goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// The winner: the score is 1, 0 or -1.
    Winner,
    /// The score is the disc difference after best play, empty cells counted for the winner.
    Margin,
}

/// A search on its way.
struct Solver<'a, E> {
    table: &'a mut Table,
    clock: Meter<2048>,
    evaluation: &'a E,
}

impl Endgame {
    /// A solver whose table takes `table_bytes` bytes.
    pub fn new(table_bytes: usize) -> Endgame {
        Endgame { table: Table::with_bytes(table_bytes) }
    }

    /// Forgets all results.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Solves `board`, which must not be over. `None` if the budget runs out or more than [`MOST_EMPTY`] cells are
    /// empty. The table keeps partial results for the next attempt. `nodes` is set to the number of moves made if a
    /// search started. The evaluation, in hundredths of a disc, only orders moves.
    pub fn solve<E: Evaluation<Board>>(
        &mut self,
        evaluation: &E,
        board: &Board,
        goal: Goal,
        budget: Budget,
        nodes: &mut u64,
    ) -> Option<Solved> {
        let mut clock = Meter::new(budget);
        if board.empty().count_ones() > MOST_EMPTY {
            return None;
        }
        self.table.age();
        let passes = board.mobility() == 0;
        let (mut own, mut opponent) = (board.own(), board.opponent());
        if passes {
            let _ = clock.take();
            (own, opponent) = (opponent, own);
        }
        let mut solver = Solver { table: &mut self.table, clock, evaluation };
        let found = cpu::dispatch(Root { solver: &mut solver, own, opponent, goal });
        *nodes = solver.clock.nodes();
        let (best, mut score) = found?;
        if goal == Goal::Winner {
            score = score.signum();
        }
        Some(if passes { Solved { best: Cell::PASS, score: -score } } else { Solved { best, score } })
    }
}

/// The cells of a bitboard, from the lowest bit up.
#[inline(always)]
fn bits(cells: u64) -> impl Iterator<Item = Cell> {
    let mut left = cells;
    std::iter::from_fn(move || {
        let cell = (left != 0).then(|| Cell::new(left.trailing_zeros()))?;
        left &= left - 1;
        Some(cell)
    })
}
