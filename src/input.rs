//! Reads a referee's lines, notes when a turn begins, and reports malformed lines.

use std::fmt;
use std::io::{self, BufRead, Read};
use std::str::FromStr;
use std::time::Instant;

/// The maximum length of a line, in bytes; contests' lines are far shorter.
const MAX_LINE: usize = 1 << 16;

/// Reads a referee's lines one at a time, into a reused buffer.
///
/// ```
/// use coppice::input::Input;
///
/// let mut input = Input::new(&b"3 5\nmany\n"[..]);
/// let started = input.wait()?; // the turn's time counts from here
/// assert_eq!(input.line()?, "3 5");
/// let error = input.value::<u32>("the number of stones").unwrap_err();
/// assert_eq!(error.to_string(), "input line 2: expected the number of stones, found \"many\"");
/// # Ok::<(), coppice::input::InputError>(())
/// ```
#[derive(Debug)]
pub struct Input<R> {
    reader: R,
    line: Vec<u8>,
    number: u64,
}

/// Why there is no further line.
#[derive(Debug)]
pub enum InputError {
    /// The input ended, before a line or within one: the game is over for this bot.
    Ended,
    /// A line is malformed.
    Malformed {
        /// The line's number, from 1.
        line: u64,
        /// What was expected there.
        expected: String,
        /// The line itself, with unprintable bytes escaped, truncated to a readable length.
        found: String,
    },
    /// Reading the input or writing an answer failed, for another reason than a closed pipe.
    Io(io::Error),
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputError::Ended => f.write_str("the input ended"),
            InputError::Malformed { line, expected, found } => {
                write!(f, "input line {line}: expected {expected}, found \"{found}\"")
            }
            InputError::Io(error) => write!(f, "the referee can't be reached: {error}"),
        }
    }
}

impl std::error::Error for InputError {}

impl<R: BufRead> Input<R> {
    /// Lines from `reader`.
    pub fn new(reader: R) -> Input<R> {
        Input { reader, line: Vec::with_capacity(1024), number: 0 }
    }

    /// Waits for the first byte of the next line and returns the time of its arrival, from which a turn's
    /// time counts.
    ///
    /// # Errors
    /// [`InputError::Ended`] if the input has ended.
    pub fn wait(&mut self) -> Result<Instant, InputError> {
        loop {
            match self.reader.fill_buf() {
                Ok([]) => return Err(InputError::Ended),
                Ok(_) => return Ok(Instant::now()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(InputError::Io(error)),
            }
        }
    }

    /// The next line, without its end (`\n` or `\r\n`).
    ///
    /// # Errors
    /// [`InputError::Ended`] if the input ends before the line does; `Malformed` if it is not UTF-8
    /// or longer than 65,536 bytes.
    pub fn line(&mut self) -> Result<&str, InputError> {
        self.line.clear();
        self.number += 1;
        let mut reader = (&mut self.reader).take(MAX_LINE as u64 + 1);
        reader.read_until(b'\n', &mut self.line).map_err(InputError::Io)?;
        if self.line.last() == Some(&b'\n') {
            self.line.pop();
        } else if self.line.len() > MAX_LINE {
            return Err(self.malformed("a line of at most 65536 bytes"));
        } else {
            return Err(InputError::Ended);
        }
        if self.line.last() == Some(&b'\r') {
            self.line.pop();
        }
        match std::str::from_utf8(&self.line) {
            Ok(text) => Ok(text),
            Err(_) => Err(self.malformed("text in UTF-8")),
        }
    }

    /// The next line as one value; `expected` says in words what it should be.
    ///
    /// # Errors
    /// Those of [`Input::line`], and `Malformed` if the line, without the whitespace around it, doesn't
    /// parse.
    pub fn value<T: FromStr>(&mut self, expected: &str) -> Result<T, InputError> {
        match self.line()?.trim().parse() {
            Ok(value) => Ok(value),
            Err(_) => Err(self.malformed(expected)),
        }
    }

    /// The underlying reader.
    pub fn reader(&self) -> &R {
        &self.reader
    }

    /// The line read last; empty if it wasn't UTF-8.
    pub fn last(&self) -> &str {
        std::str::from_utf8(&self.line).unwrap_or("")
    }

    /// The error that the line read last is not what was expected.
    pub fn malformed(&self, expected: &str) -> InputError {
        let mut found: String =
            self.line.iter().take(80).flat_map(|b| b.escape_ascii()).map(char::from).collect();
        if self.line.len() > 80 {
            found.push_str("...");
        }
        InputError::Malformed { line: self.number, expected: expected.to_string(), found }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_lines_with_either_end() {
        let mut input = Input::new(&b"one\r\n2\n\nhalf"[..]);
        assert_eq!(input.line().unwrap(), "one");
        assert_eq!(input.value::<i32>("a number").unwrap(), 2);
        assert_eq!(input.line().unwrap(), "");
        assert!(matches!(input.line(), Err(InputError::Ended)), "a cut-off line is an end");
        assert!(matches!(input.wait(), Err(InputError::Ended)));
    }

    #[test]
    fn a_malformed_line_is_named() {
        let mut input = Input::new(&b"1\nx\xff\n"[..]);
        assert_eq!(input.value::<i32>("a number").unwrap(), 1);
        assert_eq!(
            input.value::<i32>("a number").unwrap_err().to_string(),
            "input line 2: expected text in UTF-8, found \"x\\xff\""
        );
    }

    #[test]
    fn an_endless_line_is_refused() {
        let mut input = Input::new(io::BufReader::new(io::repeat(b'a')));
        let error = input.line().unwrap_err().to_string();
        assert!(error.contains("at most 65536 bytes") && error.len() < 200, "{error}");
    }
}
