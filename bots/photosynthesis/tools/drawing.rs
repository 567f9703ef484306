//! Draws a position: hexagons by richness, trees by size and owner.

use contest::drawing::{Drawing, Paint, Shape};
use contest::sheet::Layout;
use coppice::{Choices, Player};

use crate::photosynthesis::board::{Action, Board, DAYS};
use crate::photosynthesis::cell::{cells, ray, Cell, BOARD, DIRECTIONS};
use crate::photosynthesis::strategy::Numbers;

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

/// The board with the last turn's cells marked, trees with their shadows, the sun with the direction in which it shines, and
/// the numbers below. A dormant tree is pale.
pub fn draw(board: &Board, last: Option<&Choices<Action>>) -> Drawing {
    let mut drawing = Drawing::new(SIZE.0, SIZE.1);
    let letter = drawing.letter();
    let direction = usize::from(board.day()) % DIRECTIONS;
    let of_size = |size: usize| {
        [Player::FIRST, Player::SECOND].into_iter().fold(0, |all, player| all | board.trees(player, size))
    };
    let shadows = (1..=3).fold(0, |all, size| all | ray(of_size(size), direction, size));
    let players = [Player::FIRST, Player::SECOND];
    let of_player = |player| last.and_then(|choices| choices.of(player)).map_or(0, touched);
    let touched = players.into_iter().map(of_player).fold(0, |all, set| all | set);
    for cell in cells(BOARD) {
        let paint = match board.richness(cell) {
            _ if touched & cell.set() != 0 => Paint::Last,
            0 => Paint::Ground,
            3 => Paint::Hint,
            2 => Paint::Shade,
            _ => Paint::Board,
        };
        let at = middle(cell);
        drawing.shapes.push(Shape::Area(hexagon(at, 0.97), paint));
        if shadows & cell.set() != 0 {
            drawing.shapes.push(Shape::Area(hexagon(at, 0.97), Paint::Shadow));
        }
        if board.richness(cell) > 0 {
            drawing.text([at[0], at[1] + 0.39], letter, cell.to_string(), Paint::Text);
        }
        if let Some((size, owner)) = board.tree(cell) {
            let is_dormant = board.dormant() & cell.set() != 0;
            tree(&mut drawing, at, size, if is_dormant { Paint::Reach(owner) } else { Paint::Player(owner) });
        }
    }
    sun(&mut drawing, direction);
    let day = match board.day() {
        DAYS => "the end".to_owned(),
        day => format!("day {day}"),
    };
    drawing.text([SIZE.0 - 1.0, 0.35], 1.1 * letter, day, Paint::Text);
    let nutrients = format!("nutrients {}", board.nutrients());
    drawing.text([SIZE.0 - 1.0, SIZE.1 - 0.3], letter, nutrients, Paint::Text);
    drawing.pieces_below(&players.map(|player| {
        let paint = if board.is_asleep(player) { Paint::Reach(player) } else { Paint::Player(player) };
        (paint, player, format!("{} points, sun {}", board.score(player), board.sun(player)))
    }));
    drawing.key(Paint::Board, "richness 1");
    drawing.key(Paint::Shade, "2");
    drawing.key(Paint::Hint, "3");
    drawing.key(Paint::Ground, "no soil: nothing grows there");
    drawing.word("a disc: a seed; a tree of one to three levels: its size; pale: it has acted today; dark cells: shadows");
    drawing.word("the arrow: where the sun shines to today; a pale disc below: the player is asleep");
    drawing.word("outlined: the cells of the action (none for wait)");
    drawing.word(format!(
        "a score of 1000: one point ahead at the end of the bot's playouts, which count {} more for a win",
        Numbers::default().win
    ));
    drawing
}

/// A seed, or a tree with as many levels as its size.
fn tree(drawing: &mut Drawing, [x, y]: [f32; 2], size: usize, paint: Paint) {
    if size == 0 {
        return drawing.shapes.push(Shape::Disc([x, y, 0.11], paint));
    }
    let (rise, foot) = (0.18, y + 0.2);
    drawing.shapes.push(Shape::Rect([x - 0.04, foot - 0.05, 0.08, 0.12], Paint::Ground));
    for level in 0..size {
        let (below, wide) = (foot - rise * level as f32, 0.17 + 0.04 * (size - level) as f32);
        let corners = [[x - wide, below], [x + wide, below], [x, below - 1.7 * rise]];
        drawing.shapes.push(Shape::Area(corners.to_vec(), paint));
    }
}

/// The sun in a corner, with an arrow in the direction in which it shines.
fn sun(drawing: &mut Drawing, direction: usize) {
    let [x, y] = [0.95, 0.85];
    drawing.shapes.push(Shape::Disc([x, y, 0.3], Paint::Last));
    // Directions go around by sixths of a turn, the first to the right, the next upwards.
    let angle = -(direction as f32) * std::f32::consts::TAU / DIRECTIONS as f32;
    let at = |far: f32, side: f32| {
        let (sin, cos) = angle.sin_cos();
        [x + far * cos - side * sin, y + far * sin + side * cos]
    };
    drawing.line(&[at(0.35, 0.0), at(0.75, 0.0)], 0.07, Paint::Text);
    drawing.shapes.push(Shape::Area(vec![at(0.7, -0.13), at(0.7, 0.13), at(0.92, 0.0)], Paint::Text));
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
    match action {
        Action::Seed(source, target) => [source, target].map(hexagon).to_vec(),
        _ => cells(touched(action)).map(hexagon).collect(),
    }
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
        // Shadows, the levels of four trees of size 1, and the arrow's head are areas too.
        assert!(count > 37 + 4, "{count}");
    }

    #[test]
    fn a_seeds_target_is_marked_last() {
        let cell = |index: u64| cells(1 << index).next().unwrap();
        let marks = |action| mark(action);
        for [from, to] in [[21, 1], [32, 34]].map(|pair| pair.map(cell)) {
            let seed = marks(Action::Seed(from, to));
            assert_eq!(seed, [Action::Grow(from), Action::Grow(to)].map(marks).concat());
        }
    }
}
