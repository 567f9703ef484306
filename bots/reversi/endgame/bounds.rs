//! Bounds of a position's score, and their form in the engine's table.

use coppice::table::{Bound, Entry, Table};
use coppice::Score;

use super::super::board::Board;
use super::super::cell::Cell;
use coppice::{Game, Player};

/// Bounds on a position's score, and its best move so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) lower: i32,
    pub(super) upper: i32,
    pub(super) best: Cell,
}

impl Bounds {
    pub(super) const UNKNOWN: Bounds = Bounds { lower: -64, upper: 64, best: Cell::PASS };

    /// The bounds that the table has.
    #[inline(always)]
    pub(super) fn probe(table: &Table, hash: u64) -> Bounds {
        table.probe(hash).map_or(Bounds::UNKNOWN, |entry| {
            let code = entry.score.value();
            Bounds { lower: code / 129 - 64, upper: code % 129 - 64, best: Cell::code(entry.best) }
        })
    }

    #[inline(always)]
    pub(super) fn store(self, table: &mut Table, hash: u64, empties: u32) {
        let code = (self.lower + 64) * 129 + self.upper + 64;
        let (score, best) = (Score::estimate(code), self.best.bit() as u16);
        table.store(hash, Entry { score, bound: Bound::Exact, depth: empties as u8, solved: true, best });
    }

    /// The bounds after a search of the window between `alpha` and `beta` has found `score`.
    #[inline(always)]
    pub(super) fn after(self, score: i32, alpha: i32, beta: i32, best: Cell) -> Bounds {
        let mut next = self;
        if score > alpha {
            next.lower = next.lower.max(score);
            next.best = best;
        }
        if score < beta {
            next.upper = next.upper.min(score);
        }
        // After a fail low the first move tried is as good a guess as any.
        if next.best == Cell::PASS {
            next.best = best;
        }
        next
    }
}

#[inline(always)]
pub(super) fn hash(own: u64, opponent: u64) -> u64 {
    Board::new(own, opponent, Player::FIRST).hash()
}
