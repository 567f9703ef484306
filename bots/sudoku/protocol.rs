//! The formats of the bot: the platform's nine rows, or a list of puzzles, one per line.

use std::fmt;
use std::io::{BufReader, Read};

use coppice::input::{Input, InputError};

use super::grid::{read_digits, ParseError};

/// A puzzle from the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Puzzle {
    /// Nine rows of nine digits; the answer has nine rows too.
    Rows([u8; 81]),
    /// A line of a list, or the reason it is malformed; the answer is one line either way.
    Line(Result<[u8; 81], ParseError>),
}

/// The puzzles of an input. Skips empty lines and lines that start with `#`.
#[derive(Debug)]
pub struct Puzzles<R> {
    input: Input<BufReader<R>>,
    /// A line of a list has been read, so a line of nine cells is no longer a row.
    is_list: bool,
}

/// The format of a row, for error messages.
const ROW: &str = "a row of nine digits, 0 or . where a cell is empty";

impl<R: Read> Puzzles<R> {
    /// Reads puzzles from `input`.
    pub fn new(input: Input<BufReader<R>>) -> Puzzles<R> {
        Puzzles { input, is_list: false }
    }

    /// Whether a line is already buffered.
    pub fn has_line(&self) -> bool {
        self.input.reader().buffer().contains(&b'\n')
    }

    /// The next puzzle; `None` when the input ends.
    ///
    /// # Errors
    /// If a line isn't UTF-8, a row isn't nine digits, or rows are missing.
    pub fn read(&mut self) -> Result<Option<Puzzle>, InputError> {
        let Some(line) = self.line()? else { return Ok(None) };
        if line.len() != 9 || self.is_list {
            self.is_list = true;
            return Ok(Some(Puzzle::Line(read_digits(&line))));
        }
        let mut cells = line;
        for _ in 1..9 {
            let row = self.line()?.ok_or_else(|| self.input.malformed("eight more rows after the first"))?;
            if row.len() != 9 {
                return Err(self.input.malformed(ROW));
            }
            cells += &row;
        }
        read_digits(&cells).map(|clues| Some(Puzzle::Rows(clues))).map_err(|_| self.input.malformed(ROW))
    }

    /// The next line that is neither empty nor a comment, without white space. The last line may lack a newline.
    fn line(&mut self) -> Result<Option<String>, InputError> {
        loop {
            let is_last = match self.input.line().map(|_| ()) {
                Ok(()) => false,
                Err(InputError::Ended) => true,
                Err(error) => return Err(error),
            };
            let line: String = self.input.last().split_whitespace().collect();
            if !line.is_empty() && !line.starts_with('#') {
                return Ok(Some(line));
            }
            if is_last {
                return Ok(None);
            }
        }
    }

    /// The error for a last-read puzzle without a solution.
    pub fn unsolvable(&self) -> InputError {
        self.input.malformed("a puzzle with a solution; it has none, and this is its last row")
    }

    /// The error for a last-read puzzle that was given up.
    pub fn given_up(&self) -> InputError {
        self.input.malformed("a puzzle that can be solved in time; this is its last row")
    }
}

/// A grid as 81 digits, 0 where a cell is empty.
pub fn digits(grid: &[u8; 81]) -> String {
    grid.iter().map(|&digit| char::from(b'0' + digit)).collect()
}

/// A grid in the platform's format: nine lines of nine digits, without a final newline.
pub fn rows(grid: &[u8; 81]) -> String {
    let digits = digits(grid);
    let rows: Vec<&str> = (0..9).map(|row| &digits[9 * row..9 * row + 9]).collect();
    rows.join("\n")
}

/// The result for a puzzle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The only solution.
    One([u8; 81]),
    /// One of several solutions.
    Several([u8; 81]),
    /// No solution.
    None,
    /// The solver gave up.
    Unknown,
}

/// Prints a line of the answer to a list: 81 digits, followed by ` not the only one` if there are other solutions; or
/// `no solution`, or `given up`.
impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (solution, rest) = match self {
            Verdict::One(solution) => (solution, ""),
            Verdict::Several(solution) => (solution, " not the only one"),
            Verdict::None => return f.write_str("no solution"),
            Verdict::Unknown => return f.write_str("given up"),
        };
        write!(f, "{}{rest}", digits(solution))
    }
}
