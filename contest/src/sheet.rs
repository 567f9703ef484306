//! A position as text for people at a terminal: what a game's `Display` writes, with the names of rows and columns, the
//! players' colours and the last move. All but the text is taken from the [`Drawing`].

use coppice::Player;

use crate::drawing::{Drawing, Paint, Shape};

/// Where the cells of a drawing are in the text of `Display`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Layout {
    /// A cell's middle in the drawing, and its line and first character in the text.
    pub cells: Vec<([f32; 2], [usize; 2])>,
    /// Characters of a cell.
    pub width: usize,
    /// Whether the text names rows and columns itself.
    pub has_names: bool,
    /// Text to add behind each line, such as the cells' numbers where they don't follow from rows and columns.
    pub beside: Vec<String>,
}

impl Layout {
    /// The cells of [`Drawing::board`]: the lines of its rows and the characters of its columns.
    pub fn board(lines: &[usize], characters: &[usize]) -> Layout {
        let row = |(row, &line): (usize, &usize)| {
            let cell = move |(column, &at): (usize, &usize)| (Drawing::cell(row, column), [line, at]);
            characters.iter().enumerate().map(cell).collect::<Vec<_>>()
        };
        Layout { cells: lines.iter().enumerate().flat_map(row).collect(), width: 1, ..Layout::default() }
    }

    /// As [`Self::board`] where a line of names is above, and a name and a space before each row and each cell.
    pub fn with_names(rows: usize, columns: usize, name: usize) -> Layout {
        let lines = (1..=rows).collect::<Vec<_>>();
        let characters = (0..columns).map(|column| name + 1 + 2 * column).collect::<Vec<_>>();
        Layout { has_names: true, ..Layout::board(&lines, &characters) }
    }

    /// The least distance of two cells of a line, in characters.
    fn step(&self) -> Option<usize> {
        let steps = self.cells.windows(2).filter(|pair| pair[0].1[0] == pair[1].1[0]);
        steps.map(|pair| pair[0].1[1].abs_diff(pair[1].1[1])).min()
    }

    /// The place of the cell whose middle is nearest in one coordinate, if it is near: 0 for x, 1 for y.
    fn near(&self, coordinate: usize, at: f32) -> Option<[usize; 2]> {
        let distance = |middle: &[f32; 2]| (middle[coordinate] - at).abs();
        let near = self.cells.iter().min_by(|(a, _), (b, _)| distance(a).total_cmp(&distance(b)));
        near.filter(|(middle, _)| distance(middle) < 0.1).map(|&(_, place)| place)
    }
}

/// A text with places in colour.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sheet {
    /// The text.
    pub text: String,
    /// The places, by line and character.
    pub marks: Vec<Mark>,
    /// Lines of the board, which a picture can replace: those after it say what no picture does.
    pub board: usize,
}

/// A place in a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Mark {
    /// The line, from 0.
    pub line: usize,
    /// The first character of the line, from 0.
    pub start: usize,
    /// The character after the last.
    pub end: usize,
    /// The character after the cell's ground, which is up to one wider.
    pub ground_end: usize,
    /// The colour of the piece there, which is a player's.
    pub piece: Option<Paint>,
    /// The colour of what is below the piece.
    pub ground: Option<Paint>,
    /// Whether the last move touched it.
    pub is_last: bool,
}

impl From<String> for Sheet {
    fn from(text: String) -> Sheet {
        Sheet { text, ..Sheet::default() }
    }
}

impl Mark {
    /// The player whose piece is there.
    pub fn player(&self) -> Option<Player> {
        self.piece.and_then(Paint::owner)
    }
}

impl Sheet {
    /// The text of a position with what its drawing shows.
    pub fn new(text: String, layout: &Layout, drawing: &Drawing) -> Sheet {
        let gap = usize::from(layout.step().is_some_and(|step| step > layout.width));
        let shapes = drawing.shapes.iter().filter_map(|shape| Some((shape, shape.bounds()?, shape.paint()?)));
        let shapes = shapes.collect::<Vec<_>>();
        let mark = |&([x, y], [line, start]): &([f32; 2], [usize; 2])| {
            let end = start + layout.width;
            let mut mark = Mark { line, start, end, ground_end: end + gap, ..Mark::default() };
            let covers = |[low, high]: [[f32; 2]; 2]| low[0] < x && x < high[0] && low[1] < y && y < high[1];
            for &(shape, _, paint) in shapes.iter().filter(|(_, bounds, _)| covers(*bounds)) {
                match (paint, shape) {
                    (Paint::Last, Shape::Line(..)) | (Paint::Shadow, _) => {}
                    (Paint::Last, _) => mark.is_last = true,
                    (paint, _) if paint.owner().is_some() => mark.piece = Some(paint),
                    (paint, Shape::Rect(..) | Shape::Disc(..) | Shape::Area(..)) => mark.ground = Some(paint),
                    _ => {}
                }
            }
            mark
        };
        let board = layout.cells.iter().map(|(_, [line, _])| line + 1).max().unwrap_or(0);
        let mut sheet = Sheet { text, marks: layout.cells.iter().map(mark).collect(), board };
        sheet.marks.retain(|mark| mark.is_last || mark.piece.is_some() || mark.ground.is_some());
        if !layout.has_names && !layout.cells.is_empty() {
            sheet.name(layout, drawing);
        }
        sheet
    }

