//! Draws a position.

use contest::drawing::{ones, Drawing, Paint, Shape};
use coppice::{Game, Player};

use crate::freckers::board::Board;
use crate::freckers::cell::Move;

/// The board as red sees it: pads, frogs, the cells of the last move.
pub fn draw(board: &Board, last: Option<Move>) -> Drawing {
    let number = |at: usize| at.to_string();
    let mut drawing = Drawing::board(8, 8, number, number);
    let mover = board.to_move();
    // Cells are seen by the player to move; blue's rows are turned around.
    let seen = |cells: u64, by: Player| if by == Player::FIRST { cells } else { cells.swap_bytes() };
    for bit in ones(seen(board.pads(), mover)) {
        let [x, y] = Drawing::cell(bit / 8, bit % 8);
        drawing.shapes.push(Shape::Disc([x, y, 0.47], Paint::Hint));
    }
    if let Some(m) = last.filter(|m| !m.is_grow()) {
        for cell in [m.from(), m.to()] {
            ones(seen(1 << cell, mover.other())).for_each(|bit| drawing.fill(bit / 8, bit % 8, Paint::Last));
        }
    }
    for (cells, player) in [(board.own(), mover), (board.other(), mover.other())] {
        ones(seen(cells, mover)).for_each(|bit| drawing.piece(bit / 8, bit % 8, player));
    }
    drawing.key(Paint::Hint, "lily pads");
    drawing
}
