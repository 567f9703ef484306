//! A drawing of a position: shapes in a coordinate system of its own, in colours that have a meaning instead of a value, so
//! that a page can show it in dark and in light.

use coppice::Player;

pub use crate::paint::Paint;

/// A position as shapes, the first at the back.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Drawing {
    /// The width, in the unit of all coordinates; x goes to the right.
    pub width: f32,
    /// The height; y goes down.
    pub height: f32,
    /// The shapes.
    pub shapes: Vec<Shape>,
    /// Legend, shown next to the drawing.
    pub keys: Vec<Key>,
    /// Width and height of a board that can be turned by half, with its margins; none for a picture with a top and a bottom.
    pub board: Option<[f32; 2]>,
    /// How far the drawing extends above and to the left of the origin.
    pub edge: f32,
}

/// An entry of a legend.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// The colour that is explained; none for a word or a rule.
    pub paint: Option<Paint>,
    /// Meaning of the colour.
    pub text: String,
}

/// A shape.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// A rectangle: left, top, width, height.
    Rect([f32; 4], Paint),
    /// A disc: centre and radius.
    Disc([f32; 3], Paint),
    /// A ring: centre and radius.
    Ring([f32; 3], Paint),
    /// A line through points, with its width.
    Line(Vec<[f32; 2]>, f32, Paint),
    /// A closed area.
    Area(Vec<[f32; 2]>, Paint),
    /// A text: its middle, its height, the text.
    Text([f32; 2], f32, String, Paint),
    /// The short name of a player's bot, which may sit on any seat: its middle and its height.
    Name([f32; 2], f32, Player),
    /// Lines of text in letters of equal width: the drawing of a game that has no other.
    Lines(String),
}

impl Shape {
    /// The shape's colour; `None` for lines of text.
    pub fn paint(&self) -> Option<Paint> {
        match self {
            Shape::Rect(_, paint) | Shape::Disc(_, paint) | Shape::Ring(_, paint) | Shape::Area(_, paint) => {
                Some(*paint)
            }
            Shape::Line(.., paint) | Shape::Text(.., paint) => Some(*paint),
            Shape::Name(..) => Some(Paint::Text),
            Shape::Lines(_) => None,
        }
    }

    /// The least and the greatest coordinates of what the shape fills; `None` for texts.
    pub fn bounds(&self) -> Option<[[f32; 2]; 2]> {
        let around = |points: &[[f32; 2]], margin: f32| {
            let grown = |[low, high]: [[f32; 2]; 2], &[x, y]: &[f32; 2]| {
                let low = [low[0].min(x - margin), low[1].min(y - margin)];
                [low, [high[0].max(x + margin), high[1].max(y + margin)]]
            };
            let nothing = [[f32::INFINITY; 2], [f32::NEG_INFINITY; 2]];
            (!points.is_empty()).then(|| points.iter().fold(nothing, grown))
        };
        match self {
            Shape::Rect([left, top, width, height], _) => Some([[*left, *top], [left + width, top + height]]),
            Shape::Disc([x, y, radius], _) | Shape::Ring([x, y, radius], _) => around(&[[*x, *y]], *radius),
            Shape::Line(points, width, _) => around(points, width / 2.0),
            Shape::Area(points, _) => around(points, 0.0),
            Shape::Text(..) | Shape::Name(..) | Shape::Lines(_) => None,
        }
    }
}

impl Drawing {
    /// An empty drawing.
    pub fn new(width: f32, height: f32) -> Drawing {
        Drawing { width, height, ..Drawing::default() }
    }

    /// A text as it stands: a game's own drawing for consoles.
    pub fn of_text(text: &str) -> Drawing {
        let columns = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
        // Letters are about twice as high as wide.
        let mut drawing = Drawing::new(columns.max(1) as f32, 2.0 * text.lines().count().max(1) as f32);
        drawing.shapes.push(Shape::Lines(text.to_owned()));
        drawing
    }

