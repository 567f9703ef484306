//! Draws a position.

use contest::drawing::{ones, Drawing, Paint, Shape};
use coppice::{Game, Player};

use crate::uttt::board::Board;
use crate::uttt::cell::Cell;

/// The grid of 9 rows and 9 columns: marks, won boards with a large mark, the boards that can be played in.
pub fn draw(board: &Board, last: Option<Cell>) -> Drawing {
    let number = |at: usize| at.to_string();
    let mut drawing = Drawing::board(9, 9, number, number);
    let decided = board.won(Player::FIRST) | board.won(Player::SECOND) | board.drawn();
    let is_open = |at: usize| match board.next() {
        _ if board.is_over() => false,
        Some(next) => next as usize == at,
        None => decided >> at & 1 == 0,
    };
    // A board's middle is that of its fifth cell.
    let middle = |at: usize| Drawing::cell(at / 3 * 3 + 1, at % 3 * 3 + 1);
    for at in 0..9 {
        let [x, y] = middle(at);
        let square = [x - 1.48, y - 1.48, 2.96, 2.96];
        if is_open(at) {
            drawing.shapes.push(Shape::Rect(square, Paint::Hint));
        } else if board.drawn() >> at & 1 == 1 {
            drawing.shapes.push(Shape::Rect(square, Paint::Shade));
        } else {
            continue;
        }
        drawing.grid_over([at / 3 * 3, at % 3 * 3], [3, 3]);
    }
    if let Some(cell) = last {
        drawing.fill(cell.row() as usize, cell.column() as usize, Paint::Last);
    }
    for player in [Player::FIRST, Player::SECOND] {
        for at in 0..9 {
            for place in ones(board.marks(player, at as u32).into()) {
                drawing.cross_or_ring(at / 3 * 3 + place / 3, at % 3 * 3 + place % 3, player);
            }
        }
    }
    for player in [Player::FIRST, Player::SECOND] {
        ones(board.won(player).into()).for_each(|at| drawing.mark(middle(at), 1.3, player));
    }
    let [left, top] = Drawing::cell(0, 0).map(|at| at - 0.5);
    for at in [3.0, 6.0] {
        drawing.line(&[[left + at, top], [left + at, top + 9.0]], 0.08, Paint::Text);
        drawing.line(&[[left, top + at], [left + 9.0, top + at]], 0.08, Paint::Text);
    }
    drawing.word("a move is row,column");
    drawing.word(
        "a score of 1000: won in about three of four games, by the bot's estimate; win and loss are certain",
    );
    drawing.key(Paint::Hint, "where the next move may be");
    drawing.key(Paint::Shade, "a board that is drawn");
    drawing
}
