//! A position after a move, with what its parent needs to know about it.

use coppice::Game;

use crate::mancala::board::Board;

/// A position after a move.
#[derive(Clone, Copy)]
pub struct Child {
    pub board: Board,
    /// The hole that was sown.
    pub hole: u8,
    /// Counters that the move put into its mover's store.
    pub gain: u32,
    /// Counters left in the holes.
    pub left: u32,
    /// Whether the same player moves again.
    pub again: bool,
    /// Children with a higher rank are searched first.
    pub rank: i32,
}

impl Child {
    /// Placeholder for array initialisation.
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

    /// The total the mover gets if the player to move next gets `next` of the remaining counters.
    #[inline(always)]
    pub fn total(&self, next: u32) -> u32 {
        self.gain + if self.again { next } else { self.left - next.min(self.left) }
    }

    /// The threshold to ask the child for, so that the move gets `need`: what the same player must still get, or what
    /// the opponent must not get. `need` must be more than the immediate gain and at most the gain plus all remaining
    /// counters.
    #[inline(always)]
    pub fn question(&self, need: u32) -> u32 {
        match self.again {
            true => need - self.gain,
            false => self.gain + self.left + 1 - need,
        }
    }

    /// Moves that move again come first, from the hole next to the store on, then moves by their gain.
    #[inline(always)]
    pub fn static_rank(&self) -> i32 {
        i32::from(self.again) * 100 + self.gain as i32 * 4 + i32::from(self.hole)
    }
}
