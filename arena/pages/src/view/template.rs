//! Boards of games whose rules aren't known, drawn from what bots were sent: a template says what each line of it is.
//!
//! A line is a list of names, one a word of the input: `width height`. `COUNT * NAMES` are several such lines; the count is
//! a number or a name read before. A line `row` is a row of the board with a cell a character, `cells` one with a cell a word.
//! A line with `x` and `y` is a unit. `_` is a word that doesn't matter, `...` the rest of a line.

use std::collections::BTreeMap;

use contest::drawing::{Drawing, Paint, Shape};
use contest::history::player;
use contest::Seat;

use super::Viewed;

/// Cells of a side up to which a board has cells; units of a larger one stand on a plain field.
const MOST_CELLS: usize = 64;

/// The larger side of a plain field in the drawing.
const FIELD: f32 = 32.0;

/// The names of [`Look`]s for messages.
const LOOKS: &str = "empty, wall, ground, hint, text, me, other, or player 0 to player 7";

/// The meaning of an input's lines, and the paints of what they hold.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Template {
    first: Vec<Line>,
    turn: Vec<Line>,
    paint: BTreeMap<String, Look>,
    size: Option<[usize; 2]>,
}

/// A mistake in a template.
#[derive(Debug, thiserror::Error)]
#[error("{reason}")]
pub struct TemplateError {
    /// The list in which it is: `first`, `turn` or `paint`.
    pub key: &'static str,
    /// The place in the list, from 0.
    pub entry: usize,
    reason: String,
}

#[derive(Debug, Clone, PartialEq)]
struct Line {
    count: Count,
    words: Vec<String>,
    /// A text as it is written.
    text: String,
}

#[derive(Debug, Clone, PartialEq)]
enum Count {
    Number(usize),
    Named(String),
}

/// The look of a cell or a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Look {
    Empty,
    Paint(Paint),
    Text,
    /// The bot that was sent the input.
    Me,
    /// The next seat.
    Other,
}

/// The content of an input.
#[derive(Debug, Clone, Default)]
struct Board {
    rows: Vec<Vec<String>>,
    units: Vec<Unit>,
    names: BTreeMap<String, String>,
}

#[derive(Debug, Clone)]
struct Unit {
    x: f32,
    y: f32,
    owner: String,
    text: String,
}

