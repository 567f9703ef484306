//! Estimates the value of an undecided position.

use coppice::{Evaluation, Score};

use crate::game::Board;

contest::tunables! {
    /// The evaluation's weights; `tune` finds better values.
    pub struct Numbers {
        /// A mark in the centre.
        centre: i32 = 3 in 0..=20,
        /// A mark in a corner.
        corner: i32 = 2 in 0..=20,
    }
}

/// The evaluation.
#[derive(Debug, Clone, Copy, Default)]
pub struct Eval(pub Numbers);

impl Evaluation<Board> for Eval {
    /// The worth for the player to move.
    fn evaluate(&self, board: &Board) -> Score {
        let worth = |marks: u16| {
            let corners = (marks & 0o505).count_ones() as i32;
            self.0.centre * i32::from(marks >> 4 & 1) + self.0.corner * corners
        };
        let mover = board.mover.index();
        Score::estimate(worth(board.marks[mover]) - worth(board.marks[1 - mover]))
    }
}