    /// A board of cells of size 1, with the names of its columns above and of its rows to the left, in margins of 0.6. A large
    /// board has larger names, at every fifth row and column.
    pub fn board(
        rows: usize,
        columns: usize,
        row: impl Fn(usize) -> String,
        column: impl Fn(usize) -> String,
    ) -> Drawing {
        let (width, height) = (columns as f32, rows as f32);
        let mut drawing = Drawing::new(width + 2.0 * MARGIN, height + 2.0 * MARGIN);
        let is_large = rows.max(columns) > LARGE;
        drawing.edge = if is_large { MARGIN } else { 0.0 };
        drawing.board = Some([drawing.width, drawing.height]);
        drawing.shapes.push(Shape::Rect([MARGIN, MARGIN, width, height], Paint::Board));
        for at in 0..=rows {
            let y = MARGIN + at as f32;
            drawing.line(&[[MARGIN, y], [MARGIN + width, y]], 0.03, Paint::Grid);
        }
        for at in 0..=columns {
            let x = MARGIN + at as f32;
            drawing.line(&[[x, MARGIN], [x, MARGIN + height]], 0.03, Paint::Grid);
        }
        let (step, between) = if is_large { (5, 0.0) } else { (1, MARGIN / 2.0) };
        let size = drawing.letter().max(0.35);
        for at in (0..rows).step_by(step) {
            drawing.text([between, MARGIN + at as f32 + 0.5], size, row(at), Paint::Faint);
        }
        for at in (0..columns).step_by(step) {
            drawing.text([MARGIN + at as f32 + 0.5, between], size, column(at), Paint::Faint);
        }
        drawing
    }

    /// The least height of a text that can be read where the drawing is as wide as a phone: 11 of 366 pixels.
    pub fn letter(&self) -> f32 {
        0.0305 * (self.width + self.edge)
    }

    /// The middle of a cell of [`Drawing::board`].
    pub fn cell(row: usize, column: usize) -> [f32; 2] {
        [MARGIN + column as f32 + 0.5, MARGIN + row as f32 + 0.5]
    }

    /// Adds a black disc of the first player or a white one of the second in a cell of [`Drawing::board`].
    pub fn stone(&mut self, row: usize, column: usize, player: Player) {
        let [x, y] = Drawing::cell(row, column);
        self.shapes.push(Shape::Disc([x, y, 0.42], Paint::stone(player)));
    }

    /// Adds a disc of a player in a cell of [`Drawing::board`].
    pub fn piece(&mut self, row: usize, column: usize, player: Player) {
        let [x, y] = Drawing::cell(row, column);
        self.shapes.push(Shape::Disc([x, y, 0.4], Paint::Player(player)));
    }

    /// Adds a cross of the first player or a ring of another in a cell of [`Drawing::board`].
    pub fn cross_or_ring(&mut self, row: usize, column: usize, player: Player) {
        self.mark(Drawing::cell(row, column), 0.3, player);
    }

    /// Adds a cross of the first player or a ring of another, from its middle to its border.
    pub fn mark(&mut self, [x, y]: [f32; 2], radius: f32, player: Player) {
        let paint = Paint::Player(player);
        if player == Player::FIRST {
            let r = 0.9 * radius;
            self.line(&[[x - r, y - r], [x + r, y + r]], 0.4 * radius, paint);
            self.line(&[[x - r, y + r], [x + r, y - r]], 0.4 * radius, paint);
        } else {
            self.shapes.push(Shape::Ring([x, y, radius], paint));
        }
    }

    /// Fills a cell of [`Drawing::board`]; add pieces afterwards.
    pub fn fill(&mut self, row: usize, column: usize, paint: Paint) {
        let [x, y] = Drawing::cell(row, column);
        self.shapes.push(Shape::Rect([x - 0.48, y - 0.48, 0.96, 0.96], paint));
    }

    /// Gives the whole board of [`Drawing::board`] another colour.
    pub fn fill_board(&mut self, paint: Paint) {
        if let Some(Shape::Rect(_, board)) = self.shapes.first_mut() {
            *board = paint;
        }
    }