impl Template {
    /// A template: the lines that a seat is sent once, before its first turn, those of each turn, the look of characters,
    /// words and owners, and the columns and rows of the board if no input says them.
    ///
    /// # Errors
    /// The first mistake.
    pub fn new(
        first: &[String],
        turn: &[String],
        paint: &[(String, String)],
        size: Option<[usize; 2]>,
    ) -> Result<Self, TemplateError> {
        let mut known = Vec::new();
        let mut lines = |key: &'static str, list: &[String]| {
            let line = |(entry, text): (usize, &String)| {
                line(text, &mut known).map_err(|reason| TemplateError { key, entry, reason })
            };
            list.iter().enumerate().map(line).collect::<Result<Vec<_>, _>>()
        };
        let (first, turn) = (lines("first", first)?, lines("turn", turn)?);
        let look = |(entry, (value, name)): (usize, &(String, String))| match look(name) {
            Some(look) => Ok((value.clone(), look)),
            None => {
                let reason = format!("`{value}`: expected {LOOKS}, found `{name}`");
                Err(TemplateError { key: "paint", entry, reason })
            }
        };
        let paint = paint.iter().enumerate().map(look).collect::<Result<_, _>>()?;
        Ok(Self { first, turn, paint, size })
    }

    /// Draws a board for each answered turn without one. An input that doesn't fit gets none, and a note says why.
    pub fn add_boards(&self, viewed: &mut Viewed) {
        let mut of_seats: BTreeMap<Seat, Board> = BTreeMap::new();
        let (mut boards, mut misfits) = (Vec::new(), Vec::new());
        for (at, turn) in viewed.turns.iter().enumerate() {
            // The last input may be cut off.
            if turn.position.is_some() || turn.sent.is_empty() || turn.answer.is_empty() {
                continue;
            }
            let mut lines = turn.sent.lines().enumerate();
            let begun = match of_seats.get(&turn.seat) {
                Some(board) => Ok(board.clone()),
                None => Board::default().read(&self.first, &mut lines),
            };
            let read = begun.and_then(|begun| {
                of_seats.insert(turn.seat, begun.clone());
                let board = begun.read(&self.turn, &mut lines)?;
                match lines.next() {
                    Some((number, line)) => {
                        Err(format!("line {}: expected no more, found `{line}`", number + 1))
                    }
                    None => Ok(board),
                }
            });
            match read {
                Ok(board) => boards.push((at, board)),
                Err(reason) => misfits.push((at, reason)),
            }
        }
        let size = self.size_of(&boards);
        for (at, board) in boards {
            let turn = &mut viewed.turns[at];
            turn.position = Some(self.drawing(&board, size, turn.seat, viewed.bots.len()));
        }
        if let Some((at, reason)) = misfits.first() {
            let more = match misfits.len() - 1 {
                0 => String::new(),
                more => format!(" (nor {more} more)"),
            };
            let label = viewed.label(at + 1);
            viewed.notes.push(format!(
                "{label}{more} has no board: its input doesn't fit [board] of arena.toml: {reason}"
            ));
        }
    }

    /// Columns and rows that hold all boards.
    fn size_of(&self, boards: &[(usize, Board)]) -> [usize; 2] {
        let named = |board: &Board, name: &str| board.names.get(name).and_then(|text| text.parse().ok());
        let mut size = [1, 1];
        for (_, board) in boards {
            let farthest = |of: fn(&Unit) -> f32| board.units.iter().map(of).fold(0.0, f32::max) as usize + 1;
            let columns = board.rows.iter().map(Vec::len).max();
            let rows = Some(board.rows.len()).filter(|&rows| rows > 0);
            let of_board = [
                columns.or_else(|| named(board, "width")).unwrap_or_else(|| farthest(|unit| unit.x)),
                rows.or_else(|| named(board, "height")).unwrap_or_else(|| farthest(|unit| unit.y)),
            ];
            size = [size[0].max(of_board[0]), size[1].max(of_board[1])];
        }
        self.size.unwrap_or(size)
    }

    fn drawing(&self, board: &Board, [columns, rows]: [usize; 2], seat: Seat, seats: usize) -> Drawing {
        let paint = |look: Look| match look {
            Look::Paint(paint) => Some(paint),
            Look::Me => Some(Paint::Player(player(seat))),
            Look::Other => Some(Paint::Player(player((seat + 1) % seats.max(1)))),
            Look::Empty | Look::Text => None,
        };
        let (width, height) = (columns as f32, rows as f32);
        let is_field = columns.max(rows) > MOST_CELLS && board.rows.is_empty();
        let scale = if is_field { FIELD / width.max(height) } else { 1.0 };
        let name = |at: usize| at.to_string();
        let mut drawing = match is_field {
            true => Drawing::new(width * scale, height * scale),
            // More would be text from outside that was taken for a size.
            false => Drawing::board(rows.min(4 * MOST_CELLS), columns.min(4 * MOST_CELLS), name, name),
        };
        if is_field {
            drawing.shapes.push(Shape::Rect([0.0, 0.0, drawing.width, drawing.height], Paint::Board));
        }
        for (row, cells) in board.rows.iter().enumerate() {
            for (column, cell) in cells.iter().enumerate() {
                let look = self.paint.get(cell).copied().unwrap_or(match cell.as_str() {
                    "." | " " | "" => Look::Empty,
                    _ => Look::Text,
                });
                match paint(look) {
                    Some(paint) => drawing.fill(row, column, paint),
                    None if look == Look::Text => {
                        drawing.text(Drawing::cell(row, column), 0.5, cell.clone(), Paint::Text);
                    }
                    None => {}
                }
            }
        }
        let on_board = |unit: &&Unit| (0.0..width).contains(&unit.x) && (0.0..height).contains(&unit.y);
        for unit in board.units.iter().filter(on_board) {
            let [x, y] = match is_field {
                true => [unit.x * scale, unit.y * scale],
                false => {
                    let [x, y] = Drawing::cell(0, 0);
                    [x + unit.x, y + unit.y]
                }
            };
            let look = self.paint.get(&unit.owner).copied().unwrap_or(Look::Paint(Paint::Faint));
            if let Some(paint) = paint(look) {
                drawing.shapes.push(Shape::Disc([x, y, 0.38], paint));
            }
            let text = if look == Look::Text && unit.text.is_empty() { &unit.owner } else { &unit.text };
            if look != Look::Empty && !text.is_empty() {
                let ink = if look == Look::Text { Paint::Text } else { Paint::Board };
                drawing.text([x, y], 0.4, text.clone(), ink);
            }
        }
        drawing
    }
}

