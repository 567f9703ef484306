//! Draws a position.

use contest::drawing::{ones, Drawing, Paint, Shape};
use coppice::{Game, Player};

use crate::boop::board::Board;
use crate::boop::turn::Turn;

/// The grid with kittens and cats, and the pools below it.
pub fn draw(board: &Board, last: Option<Turn>) -> Drawing {
    let number = |at: usize| at.to_string();
    let mut drawing = Drawing::board(6, 6, number, number);
    if let Some(turn) = last {
        let (row, column) = crate::boop::protocol::place(turn.cell());
        drawing.fill(row as usize, column as usize, Paint::Last);
    }
    let mover = board.to_move();
    for (side, player) in [(board.own(), mover), (board.other(), mover.other())] {
        for (cells, is_cat) in [(side.small, false), (side.large, true)] {
            for bit in ones(cells) {
                let (row, column) = crate::boop::protocol::place(bit as u32);
                piece(&mut drawing, Drawing::cell(row as usize, column as usize), is_cat, player);
            }
        }
    }
    let mut pools = [(board.own(), mover), (board.other(), mover.other())].map(|(side, player)| {
        (player, format!("{} kittens, {} cats", side.small_in_pool(), side.large_in_pool()))
    });
    pools.sort_by_key(|(player, _)| player.index());
    drawing.line_below(&pools);
    drawing.word("with ears: cats; small discs: kittens; below: how many of both each has in its pool");
    drawing.word(
        "a move is s (a kitten) or l (a cat) and row,column; after +: cells whose pieces come back as cats",
    );
    drawing.word(
        "a score of 1000: won in about three of four games, by the bot's estimate; win and loss are certain",
    );
    drawing
}

/// A kitten's disc, or a cat's head with ears, eyes and whiskers.
fn piece(drawing: &mut Drawing, [x, y]: [f32; 2], is_cat: bool, player: Player) {
    let paint = Paint::Player(player);
    if !is_cat {
        return drawing.shapes.push(Shape::Disc([x, y, 0.22], paint));
    }
    for side in [-1.0, 1.0] {
        let at = |[right, down]: [f32; 2]| [x + side * right, y + down];
        let ear = [[0.34, -0.42], [0.36, 0.0], [0.04, -0.28]].map(at);
        drawing.shapes.push(Shape::Area(ear.to_vec(), paint));
    }
    drawing.shapes.push(Shape::Disc([x, y + 0.04, 0.36], paint));
    for side in [-1.0, 1.0] {
        let at = |[right, down]: [f32; 2]| [x + side * right, y + down];
        let [[eye_x, eye_y], from, to] = [[0.14, -0.04], [0.12, 0.17], [0.3, 0.13]].map(at);
        drawing.shapes.push(Shape::Disc([eye_x, eye_y, 0.06], Paint::On));
        drawing.line(&[from, to], 0.03, Paint::On);
    }
}
