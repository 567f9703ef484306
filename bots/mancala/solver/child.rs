//! A position after a move, and what its parent wants to know of it.

use coppice::Game;

use super::super::board::Board;

/// A position after a move.
#[derive(Clone, Copy)]
pub struct Child {
    pub board: Board,
    /// The hole that was sown.
    pub hole: u8,
    /// Counters that its mover got by the move.
    pub gain: u32,
    /// Counters left in the holes.
    pub left: u32,
    /// Whether the same player moves again.
    pub again: bool,
    /// The higher the earlier.
    pub rank: i32,
}

impl Child {
    /// No move's.
    pub const NONE: Child =
        Child { board: Board::new(1, 1, false), hole: 0, gain: 0, left: 0, again: false, rank: 0 };

    /// The position after a legal move.
    #[inline(always)]
    pub fn new(board: &Board, hole: u8) -> Child {
        let next = board.after(hole);
        let again = next.to_move() == board.to_move();
        let (own, other) = next.stores();
        let gain = if again { own } else { other } - board.stores().0;
        Child { board: next, hole, gain, left: next.left(), again, ..Child::NONE }
    }

    /// What the move gets in all, if the one to move next gets so many of those left.
    #[inline(always)]
    pub fn total(&self, next: u32) -> u32 {
        self.gain + if self.again { next } else { self.left - next.min(self.left) }
    }

    /// How many the one to move next must get for the move to get `need`, or if it is the other, not to: more than
    /// were got at once, no more than that and all those left.
    #[inline(always)]
    pub fn question(&self, need: u32) -> u32 {
        match self.again {
            true => need - self.gain,
            false => self.gain + self.left + 1 - need,
        }
    }

    /// Who moves again goes first, from the hole next to the store first; then who gets most.
    #[inline(always)]
    pub fn static_rank(&self) -> i32 {
        i32::from(self.again) * 100 + self.gain as i32 * 4 + i32::from(self.hole)
    }
}
