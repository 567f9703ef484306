//! Draws a position.

use contest::drawing::{Drawing, Paint, Shape};

use super::board::{Board, Move};
use super::field::{HEIGHT, WIDTH};

/// The field with each player's trail in its colour, its cycle as a disc with its bot's name, and a ring around the start.
pub fn draw<const N: usize>(board: &Board<N>, last: Option<Move>) -> Drawing {
    let number = |at: usize| at.to_string();
    let mut drawing = Drawing::board(HEIGHT as usize, WIDTH as usize, number, number);
    // The cycle that moved last is the one before the player to move.
    let order: Vec<_> = board.in_turn().collect();
    let moved = order.last().copied().filter(|_| matches!(last, Some(Move::Go(_))));
    for player in board.players().filter(|&player| board.is_in(player)) {
        let (head, start) = (board.head(player), board.start_of(player));
        for cell in board.trail(player).cells() {
            drawing.fill(cell.y() as usize, cell.x() as usize, Paint::Player(player));
        }
        let [x, y] = Drawing::cell(start.y() as usize, start.x() as usize);
        drawing.shapes.push(Shape::Ring([x, y, 0.25], Paint::Board));
        let [x, y] = Drawing::cell(head.y() as usize, head.x() as usize);
        let paint = if moved == Some(player) { Paint::Last } else { Paint::Board };
        drawing.shapes.push(Shape::Disc([x, y, 0.3], paint));
        drawing.shapes.push(Shape::Name([x, y], 0.45, player));
    }
    drawing.word("a disc: the head of a trail; a ring: its start");
    drawing.word(
        "OUT: the move leaves the field or runs into a trail, so the bot is out and its trail disappears",
    );
    drawing
}