    /// Fills `count` cells of a row of [`Drawing::board`] from a column on, over its lines.
    pub fn fill_run(&mut self, row: usize, column: usize, count: usize, paint: Paint) {
        let [x, y] = [column, row].map(|at| MARGIN + at as f32);
        self.shapes.push(Shape::Rect([x, y, count as f32, 1.0], paint));
    }

    /// Draws the lines between the cells of a block of [`Drawing::board`] again, over what fills it.
    pub fn grid_over(&mut self, [row, column]: [usize; 2], [rows, columns]: [usize; 2]) {
        let [left, top] = Drawing::cell(row, column).map(|at| at - 0.5);
        for at in 1..rows {
            let y = top + at as f32;
            self.line(&[[left, y], [left + columns as f32, y]], 0.03, Paint::Grid);
        }
        for at in 1..columns {
            let x = left + at as f32;
            self.line(&[[x, top], [x, top + rows as f32]], 0.03, Paint::Grid);
        }
    }

    /// Whether a terminal shows the shapes better than a text of cells: there is no board, or one with small cells.
    pub fn is_picture(&self) -> bool {
        let is_text = self.shapes.iter().any(|shape| matches!(shape, Shape::Lines(_)));
        !is_text && (self.board.is_none() || self.edge > 0.0)
    }

    /// The shapes that mark the last move.
    pub fn last_move(self) -> Vec<Shape> {
        self.shapes.into_iter().filter(|shape| shape.paint() == Some(Paint::Last)).collect()
    }

    /// Explains a colour.
    pub fn key(&mut self, paint: Paint, text: impl Into<String>) {
        self.keys.push(Key { paint: Some(paint), text: text.into() });
    }

    /// Explains a word or a rule.
    pub fn word(&mut self, text: impl Into<String>) {
        self.keys.push(Key { paint: None, text: text.into() });
    }

    /// Adds a line below: a disc in each player's colour, followed by a text.
    pub fn line_below(&mut self, texts: &[(Player, String)]) {
        let of_player = |(player, text): &(Player, String)| (Paint::Player(*player), *player, text.clone());
        self.pieces_below(&texts.iter().map(of_player).collect::<Vec<_>>());
    }

    /// Adds a line below: a disc of each paint, the short name of the player's bot, and a text.
    pub fn pieces_below(&mut self, texts: &[(Paint, Player, String)]) {
        // A letter is about 0.6 as wide as high; a name has up to three.
        let letters = |text: &str| 0.6 * text.chars().count() as f32 + 3.2;
        let longest = texts.iter().map(|(.., text)| letters(text)).fold(0.0, f32::max);
        let each = self.width / texts.len().max(1) as f32;
        let size = (each / longest.max(1.0)).clamp(self.letter(), 1.12 * self.letter());
        let y = self.height + 0.75 * size;
        for (at, (paint, player, text)) in texts.iter().enumerate() {
            let left = at as f32 * each + ((each - size * letters(text)) / 2.0).max(0.0);
            self.shapes.push(Shape::Disc([left + 0.4 * size, y, 0.4 * size], *paint));
            self.shapes.push(Shape::Name([left + 1.9 * size, y], size, *player));
            let middle = left + 3.2 * size + 0.3 * size * text.chars().count() as f32;
            self.text([middle, y], size, text.clone(), Paint::Text);
        }
        self.height += 1.6 * size;
    }

    /// Adds a line.
    pub fn line(&mut self, points: &[[f32; 2]], width: f32, paint: Paint) {
        self.shapes.push(Shape::Line(points.to_vec(), width, paint));
    }

    /// Adds a text around a middle.
    pub fn text(&mut self, middle: [f32; 2], height: f32, text: impl Into<String>, paint: Paint) {
        self.shapes.push(Shape::Text(middle, height, text.into(), paint));
    }
}

/// The numbers of the bits that are set, for boards that are sets of cells.
pub fn ones(bits: u64) -> impl Iterator<Item = usize> {
    (0..64).filter(move |bit| bits >> bit & 1 == 1)
}

/// Rows or columns beyond which a board is large: the name of each would be too small to read on a page.
const LARGE: usize = 16;

