//! Draws a position.

use contest::drawing::{ones, Drawing, Paint, Shape};
use coppice::{Game, Player};

use crate::freckers::board::Board;
use crate::freckers::cell::Move;

/// Marks a move: its cells, or the pads that grow.
pub fn mark(board: &Board, m: Move) -> Vec<Shape> {
    let mut after = *board;
    after.play(m);
    if !m.is_grow() {
        return draw(&after, Some(m)).last_move();
    }
    // The player to move next sees the rows turned around.
    let grown = after.pads().swap_bytes() & !board.pads();
    let seen = if board.to_move() == Player::FIRST { grown } else { grown.swap_bytes() };
    let pad = |[x, y]: [f32; 2]| Shape::Disc([x, y, 0.47], Paint::Last);
    ones(seen).map(|bit| pad(Drawing::cell(bit / 8, bit % 8))).collect()
}

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
    drawing.word("a move is row,column-row,column, more for hops; grow: lily pads grow around the own frogs");
    drawing.word(
        "a score of 100: won in about three of four games, by the bot's estimate; win and loss are certain",
    );
    drawing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pads_that_grow_are_marked_as_they_will_be_drawn() {
        let mut board = Board::START;
        let pads = |drawing: Drawing| {
            let is_pad = |shape: &Shape| shape.paint() == Some(Paint::Hint);
            let pads = drawing.shapes.into_iter().filter(is_pad);
            pads.filter_map(|shape| Some(shape.bounds()?[0])).collect::<Vec<_>>()
        };
        for _ in [Player::FIRST, Player::SECOND] {
            let before = pads(draw(&board, None));
            let marks = mark(&board, Move::GROW);
            let marks = marks.iter().filter_map(Shape::bounds).map(|[low, _]| low).collect::<Vec<_>>();
            board.play(Move::GROW);
            let grown = pads(draw(&board, None)).into_iter().filter(|pad| !before.contains(pad));
            let is_marked = |pad: &[f32; 2]| marks.contains(pad);
            assert!(!marks.is_empty() && marks.len() == grown.filter(is_marked).count(), "{marks:?}");
        }
    }
}