    /// The lines after the board.
    pub fn below(&self) -> String {
        self.text.lines().skip(self.board).collect::<Vec<_>>().join("\n")
    }

    /// Adds the names that the drawing has in its margins: above, below and to the left of the cells.
    fn name(&mut self, layout: &Layout, drawing: &Drawing) {
        let texts = || {
            drawing.shapes.iter().filter_map(|shape| match shape {
                Shape::Text([x, y], _, name, Paint::Faint) => {
                    Some((layout.near(0, *x), layout.near(1, *y), *y, name))
                }
                _ => None,
            })
        };
        let longest =
            texts().filter(|(x, y, ..)| x.is_none() && y.is_some()).map(|(.., name)| name.len()).max();
        let margin = longest.map_or(0, |longest| longest + 1);
        let after = self.board.min(self.text.lines().count());
        let mut lines = self.text.lines().map(|line| format!("{:margin$}{line}", "")).collect::<Vec<_>>();
        let widest =
            lines.iter().take(layout.beside.len()).map(|line| line.chars().count()).max().unwrap_or(0);
        for (line, beside) in lines.iter_mut().zip(&layout.beside) {
            *line = format!("{line:widest$}    {beside}");
        }
        // Lines after the board get no names.
        lines.iter_mut().skip(after).for_each(|line| drop(line.drain(..margin)));
        lines.insert(after, String::new());
        lines.insert(0, String::new());
        let height = layout.cells.iter().map(|(middle, _)| middle[1]).fold(0.0, f32::max);
        for (x, y, at, name) in texts() {
            match (x, y) {
                (Some([_, start]), None) => {
                    let line = if at > height { after + 1 } else { 0 };
                    end_at(&mut lines[line], margin + start + layout.width, name);
                }
                (None, Some([line, _])) if line < after => end_at(&mut lines[line + 1], margin - 1, name),
                _ => {}
            }
        }
        let shift = usize::from(!lines[0].is_empty());
        self.board = after + shift + usize::from(!lines[after + 1].is_empty());
        for line in [after + 1, 0] {
            if lines[line].is_empty() {
                lines.remove(line);
            }
        }
        self.text = lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join("\n");
        for mark in &mut self.marks {
            mark.line += shift;
            [&mut mark.start, &mut mark.end, &mut mark.ground_end].into_iter().for_each(|at| *at += margin);
        }
    }
}

/// Writes a name into a line, up to a character.
fn end_at(line: &mut String, end: usize, name: &str) {
    let mut chars = line.chars().collect::<Vec<_>>();
    chars.resize(chars.len().max(end), ' ');
    (0..end).rev().zip(name.chars().rev()).for_each(|(at, c)| chars[at] = c);
    *line = chars.into_iter().collect();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_gets_its_names_and_colours() {
        let number = |at: usize| (at + 9).to_string();
        let mut drawing = Drawing::board(2, 2, number, number);
        drawing.piece(1, 0, Player::SECOND);
        drawing.fill(0, 1, Paint::Last);
        // A line leads over cells that it doesn't mark.
        drawing.line(&[[0.0, 0.0], [3.0, 3.0]], 0.1, Paint::Last);
        let sheet = |layout| Sheet::new(".  .\n\no  .\nto move".to_owned(), &layout, &drawing);
        let layout = Layout::board(&[0, 2], &[0, 3]);
        let places = |sheet: &Sheet| {
            sheet
                .marks
                .iter()
                .map(|mark| (mark.line, mark.start, mark.ground_end, mark.player(), mark.is_last))
                .collect::<Vec<_>>()
        };
        let named = sheet(layout.clone());
        assert_eq!(named.text, "   9 10\n 9 .  .\n\n10 o  .\nto move");
        let player = Some(Player::SECOND);
        let all =
            [(1, 3, 5, None, false), (1, 6, 8, None, true), (3, 3, 5, player, false), (3, 6, 8, None, false)];
        assert_eq!(places(&named), all);
        assert!(named.marks.iter().all(|mark| mark.ground == Some(Paint::Board)));
        assert_eq!(named.below(), "to move");
        // A text that has names keeps its own.
        let plain = sheet(Layout { has_names: true, ..layout });
        assert_eq!(plain.text, ".  .\n\no  .\nto move");
        assert_eq!(places(&plain)[1..3], [(0, 3, 5, None, true), (2, 0, 2, player, false)]);
        assert_eq!(sheet(Layout::default()).marks, []);
    }
}
