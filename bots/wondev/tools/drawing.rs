//! Draws a position.

use contest::drawing::{Drawing, Paint, Shape};
use coppice::{Game, Player};

use crate::wondev::action::Action;
use crate::wondev::board::CLOSED;
use crate::wondev::cells::{bit, each, place, NOWHERE};
use crate::wondev::map;
use crate::wondev::position::Position;

/// The grid with its heights as squares one on the other, the units by their index, and the places where the player to move
/// thinks that the other's units may be.
pub fn draw(position: &Position, last: Option<Action>) -> Drawing {
    let board = &position.board;
    let size = usize::from(map::size(board.cells));
    let number = |at: usize| at.to_string();
    let mut drawing = Drawing::board(size, size, number, number);
    for at in (0..64).filter(|&at| bit(at) & board.cells != 0) {
        let [x, y] = middle(at);
        for level in 1..=board.height(at) {
            let half = 0.44 - 0.07 * f32::from(level);
            let paint =
                [Paint::Shade, Paint::Ground, Paint::Shade, Paint::Grid][usize::from(level.min(CLOSED)) - 1];
            drawing.shapes.push(Shape::Rect([x - half, y - half, 2.0 * half, 2.0 * half], paint));
        }
        if board.height(at) > 0 {
            let size = drawing.letter().max(0.25);
            drawing.shapes.push(Shape::Rect([x + 0.2, y - 0.47, 0.27, 0.3], Paint::Board));
            drawing.text([x + 0.335, y - 0.31], size, board.height(at).to_string(), Paint::Text);
        }
    }
    let mover = position.board.to_move();
    for (player, units) in [Player::FIRST, Player::SECOND].into_iter().zip(board.units) {
        for (index, at) in units.into_iter().enumerate().filter(|(_, at)| *at != NOWHERE) {
            let [x, y] = middle(at);
            drawing.shapes.push(Shape::Disc([x, y + 0.06, 0.28], Paint::Player(player)));
            drawing.text([x, y + 0.06], 0.32, index.to_string(), Paint::On);
        }
    }
    let hidden = position.belief().guesses().iter().flat_map(|guess| guess.units);
    let hidden = hidden.fold(0, |cells, at| cells | bit(at)) & !board.sight(mover);
    for at in each(hidden) {
        let [x, y] = middle(at);
        drawing.shapes.push(Shape::Ring([x, y, 0.3], Paint::Hint));
    }
    if let Some(at) = last.and_then(|action| target(position, action)) {
        let [x, y] = middle(at);
        drawing.shapes.push(Shape::Ring([x, y, 0.42], Paint::Last));
    }
    drawing.line_below(&[Player::FIRST, Player::SECOND].map(|player| {
        (
            player,
            format!("{} points{}", board.score(player), if board.out[player.index()] { ", out" } else { "" }),
        )
    }));
    drawing.word("squares on each other and the number in the corner: the height of a cell, 0 to 3");
    drawing.key(Paint::Grid, "height 4: closed");
    drawing.word("move N, build SE: the unit steps north and builds to the south-east of there");
    drawing
        .word("push N to NE: it pushes the unit north of it to the north-east and builds where that stood");
    drawing.word("outlined: the step, and a square where it builds");
    drawing.word(
        "a score of 1000: won in about three of four games, by the bot's estimate; win and loss are certain",
    );
    drawing.key(Paint::Hint, "where the player to move thinks that a hidden unit may be");
    drawing
}

/// Marks an action: the step, or that of the unit that is pushed, and the cell that is built on.
pub fn mark(position: &Position, action: Action) -> Vec<Shape> {
    let board = &position.board;
    let at = board.units[board.to_move().index()][action.unit()];
    if action == Action::ACCEPT || at == NOWHERE {
        return Vec::new();
    }
    let near = action.first().from(at);
    let far = action.second().from(near);
    let (step, built) = if action.is_push() { ([near, far], near) } else { ([at, near], far) };
    let [x, y] = middle(built);
    vec![
        Shape::Line(step.map(middle).to_vec(), 0.1, Paint::Last),
        Shape::Rect([x - 0.45, y - 0.45, 0.9, 0.9], Paint::Last),
    ]
}

fn middle(at: u8) -> [f32; 2] {
    let (x, y) = place(at);
    Drawing::cell(usize::from(y), usize::from(x))
}

/// The cell of the unit that made the last action.
fn target(position: &Position, action: Action) -> Option<u8> {
    let board = &position.board;
    let made = board.to_move().other();
    let at = board.units[made.index()][action.unit()];
    (action != Action::ACCEPT && at != NOWHERE).then_some(at)
}
