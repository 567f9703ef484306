//! Draws a position.

use contest::drawing::{ones, Drawing, Paint, Shape};
use coppice::{Game, Player};

use super::board::Board;
use super::side::Side;
use super::turn::Turn;

/// The grid with small and large pieces, and the pools beside it: blue's below, red's above.
pub fn draw(board: &Board, last: Option<Turn>) -> Drawing {
    let number = |at: usize| at.to_string();
    let mut drawing = Drawing::board(6, 6, number, number);
    if let Some(turn) = last {
        let (row, column) = super::protocol::place(turn.cell());
        drawing.fill(row as usize, column as usize, Paint::Last);
    }
    let mover = board.to_move();
    for (side, player) in [(board.own(), mover), (board.other(), mover.other())] {
        for (cells, radius) in [(side.small, 0.24), (side.large, 0.42)] {
            for bit in ones(cells) {
                let (row, column) = super::protocol::place(bit as u32);
                let [x, y] = Drawing::cell(row as usize, column as usize);
                drawing.shapes.push(Shape::Disc([x, y, radius], Paint::Player(player)));
            }
        }
        pool(&mut drawing, side, player);
    }
    drawing.word("small discs: kittens; large ones: cats");
    drawing
}

fn pool(drawing: &mut Drawing, side: &Side, player: Player) {
    let y = if player == Player::FIRST { drawing.height - 0.25 } else { 0.12 };
    let text = format!("pool: {} small, {} large", side.small_in_pool(), side.large_in_pool());
    drawing.text([drawing.width / 2.0, y], 0.22, text, Paint::Player(player));
}
