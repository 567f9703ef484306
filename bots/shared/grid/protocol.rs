//! Reads and writes both sides of the protocol.

use std::fmt::Write;
use std::io::BufRead;

use coppice::input::{Input, InputError};
use smallvec::SmallVec;

use super::Grid;

/// The legal moves: nine or fewer on most turns, at most 81. (Reading nine takes 0.57 µs, or 0.75 µs with an inline
/// array for 81 of them.)
pub type Actions<M> = SmallVec<[M; 16]>;

/// One turn as the bot receives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn<M> {
    /// The opening moves, which precede the first turn of a game that starts with an opening.
    pub opening: Actions<M>,
    /// The opponent's move; `None` before the first move of the game.
    pub opponent: Option<M>,
    /// The legal moves, in any order.
    pub actions: Actions<M>,
}

/// The line before a player's first turn, with the opening's `moves`; empty without an opening. Only arenas send this: the
/// platform has no openings.
pub fn write_opening<G: Grid>(moves: &[G::Move]) -> String {
    let words = moves.iter().map(|&m| " ".to_string() + &write_answer::<G>(m));
    match moves {
        [] => String::new(),
        _ => OPENING.to_string() + &words.collect::<String>() + "\n",
    }
}

const OPENING: &str = "opening";

/// The lines of a turn.
pub fn write_turn<G: Grid>(opponent: Option<G::Move>, actions: &[G::Move]) -> String {
    let mut text = String::with_capacity(8 + 4 * actions.len());
    match opponent {
        None => text.push_str("-1 -1\n"),
        Some(m) => write_cell::<G>(&mut text, m),
    }
    let _ = writeln!(text, "{}", actions.len());
    actions.iter().for_each(|&m| write_cell::<G>(&mut text, m));
    text
}

fn write_cell<G: Grid>(text: &mut String, m: G::Move) {
    let (row, column) = G::place(m);
    let _ = writeln!(text, "{row} {column}");
}

/// Reads the output of [`write_turn`], optionally preceded by that of [`write_opening`].
///
/// # Errors
/// If the input ends or is malformed.
pub fn read_turn<G: Grid, R: BufRead>(input: &mut Input<R>) -> Result<Turn<G::Move>, InputError> {
    let mut opening = Actions::new();
    if let Some(cells) = input.line()?.strip_prefix(OPENING) {
        let mut words = cells.split_ascii_whitespace().peekable();
        while words.peek().is_some() {
            match cell::<G>(&mut words) {
                Some(m) => opening.push(m),
                None => return Err(input.malformed("an opening of rows and columns")),
            }
        }
        input.line()?;
    }
    let opponent = match input.last().trim() {
        "-1 -1" => None,
        line => match read_cell::<G>(line) {
            None => return Err(input.malformed("the opponent's row and column, or -1 -1")),
            answer => answer,
        },
    };
    let count = input.line()?.trim().parse::<usize>();
    let count = count.ok().filter(|count| (1..=usize::from(G::SIZE * G::SIZE)).contains(count));
    let Some(count) = count else {
        return Err(input.malformed("the number of moves"));
    };
    let mut actions = Actions::new();
    for _ in 0..count {
        match read_cell::<G>(input.line()?) {
            Some(m) => actions.push(m),
            None => return Err(input.malformed("the row and the column of a move")),
        }
    }
    Ok(Turn { opening, opponent, actions })
}

/// The format of an answer, for error messages.
pub const ANSWER_FORM: &str = "ROW COLUMN[ message]";

/// Writes an answer.
pub fn write_answer<G: Grid>(m: G::Move) -> String {
    let (row, column) = G::place(m);
    format!("{row} {column}")
}

/// Parses an answer exactly as the platform's referee does: two numbers of one digit, which may have a minus sign, with one
/// space between; then nothing, or a space and a message. `None` for anything else.
pub fn read_answer<G: Grid>(line: &str) -> Option<G::Move> {
    let (row, rest) = digit(line)?;
    let (column, rest) = digit(rest.strip_prefix(' ')?)?;
    let is_message = rest.len() > 1 && rest.starts_with(' ');
    let is_inside = row < G::SIZE && column < G::SIZE;
    (is_inside && (rest.is_empty() || is_message)).then(|| G::at(row, column))
}

/// A digit with or without a minus sign, and the text after it. A negative number is as far outside as 255.
fn digit(text: &str) -> Option<(u8, &str)> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let value = unsigned.bytes().next().filter(u8::is_ascii_digit)? - b'0';
    let is_below = unsigned.len() < text.len() && value > 0;
    Some((if is_below { u8::MAX } else { value }, &unsigned[1..]))
}

/// Parses `row column` in a line to the bot, ignoring the rest of it.
fn read_cell<G: Grid>(line: &str) -> Option<G::Move> {
    cell::<G>(&mut line.split_ascii_whitespace())
}

fn cell<'a, G: Grid>(words: &mut impl Iterator<Item = &'a str>) -> Option<G::Move> {
    let mut number = || words.next()?.parse().ok().filter(|n| *n < G::SIZE);
    Some(G::at(number()?, number()?))
}
