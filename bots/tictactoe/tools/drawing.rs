//! Draws a position.

use contest::drawing::{ones, Drawing, Paint};
use coppice::Game;

use crate::tictactoe::board::Board;

/// The board with crosses and rings.
pub fn draw(board: &Board, last: Option<u8>) -> Drawing {
    let number = |at: usize| at.to_string();
    let mut drawing = Drawing::board(3, 3, number, number);
    if let Some(cell) = last.map(usize::from) {
        drawing.fill(cell / 3, cell % 3, Paint::Last);
    }
    let mover = board.to_move();
    for (marks, player) in [(board.own(), mover), (board.other(), mover.other())] {
        ones(marks.into()).for_each(|cell| drawing.cross_or_ring(cell / 3, cell % 3, player));
    }
    drawing.word("a move is row,column");
    drawing.word("a score of 1: one more line is open to the player than to the other; a draw is 0");
    drawing
}