/// The margin around a board.
const MARGIN: f32 = 0.6;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_has_its_cells_inside() {
        let mut board = Drawing::board(2, 3, |row| row.to_string(), |column| column.to_string());
        board.piece(1, 2, Player::SECOND);
        board.cross_or_ring(0, 0, Player::FIRST);
        assert!(board.width > 3.0 && board.height > 2.0);
        let Some(Shape::Disc([x, y, r], Paint::Player(Player::SECOND))) =
            board.shapes.iter().find(|shape| matches!(shape, Shape::Disc(..)))
        else {
            panic!("{board:?}")
        };
        assert!(x + r < board.width && y + r < board.height);
    }

    #[test]
    fn a_large_board_has_fewer_and_larger_names() {
        let names = |rows: usize, columns: usize| {
            let board = Drawing::board(rows, columns, |row| row.to_string(), |column| column.to_string());
            let name = |shape: Shape| match shape {
                Shape::Text(_, size, text, _) => Some((text, size)),
                _ => None,
            };
            board.shapes.into_iter().filter_map(name).collect::<Vec<_>>()
        };
        assert_eq!(names(3, 16).len(), 19);
        let large = names(20, 30);
        let texts = large.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>();
        assert_eq!(texts, ["0", "5", "10", "15", "0", "5", "10", "15", "20", "25"]);
        assert!(large.iter().all(|(_, size)| *size > 2.0 * names(8, 8)[0].1));
    }

    #[test]
    fn the_last_move_is_what_has_its_colour() {
        let mut board = Drawing::board(3, 3, |row| row.to_string(), |column| column.to_string());
        board.fill(1, 2, Paint::Last);
        let lines = board.shapes.len();
        board.grid_over([0, 0], [3, 3]);
        assert_eq!(board.shapes.len(), lines + 4);
        let Shape::Line(line, ..) = &board.shapes[lines] else { panic!("{board:?}") };
        assert_eq!(*line, [[MARGIN, MARGIN + 1.0], [MARGIN + 3.0, MARGIN + 1.0]]);
        let [x, y] = Drawing::cell(1, 2);
        assert_eq!(board.last_move(), [Shape::Rect([x - 0.48, y - 0.48, 0.96, 0.96], Paint::Last)]);
    }

    #[test]
    fn a_line_below_makes_room_for_itself() {
        let mut board = Drawing::board(8, 8, |row| row.to_string(), |column| column.to_string());
        let (height, shapes) = (board.height, board.shapes.len());
        board.line_below(&[(Player::FIRST, "34 discs".to_owned()), (Player::SECOND, "2 discs".to_owned())]);
        board.key(Paint::Hint, "legal moves");
        board.word("OUT: out of the game");
        for shape in &board.shapes[shapes..] {
            let (Shape::Disc([x, y, _], _) | Shape::Text([x, y], ..) | Shape::Name([x, y], ..)) = shape
            else {
                panic!("{shape:?}")
            };
            assert!((height..board.height).contains(y) && (0.0..board.width).contains(x), "{shape:?}");
        }
        assert_eq!(board.keys[0], Key { paint: Some(Paint::Hint), text: "legal moves".to_owned() });
        assert_eq!(board.keys[1].paint, None);
    }

    #[test]
    fn a_run_covers_its_cells() {
        let mut board = Drawing::board(3, 9, |row| row.to_string(), |column| column.to_string());
        board.fill_run(1, 2, 4, Paint::Reach(Player::SECOND));
        let run = Shape::Rect([MARGIN + 2.0, MARGIN + 1.0, 4.0, 1.0], Paint::Reach(Player::SECOND));
        assert_eq!(board.shapes.last(), Some(&run));
    }

    #[test]
    fn a_text_is_as_wide_as_its_longest_line() {
        let drawing = Drawing::of_text("ab\nabcd\n");
        assert_eq!((drawing.width, drawing.height, drawing.shapes.len()), (4.0, 4.0, 1));
        assert_eq!(Drawing::of_text("").width, 1.0);
    }
}
