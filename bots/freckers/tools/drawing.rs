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
        let ends = [m.from(), m.to()].map(|cell| ones(seen(1 << cell, mover.other())).next().unwrap_or(0));
        ends.into_iter().for_each(|bit| drawing.fill(bit / 8, bit % 8, Paint::Last));
        drawing.line(&ends.map(|bit| Drawing::cell(bit / 8, bit % 8)), 0.08, Paint::Last);
    }
    for (cells, player) in [(board.own(), mover), (board.other(), mover.other())] {
        for bit in ones(seen(cells, mover)) {
            drawing.piece(bit / 8, bit % 8, player);
            // A frog's eyes.
            let [x, y] = Drawing::cell(bit / 8, bit % 8);
            for side in [-0.17, 0.17] {
                drawing.shapes.push(Shape::Disc([x + side, y - 0.3, 0.13], Paint::Player(player)));
                drawing.shapes.push(Shape::Disc([x + side, y - 0.32, 0.07], Paint::On));
            }
        }
    }
    drawing.key(Paint::Hint, "lily pads");
    drawing.key(Paint::Last, "the last move, from and to");
    drawing
}
