//! The dialogue of one bot in one game: `> ` before each line to the bot, `< ` before each from it, `! ` before each line
//! of its standard error.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use contest::utf8;

use crate::atomic;

/// The direction of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the referee to the bot.
    ToBot,
    /// From the bot to the referee.
    FromBot,
}

impl Direction {
    /// The first character of such lines.
    pub fn mark(self) -> char {
        match self {
            Self::ToBot => '>',
            Self::FromBot => '<',
        }
    }
}

/// One line of a dialogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Line number in the file, from 1.
    pub line: usize,
    /// To the bot or from it.
    pub direction: Direction,
    /// The line without its first two characters and its end.
    pub text: String,
}

/// A line of a bot's standard error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// The number of lines of the dialogue before it.
    pub after: usize,
    /// The line.
    pub text: String,
}

/// One side's dialogue with the referee, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Log {
    entries: Vec<Entry>,
    said: Vec<Said>,
    /// The bytes of the last line of standard error, if its end hasn't come.
    begun: Vec<u8>,
}

/// A turn: the lines sent to a bot, and its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exchange<'a> {
    /// Lines to the bot; the first turn's include the init lines.
    pub sent: &'a [Entry],
    /// Lines from the bot; empty if it didn't answer.
    pub answered: &'a [Entry],
    /// Standard error until the bot's next turn.
    pub said: &'a [Said],
}

impl Log {
    /// Reads a file.
    ///
    /// # Errors
    /// If the file can't be read or isn't a log, with the place and the reason.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, LogError> {
        let path = path.as_ref();
        let bytes = fs::read(path).map_err(|source| LogError::Io { path: path.to_owned(), source })?;
        Self::parse(path, &bytes)
    }

    /// Reads the content of a file; `path` is for messages only. Lines may end in CR LF.
    ///
    /// # Errors
    /// If it isn't a log, or doesn't end in a line end and so may be truncated.
    pub fn parse(path: impl AsRef<Path>, bytes: &[u8]) -> Result<Self, LogError> {
        let mut log = Self::default();
        for (number, raw) in (1..).zip(utf8::without_mark(bytes).split_inclusive(|&b| b == b'\n')) {
            let fail = |expected, found: &[u8]| LogError::Line {
                path: path.as_ref().to_owned(),
                line: number,
                expected,
                found: crate::text::quoted(found),
            };
            let Some(line) = raw.strip_suffix(b"\n") else {
                return Err(fail("a line end: the file may be cut off here", raw));
            };
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let text = std::str::from_utf8(line).map_err(|_| fail("UTF-8 text", line))?;
            let (direction, rest) = match text.split_at_checked(1) {
                Some((">", rest)) => (Some(Direction::ToBot), rest),
                Some(("<", rest)) => (Some(Direction::FromBot), rest),
                Some(("!", rest)) => (None, rest),
                _ => return Err(fail("`> `, `< ` or `! ` and a line", line)),
            };
            // An editor may have removed the space of an empty line.
            let text = match rest.strip_prefix(' ') {
                Some(text) => text,
                None if rest.is_empty() => rest,
                None => return Err(fail("a space after the first character", line)),
            };
            let text = text.to_owned();
            match direction {
                Some(direction) => log.entries.push(Entry { line: number, direction, text }),
                None => log.said.push(Said { after: log.entries.len(), text }),
            }
        }
        Ok(log)
    }

    /// The lines in order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The lines of standard error, in order.
    pub fn said(&self) -> &[Said] {
        &self.said
    }

    /// The turns in order.
    pub fn exchanges(&self) -> impl Iterator<Item = Exchange<'_>> {
        let starts_exchange = |before: &Entry, after: &Entry| {
            before.direction == Direction::FromBot && after.direction == Direction::ToBot
        };
        let (mut end, mut rest) = (0, &self.said[..]);
        self.entries.chunk_by(move |before, after| !starts_exchange(before, after)).map(move |chunk| {
            let sent = chunk.iter().take_while(|entry| entry.direction == Direction::ToBot).count();
            let (sent, answered) = chunk.split_at(sent);
            end += chunk.len();
            let (said, later) = rest.split_at(rest.partition_point(|said| said.after <= end));
            rest = later;
            Exchange { sent, answered, said }
        })
    }

    /// Adds each line of `text`.
    pub fn push(&mut self, direction: Direction, text: &str) {
        for text in text.lines() {
            self.entries.push(Entry { line: self.next_line(), direction, text: text.to_owned() });
        }
    }

    /// Adds the output of a bot. Bytes that aren't printable text are escaped.
    pub fn push_bytes(&mut self, direction: Direction, bytes: &[u8]) {
        for line in bytes.split(|&b| b == b'\n') {
            let text = crate::text::escaped(line);
            self.entries.push(Entry { line: self.next_line(), direction, text });
        }
    }

    /// Adds standard error of the bot. Colours are left out, and bytes that aren't printable text escaped. The rest of a line stands where its
    /// first byte came.
    pub fn push_said(&mut self, bytes: &[u8]) {
        for piece in bytes.split_inclusive(|&b| b == b'\n') {
            let is_new = self.begun.is_empty();
            self.begun.extend_from_slice(piece);
            let line = self.begun.strip_suffix(b"\n");
            let is_whole = line.is_some();
            let text = crate::text::escaped(&crate::text::without_commands(line.unwrap_or(&self.begun)));
            match self.said.last_mut().filter(|_| !is_new) {
                Some(last) => last.text = text,
                None => self.said.push(Said { after: self.entries.len(), text }),
            }
            if is_whole {
                self.begun.clear();
            }
        }
    }

    /// The number of the next line of the file.
    fn next_line(&self) -> usize {
        self.entries.len() + self.said.len() + 1
    }

    /// Writes the file as a whole or not at all.
    ///
    /// # Errors
    /// If the file system refuses.
    pub fn write(&self, path: impl AsRef<Path>) -> io::Result<()> {
        atomic::write(path.as_ref(), self.to_string().as_bytes())
    }
}

