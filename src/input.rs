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

/// An input that can't be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum InputError {
    /// The input ended, before a line or within one: the game is over for this bot.
    Ended,
    /// A line is malformed.
    Malformed {
        /// The line's number, from 1.
        line: u64,
        /// The expected form.
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
    /// As for [`Input::line`], and `Malformed` if the line, without the whitespace around it, doesn't parse.
    pub fn value<T: FromStr>(&mut self, expected: &str) -> Result<T, InputError> {
        match self.line()?.trim().parse() {
            Ok(value) => Ok(value),
            Err(_) => Err(self.malformed(expected)),
        }
    }

    /// The words of the next line, to be read one after the other. Words that aren't read are ignored: contests add
    /// some in higher leagues.
    ///
    /// ```
    /// use coppice::input::Input;
    ///
    /// let mut input = Input::new(&b"3 rook  at e4\n5 x\n"[..]);
    /// let mut words = input.words()?;
    /// assert_eq!((words.next::<i32>("id, a whole number")?, words.next::<String>("kind")?), (3, "rook".to_owned()));
    /// assert_eq!(words.rest(), " at e4");
    /// let mut words = input.words()?;
    /// words.next::<i32>("id, a whole number")?;
    /// let error = words.next::<i32>("x, a whole number").unwrap_err();
    /// assert_eq!(error.to_string(), "input line 2: expected x, a whole number, as word 2, found \"5 x\"");
    /// # Ok::<(), coppice::input::InputError>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Input::line`].
    pub fn words(&mut self) -> Result<Words<'_, R>, InputError> {
        self.line()?;
        Ok(Words { input: self, at: 0, count: 0 })
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

/// The words of a line: see [`Input::words`].
#[derive(Debug)]
pub struct Words<'a, R> {
    input: &'a Input<R>,
    /// The place in the line behind the words that were read.
    at: usize,
    count: u32,
}

impl<R: BufRead> Words<'_, R> {
    /// The next word; `expected` says what it should be.
    ///
    /// # Errors
    /// [`InputError::Malformed`] if the line has no further word, or it doesn't parse.
    pub fn next<T: FromStr>(&mut self, expected: &str) -> Result<T, InputError> {
        let text = self.input.last();
        let rest = text[self.at..].trim_start();
        let word = rest.split_ascii_whitespace().next().unwrap_or("");
        self.at = text.len() - rest.len() + word.len();
        self.count += 1;
        match word.parse() {
            Ok(value) if !word.is_empty() => Ok(value),
            _ => Err(self.input.malformed(&format!("{expected}, as word {}", self.count))),
        }
    }

    /// The next word as a yes or no, which is written 1 or 0.
    ///
    /// # Errors
    /// [`InputError::Malformed`] if it is neither.
    pub fn flag(&mut self, expected: &str) -> Result<bool, InputError> {
        match self.next::<String>(expected)?.as_str() {
            "1" => Ok(true),
            "0" => Ok(false),
            _ => Err(self.input.malformed(&format!("{expected}, as word {}", self.count))),
        }
    }

    /// The rest of the line, without the one blank after the last word. May be empty, or hold blanks.
    pub fn rest(&mut self) -> String {
        let text = self.input.last();
        let rest = &text[self.at..];
        self.at = text.len();
        let rest = if self.count > 0 { rest.strip_prefix(' ').unwrap_or(rest) } else { rest };
        rest.to_owned()
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
    fn words_are_read_one_after_the_other() {
        let mut input = Input::new(&b"  7\t0 1  a b \n\nx\n2\n"[..]);
        let mut words = input.words().unwrap();
        assert_eq!(words.next::<u8>("a number").unwrap(), 7);
        assert!(!words.flag("alive").unwrap() && words.flag("alive").unwrap());
        assert_eq!((words.rest(), words.rest()), (" a b ".to_owned(), String::new()));
        assert!(words.next::<u8>("a number").is_err());
        assert_eq!(input.words().unwrap().rest(), "");
        assert!(input.words().unwrap().flag("alive").is_err());
        let error = input.words().unwrap().flag("alive, 0 or 1").unwrap_err().to_string();
        assert_eq!(error, "input line 4: expected alive, 0 or 1, as word 1, found \"2\"");
    }

    #[test]
    fn an_endless_line_is_refused() {
        let mut input = Input::new(io::BufReader::new(io::repeat(b'a')));
        let error = input.line().unwrap_err().to_string();
        assert!(error.contains("at most 65536 bytes") && error.len() < 200, "{error}");
    }
}
