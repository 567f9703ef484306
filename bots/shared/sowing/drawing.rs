//! Draws a position.

use contest::drawing::{Drawing, Paint, Shape};
use contest::sheet::Layout;
use coppice::Player;

use super::Rows;

/// The drawing's height.
const HEIGHT: f32 = 3.6;

/// Seeds of a hole that are drawn; the number stands beside it.
const MOST_SEEDS: u32 = 14;

/// The second player's holes at the top, with hole 0 at the right, the first player's below, the stores at the sides.
pub fn draw(board: &impl Rows, last: Option<u8>) -> Drawing {
    let holes = board.holes();
    let mut drawing = Drawing::new(holes as f32 + 2.4, HEIGHT);
    drawing.shapes.push(Shape::Rect([0.1, 0.4, holes as f32 + 2.2, HEIGHT - 0.8], Paint::Board));
    let letter = drawing.letter();
    let mut hole = |[x, y]: [f32; 2], count: u32, player: Player, number: Option<u32>, is_last: bool| {
        let paint = if is_last { Paint::Last } else { Paint::Shade };
        drawing.shapes.push(Shape::Disc([x, y, 0.46], paint));
        drawing.shapes.push(Shape::Ring([x, y, 0.46], Paint::Player(player)));
        for [right, down] in (0..count.min(MOST_SEEDS)).map(seed) {
            drawing.shapes.push(Shape::Disc([x + right, y + down, 0.075], Paint::Ground));
        }
        // The count is towards the middle of the board, the hole's number at its border.
        let inwards = if player == Player::FIRST { -0.66 } else { 0.66 };
        let size = if number.is_some() { 1.15 * letter } else { 1.6 * letter };
        drawing.text([x, y + inwards], size, count.to_string(), Paint::Text);
        if let Some(number) = number {
            let y = if player == Player::FIRST { HEIGHT - 0.2 } else { 0.2 };
            drawing.text([x, y], letter, number.to_string(), Paint::Faint);
        }
    };
    let mover = board.mover();
    for at in 0..holes {
        for player in [Player::FIRST, Player::SECOND] {
            let [x, y] = middle(board, at, player);
            // After an extra turn it is the mover's own: the hole that was emptied.
            let is_empty = |player| board.counters(player, at) == 0;
            let was_again = is_empty(mover) && !is_empty(mover.other());
            let is_last = last == Some(at as u8) && (player == mover) == was_again;
            hole([x, y], board.counters(player, at), player, Some(at), is_last);
        }
    }
    hole([holes as f32 + 1.75, HEIGHT / 2.0], board.store(Player::FIRST), Player::FIRST, None, false);
    hole([0.65, HEIGHT / 2.0], board.store(Player::SECOND), Player::SECOND, None, false);
    drawing.word("a move is a hole's number, outside of the board; inside stand the seeds of a hole");
    drawing.word("seeds are sown anticlockwise; the stores are at the sides");
    drawing.word("a score of 1: one seed ahead; of in:bot 1000: won in about three of four games");
    drawing
}

/// Where the holes are in the text of [`super::show`].
pub fn layout(board: &impl Rows) -> Layout {
    let holes = board.holes();
    let hole = |at: u32, player| {
        let (line, place) = if player == Player::FIRST { (2, at) } else { (0, holes - 1 - at) };
        (middle(board, at, player), [line, 4 + 3 * place as usize])
    };
    let of_player = |player| (0..holes).map(move |at| hole(at, player));
    let cells = of_player(Player::FIRST).chain(of_player(Player::SECOND)).collect();
    Layout { cells, width: 2, ..Layout::default() }
}

/// The hole that the mover empties.
pub fn mark(board: &impl Rows, hole: u8) -> Shape {
    let [x, y] = middle(board, hole.into(), board.mover());
    Shape::Disc([x, y, 0.46], Paint::Last)
}

/// The place of a seed in a hole, from its middle: on a spiral by the golden angle, which spreads any number evenly (Vogel,
/// A better way to construct the sunflower head, Mathematical Biosciences 44, 1979).
fn seed(at: u32) -> [f32; 2] {
    const GOLDEN: f32 = 2.399_963;
    let (radius, angle) = (0.1 * (at as f32 + 0.5).sqrt(), GOLDEN * at as f32);
    [radius * angle.cos(), radius * angle.sin()]
}

/// The middle of a player's hole.
fn middle(board: &impl Rows, hole: u32, player: Player) -> [f32; 2] {
    let x = 1.7 + hole as f32;
    match player {
        Player::FIRST => [x, HEIGHT - 0.95],
        _ => [board.holes() as f32 + 2.4 - x, 0.95],
    }
}