impl Board {
    /// Reads these lines after what was read before, whose rows the first new one replaces.
    fn read<'a>(
        mut self,
        lines: &[Line],
        input: &mut impl Iterator<Item = (usize, &'a str)>,
    ) -> Result<Self, String> {
        let mut rows = Vec::new();
        for line in lines {
            let count = match &line.count {
                Count::Number(count) => *count,
                Count::Named(name) => {
                    let text = self.names.get(name).map_or("nothing", String::as_str);
                    text.parse().map_err(|_| format!("expected a count `{name}`, found `{text}`"))?
                }
            };
            for _ in 0..count {
                let (number, found) =
                    input.next().ok_or_else(|| format!("the input ends before `{}`", line.text))?;
                let wrong = |reason: String| format!("line {}: {reason}", number + 1);
                match line.words[0].as_str() {
                    "row" => rows.push(found.chars().map(String::from).collect()),
                    "cells" => rows.push(found.split_whitespace().map(str::to_owned).collect()),
                    _ => self.read_words(line, found).map_err(wrong)?,
                }
            }
        }
        if !rows.is_empty() {
            self.rows = rows;
        }
        Ok(self)
    }

    fn read_words(&mut self, line: &Line, found: &str) -> Result<(), String> {
        let words = found.split_whitespace().collect::<Vec<_>>();
        let is_open = line.words.last().is_some_and(|last| last == "...");
        let names = &line.words[..line.words.len() - usize::from(is_open)];
        if words.len() < names.len() || words.len() > names.len() && !is_open {
            return Err(format!("expected `{}`, found `{found}`", line.text));
        }
        self.names.extend(names.iter().cloned().zip(words.iter().map(|&word| word.to_owned())));
        let here = |name: &str| names.iter().position(|known| known == name).map(|at| words[at]);
        if let (Some(x), Some(y)) = (here("x"), here("y")) {
            let number = |name: &str, text: &str| {
                let number = text.parse().ok().filter(|number: &f32| number.is_finite());
                number.ok_or_else(|| format!("expected a number `{name}`, found `{text}`"))
            };
            let text = |name: &str| here(name).unwrap_or_default().to_owned();
            let (x, y) = (number("x", x)?, number("y", y)?);
            self.units.push(Unit { x, y, owner: text("owner"), text: text("text") });
        }
        Ok(())
    }
}

/// Parses a line. `known` are the names read before it, and gets its own.
fn line(text: &str, known: &mut Vec<String>) -> Result<Line, String> {
    let mut words = text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let mut count = Count::Number(1);
    if words.get(1).is_some_and(|word| word == "*") {
        count = match words[0].parse() {
            Ok(number) => Count::Number(number),
            Err(_) if known.contains(&words[0]) => Count::Named(words[0].clone()),
            Err(_) => {
                return Err(format!("`{text}`: `{}` is neither a number nor a name read before", words[0]))
            }
        };
        words.drain(..2);
    }
    let has = |name: &str| words.iter().any(|word| word == name);
    let wrong = |reason: &str| Err(format!("`{text}`: {reason}"));
    match words.len() {
        0 => return wrong("expected the names of a line's words, or COUNT * and such names"),
        1 => {}
        _ if has("row") || has("cells") => return wrong("`row` and `cells` are whole lines"),
        _ if words[..words.len() - 1].iter().any(|word| word == "...") => {
            return wrong("`...` is the rest of a line, and stands last");
        }
        _ => {}
    }
    if has("x") != has("y") {
        return wrong("a unit has both `x` and `y`");
    }
    known.extend(words.iter().cloned());
    Ok(Line { count, words, text: text.to_owned() })
}

fn look(name: &str) -> Option<Look> {
    Some(match name {
        "empty" => Look::Empty,
        "wall" => Look::Paint(Paint::Shade),
        "ground" => Look::Paint(Paint::Ground),
        "hint" => Look::Paint(Paint::Hint),
        "text" => Look::Text,
        "me" => Look::Me,
        "other" => Look::Other,
        _ => {
            let number = name.strip_prefix("player ")?.parse().ok().filter(|&number| number < 8)?;
            Look::Paint(Paint::Player(player(number)))
        }
    })
}

#[cfg(test)]
mod tests;
