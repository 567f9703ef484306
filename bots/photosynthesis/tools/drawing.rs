//! Draws a position: hexagons by richness, trees by size and owner.

use contest::drawing::{Drawing, Paint, Shape};
use contest::sheet::Layout;
use coppice::{Choices, Player};

use crate::photosynthesis::board::{Action, Board, DAYS};
use crate::photosynthesis::cell::{cells, Cell, BOARD};

/// The height of half a hexagon's side, and half its width, in units of the distance between centres.
const HALF: (f32, f32) = (0.5, 0.288_675_13);
/// The distance between two rows.
const ROW: f32 = 0.866_025_4;
/// The width and the height of the board.
const SIZE: (f32, f32) = (7.4, 6.0 * ROW + 1.6);

fn middle(cell: Cell) -> [f32; 2] {
    let (x, z) = cell.place();
    [SIZE.0 / 2.0 + x as f32 + z as f32 / 2.0, 0.8 + (z + 3) as f32 * ROW]
}

fn hexagon([x, y]: [f32; 2], scale: f32) -> Vec<[f32; 2]> {
    let (wide, low) = (HALF.0 * scale, HALF.1 * scale);
    let corners =
        [(0.0, -2.0 * low), (wide, -low), (wide, low), (0.0, 2.0 * low), (-wide, low), (-wide, -low)];
    corners.map(|(dx, dy)| [x + dx, y + dy]).to_vec()
}

/// The board with the last turn's cells marked, and the numbers below. A tree's disc is larger the taller it is; a ring
/// around it says that it is dormant.
pub fn draw(board: &Board, last: Option<&Choices<Action>>) -> Drawing {
    let mut drawing = Drawing::new(SIZE.0, SIZE.1 + 1.3);
    let players = [Player::FIRST, Player::SECOND];
    let of_player = |player| last.and_then(|choices| choices.of(player)).map_or(0, touched);
    let touched = players.into_iter().map(of_player).fold(0, |all, set| all | set);
    for cell in cells(BOARD) {
        let paint = match board.richness(cell) {
            _ if touched & cell.set() != 0 => Paint::Last,
            0 => Paint::Ground,
            3 => Paint::Shade,
            _ => Paint::Board,
        };
        let at = middle(cell);
        drawing.shapes.push(Shape::Area(hexagon(at, 0.97), paint));
        let richness = board.richness(cell);
        if richness > 0 {
            drawing.text([at[0], at[1] + 0.4], 0.17, format!("{cell}: {richness}"), Paint::Text);
        }
        if let Some((size, owner)) = board.tree(cell) {
            // Above the cell's number.
            let (at, radius) = ([at[0], at[1] - 0.08], 0.12 + 0.06 * size as f32);
            drawing.shapes.push(Shape::Disc([at[0], at[1], radius], Paint::Player(owner)));
            if board.dormant() & cell.set() != 0 {
                drawing.shapes.push(Shape::Ring([at[0], at[1], radius + 0.05], Paint::Faint));
            }
            drawing.text(at, 0.22, size.to_string(), Paint::Board);
        }
    }
    let day = match board.day() {
        DAYS => "the end".to_owned(),
        day => format!("day {day}, sun from direction {}", day % 6),
    };
    drawing.text(
        [SIZE.0 / 2.0, SIZE.1 + 0.2],
        0.3,
        format!("{day}; nutrients {}", board.nutrients()),
        Paint::Text,
    );
    for (player, x) in players.into_iter().zip([0.25, 0.75]) {
        let asleep = if board.is_asleep(player) { ", asleep" } else { "" };
        let text = format!("sun {}, score {}{asleep}", board.sun(player), board.score(player));
        let at = [SIZE.0 * x, SIZE.1 + 0.8];
        drawing.shapes.push(Shape::Disc([at[0] - 1.6, at[1], 0.14], Paint::Player(player)));
        drawing.text(at, 0.3, text, Paint::Text);
    }
    drawing.word("below a cell: its number and its richness, 1 to 3; in a tree: its size, 0 is a seed");
    drawing.key(Paint::Shade, "richness 3");
    drawing.key(Paint::Ground, "no soil: nothing grows there");
    drawing.key(Paint::Faint, "a ring: the tree has acted today");
    drawing.word("outlined: the cells of the action (none for WAIT)");
    drawing
}

/// Where the cells are in the board's text, and a map of their numbers beside it.
pub fn layout() -> Layout {
    let mut layout = Layout { width: 2, ..Layout::default() };
    for z in -3i32..=3 {
        let indent = 2 * z.unsigned_abs() as usize;
        let row = cells(BOARD).filter(|cell| cell.place().1 == z).collect::<Vec<_>>();
        layout.cells.extend(
            row.iter().enumerate().map(|(at, &cell)| (middle(cell), [(z + 3) as usize, indent + 4 * at])),
        );
        let numbers = row.iter().map(|cell| format!("{:>2}", cell.to_string())).collect::<Vec<_>>();
        layout.beside.push(format!("{:indent$}{}", "", numbers.join("  ")));
    }
    layout
}

/// The hexagons of an action's cells.
pub fn mark(action: Action) -> Vec<Shape> {
    let hexagon = |cell| Shape::Area(hexagon(middle(cell), 0.97), Paint::Last);
    cells(touched(action)).map(hexagon).collect()
}

/// The cells of an action.
fn touched(action: Action) -> u64 {
    match action {
        Action::Seed(source, target) => source.set() | target.set(),
        Action::Grow(cell) | Action::Complete(cell) => cell.set(),
        Action::Wait => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::photosynthesis::tools::map;

    #[test]
    fn the_board_is_inside_of_the_drawing() {
        let board = map::start(1);
        let drawing = draw(&board, None);
        let mut count = 0;
        for shape in &drawing.shapes {
            if let Shape::Area(corners, _) = shape {
                count += 1;
                assert!(
                    corners.iter().all(|&[x, y]| x > 0.0 && x < SIZE.0 && y > 0.0 && y < SIZE.1),
                    "{corners:?}"
                );
            }
        }
        let discs = drawing.shapes.iter().filter(|shape| matches!(shape, Shape::Disc(..))).count();
        assert_eq!((count, discs), (37, 4 + 2));
    }
}
