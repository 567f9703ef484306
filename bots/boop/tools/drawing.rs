//! Draws a position.

use contest::drawing::{ones, Drawing, Paint, Shape};
use coppice::Game;

use crate::boop::board::Board;
use crate::boop::turn::Turn;

/// The grid with small and large pieces, and the pools below it.
pub fn draw(board: &Board, last: Option<Turn>) -> Drawing {
    let number = |at: usize| at.to_string();
    let mut drawing = Drawing::board(6, 6, number, number);
    if let Some(turn) = last {
        let (row, column) = crate::boop::protocol::place(turn.cell());
        drawing.fill(row as usize, column as usize, Paint::Last);
    }
    let mover = board.to_move();
    for (side, player) in [(board.own(), mover), (board.other(), mover.other())] {
        for (cells, radius) in [(side.small, 0.24), (side.large, 0.42)] {
            for bit in ones(cells) {
                let (row, column) = crate::boop::protocol::place(bit as u32);
                let [x, y] = Drawing::cell(row as usize, column as usize);
                drawing.shapes.push(Shape::Disc([x, y, radius], Paint::Player(player)));
            }
        }
    }
    let mut pools = [(board.own(), mover), (board.other(), mover.other())].map(|(side, player)| {
        (player, format!("{} small, {} large", side.small_in_pool(), side.large_in_pool()))
    });
    pools.sort_by_key(|(player, _)| player.index());
    drawing.line_below(&pools);
    drawing.word("small discs: kittens; large ones: cats; below: how many of both each has in its pool");
    drawing
}