impl fmt::Display for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut said = self.said.iter().peekable();
        for (at, entry) in self.entries.iter().enumerate() {
            while let Some(said) = said.next_if(|said| said.after <= at) {
                writeln!(f, "! {}", said.text)?;
            }
            writeln!(f, "{} {}", entry.direction.mark(), entry.text)?;
        }
        said.try_for_each(|said| writeln!(f, "! {}", said.text))
    }
}

/// The reasons why a file isn't a log.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// It can't be read at all.
    #[error("{}: can't read the log: {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A line is invalid.
    #[error("{}:{line}: expected {expected}, found {found}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line's number, from 1.
        line: usize,
        /// The expected form.
        expected: &'static str,
        /// The line that was found, escaped and shortened.
        found: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = "> 0\n> 8\n> ..\n< c4 MSG hi\n> \n< \n> x\n";

    fn error(bytes: &[u8]) -> String {
        Log::parse("a.log", bytes).unwrap_err().to_string()
    }

    #[test]
    fn what_is_read_is_written_again() {
        let log = Log::parse("a.log", GAME.as_bytes()).unwrap();
        assert_eq!(log.to_string(), GAME);
        let entry = Entry { line: 4, direction: Direction::FromBot, text: "c4 MSG hi".to_owned() };
        assert_eq!(log.entries()[3], entry);
    }

    #[test]
    fn what_is_pushed_is_what_would_be_read() {
        let mut log = Log::default();
        log.push(Direction::ToBot, "0\n8\n..\n");
        log.push_bytes(Direction::FromBot, b"c4 MSG hi");
        log.push(Direction::ToBot, "\n");
        log.push_bytes(Direction::FromBot, b"");
        log.push(Direction::ToBot, "x\n");
        assert_eq!(log, Log::parse("a.log", GAME.as_bytes()).unwrap());
        log.push_bytes(Direction::FromBot, b"\xff\n\0");
        assert!(log.to_string().ends_with("< \\xff\n< \\x00\n"), "{log}");
    }

    #[test]
    fn exchanges_keep_questions_with_their_answers() {
        let log = Log::parse("a.log", GAME.as_bytes()).unwrap();
        let sizes = log.exchanges().map(|e| (e.sent.len(), e.answered.len())).collect::<Vec<_>>();
        assert_eq!(sizes, [(3, 1), (1, 1), (1, 0)]);
        assert_eq!(Log::default().exchanges().count(), 0);
    }

    #[test]
    fn standard_error_belongs_to_the_turn_before_it() {
        let mut log = Log::default();
        log.push_said(b"");
        log.push_said(b"ready\n");
        log.push(Direction::ToBot, "1\n");
        log.push_bytes(Direction::FromBot, b"a");
        log.push_said(b"depth 3\n\nscore \xff\n");
        log.push(Direction::ToBot, "2\n");
        log.push_bytes(Direction::FromBot, b"b");
        log.push_said(b"bye\n");
        let text = "! ready\n> 1\n< a\n! depth 3\n! \n! score \\xff\n> 2\n< b\n! bye\n";
        assert_eq!(log.to_string(), text);
        assert_eq!(Log::parse("a.log", text.as_bytes()).unwrap(), log);
        assert_eq!(log.entries().iter().map(|entry| entry.line).collect::<Vec<_>>(), [2, 3, 7, 8]);
        let said = |exchange: Exchange<'_>| {
            exchange.said.iter().map(|said| said.text.clone()).collect::<Vec<_>>().join("|")
        };
        assert_eq!(log.exchanges().map(said).collect::<Vec<_>>(), ["ready|depth 3||score \\xff", "bye"]);
    }

    #[test]
    fn a_line_in_pieces_belongs_to_the_turn_of_its_first_byte() {
        let mut log = Log::default();
        log.push(Direction::ToBot, "1\n");
        log.push_bytes(Direction::FromBot, b"a");
        log.push_said(b"ready\ndepth \xc3");
        log.push(Direction::ToBot, "2\n");
        log.push_bytes(Direction::FromBot, b"b");
        log.push_said(b"\xa9, score");
        log.push_said(b" 5\ndepth 7\nthe e");
        log.push(Direction::ToBot, "3\n");
        log.push_said(b"nd");
        let text = "> 1\n< a\n! ready\n! depth é, score 5\n> 2\n< b\n! depth 7\n! the end\n> 3\n";
        assert_eq!(log.to_string(), text);
        let read = Log::parse("a.log", text.as_bytes()).unwrap();
        assert_eq!((log.entries(), log.said()), (read.entries(), read.said()));
    }

    #[test]
    fn line_ends_of_windows_are_taken_off() {
        let crlf = GAME.replace('\n', "\r\n");
        let log = Log::parse("a.log", crlf.as_bytes()).unwrap();
        assert_eq!(log.to_string(), GAME);
        assert_eq!(Log::parse("a.log", b">\r\n").unwrap().entries()[0].text, "");
        assert_eq!(Log::parse("a.log", format!("\u{feff}{GAME}").as_bytes()).unwrap().to_string(), GAME);
    }

    #[test]
    fn errors_say_where_and_what() {
        assert_eq!(
            error(b"> 0\n> 8\n< c"),
            "a.log:3: expected a line end: the file may be cut off here, found \"< c\""
        );
        assert_eq!(error(b"> 0\n\n"), "a.log:2: expected `> `, `< ` or `! ` and a line, found \"\"");
        assert_eq!(error(b">0\n"), "a.log:1: expected a space after the first character, found \">0\"");
        assert_eq!(error(b"< \xfe\n"), "a.log:1: expected UTF-8 text, found \"< \\xfe\"");
        let missing = Log::read("no such file.log").unwrap_err().to_string();
        assert!(missing.starts_with("no such file.log: can't read the log: "), "{missing}");
    }

    #[test]
    fn a_written_file_reads_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("1.p0.log");
        let log = Log::parse("a.log", GAME.as_bytes()).unwrap();
        log.write(&path).unwrap();
        log.write(&path).unwrap();
        assert_eq!(Log::read(&path).unwrap(), log);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
