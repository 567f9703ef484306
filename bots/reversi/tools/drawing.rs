//! Draws a position: discs, legal moves, the last move.

use contest::drawing::{ones, Drawing, Paint, Shape};
use coppice::{Game, Player};

use crate::reversi::board::Board;
use crate::reversi::cell::Cell;

/// The board, with columns a to h and rows 1 to 8, and the number of each player's discs.
pub fn draw(board: &Board, last: Option<Cell>) -> Drawing {
    let column = |column: usize| char::from(b'a' + column as u8).to_string();
    let mut drawing = Drawing::board(8, 8, |row| (row + 1).to_string(), column);
    drawing.fill_board(Paint::Felt);
    if let Some(cell) = last.filter(|&cell| cell != Cell::PASS) {
        let bit = cell.bit() as usize;
        drawing.fill(bit / 8, bit % 8, Paint::Last);
    }
    for player in [Player::FIRST, Player::SECOND] {
        ones(board.discs(player)).for_each(|bit| drawing.stone(bit / 8, bit % 8, player));
    }
    let legal = if board.is_over() { 0 } else { board.mobility() };
    for bit in ones(legal) {
        let [x, y] = Drawing::cell(bit / 8, bit % 8);
        drawing.shapes.push(Shape::Disc([x, y, 0.1], Paint::Shade));
    }
    drawing.key(Paint::Shade, "legal moves");
    drawing.word("a score of 100: one disc ahead at the end; win and loss are certain");
    let discs = |player| format!("{} discs", board.discs(player).count_ones());
    drawing.pieces_below(
        &[Player::FIRST, Player::SECOND].map(|player| (Paint::stone(player), player, discs(player))),
    );
    drawing
}
