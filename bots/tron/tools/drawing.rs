//! Draws a position.

use contest::drawing::{Drawing, Paint, Shape};

use coppice::Player;

use crate::tron::area::Areas;
use crate::tron::board::{Board, Move};
use crate::tron::field::{Field, HEIGHT, WIDTH};

/// The field with each player's trail in its colour, the cells that it reaches first in a pale one, their number below, its
/// cycle as a disc with its bot's name, and a ring around the start.
pub fn draw<const N: usize>(board: &Board<N>, last: Option<Move>) -> Drawing {
    let number = |at: usize| at.to_string();
    let mut drawing = Drawing::board(HEIGHT as usize, WIDTH as usize, number, number);
    // The cycle that moved last is the one before the player to move.
    let order: Vec<_> = board.in_turn().collect();
    let moved = order.last().copied().filter(|_| matches!(last, Some(Move::Go(_))));
    let areas = Areas::new(board);
    for player in board.players().filter(|&player| board.is_in(player)) {
        for (row, column, count) in runs(&areas.of[player.index()]) {
            drawing.fill_run(row, column, count, Paint::Reach(player));
        }
    }
    for player in board.players().filter(|&player| board.is_in(player)) {
        let (head, start) = (board.head(player), board.start_of(player));
        for cell in board.trail(player).cells() {
            drawing.fill(cell.y() as usize, cell.x() as usize, Paint::Player(player));
        }
        let [x, y] = Drawing::cell(start.y() as usize, start.x() as usize);
        drawing.shapes.push(Shape::Ring([x, y, 0.25], Paint::Board));
        let [x, y] = Drawing::cell(head.y() as usize, head.x() as usize);
        let paint = if moved == Some(player) { Paint::Last } else { Paint::Board };
        let letter = drawing.letter();
        drawing.shapes.push(Shape::Disc([x, y, 0.62 * letter], paint));
        drawing.shapes.push(Shape::Name([x, y], letter, player));
    }
    let cells = |player: Player| match board.is_in(player) {
        true => areas.of[player.index()].count().to_string(),
        false => "out".to_owned(),
    };
    drawing.line_below(&board.players().map(|player| (player, cells(player))).collect::<Vec<_>>());
    drawing.word("pale: the cells that a cycle reaches first, their number below the field");
    drawing.word("a disc: the head of a trail; a ring: its start");
    drawing.word(
        "a score of 1000: about two open cells ahead while cycles can meet, one cell once none can; below -500000 it is out",
    );
    drawing.word("a score of in:area: the own cells times the number of opponents left, less all of theirs");
    drawing.word(
        "OUT: the move leaves the field or runs into a trail, so the bot is out and its trail disappears",
    );
    drawing
}

/// The cells of a set that follow each other in a row: the row, the first column, how many.
fn runs(field: &Field) -> impl Iterator<Item = (usize, usize, usize)> + '_ {
    field.rows().iter().enumerate().flat_map(|(row, &cells)| {
        let mut left = cells;
        std::iter::from_fn(move || {
            let column = left.trailing_zeros();
            let count = (left.checked_shr(column)?).trailing_ones();
            left &= left + (1 << column);
            Some((row, column as usize, count as usize))
        })
    })
}
