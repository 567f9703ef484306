//! Draws a position.

use contest::drawing::{Drawing, Paint};
use coppice::Player;

use crate::mnk::board::Board;
use crate::mnk::cell::Cell;

/// Boards from this many rows on have stones as gomoku's, smaller ones crosses and rings.
const STONES: usize = 9;

/// The board with stones or with crosses and rings.
pub fn draw<const C: usize>(board: &Board<C>, last: Option<Cell>) -> Drawing {
    let (rows, columns, in_a_row) = board.size();
    let number = |at: usize| at.to_string();
    let mut drawing = Drawing::board(rows, columns, number, number);
    if let Some(cell) = last {
        drawing.fill(cell.row.into(), cell.column.into(), Paint::Last);
    }
    for row in 0..rows {
        for column in 0..columns {
            if let Some(player) = board.mark(Cell::new(row as u8, column as u8)) {
                match rows < STONES {
                    true => drawing.cross_or_ring(row, column, player),
                    false => drawing.stone(row, column, player),
                }
            }
        }
    }
    drawing.word(format!("{in_a_row} in a row win"));
    drawing.word("a move is row,column");
    drawing.word(
        "a score: what the free cells are worth to a player less what to the other; 10 for a mark in line with a cell, 10000 \
         for a cell that makes a double threat",
    );
    if rows >= STONES {
        let stones = [(Player::FIRST, "black"), (Player::SECOND, "white")];
        drawing.pieces_below(&stones.map(|(player, name)| (Paint::stone(player), player, name.to_owned())));
    }
    drawing
}
