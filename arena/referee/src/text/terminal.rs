//! The terminal: its width and its colours, and text that is wrapped for it. Output into a pipe or a file stays as it is.

use std::io::{self, Write};

use anstream::stream::RawStream;
use anstream::{AutoStream, ColorChoice};
use contest::sheet::{Mark, Sheet};
use contest::{Referee, Seat};
use terminal_size::{terminal_size, Width};

use super::{program_name, without_commands};

/// The narrowest width for which lines are wrapped.
const NARROWEST: usize = 20;

/// Colours of players: cyan, magenta, green, yellow (ECMA-48, SGR).
const COLOURS: [u8; 4] = [36, 35, 32, 33];

/// The width of the terminal behind a stream, in characters; `None` for anything else.
pub fn width(stream: &impl RawStream) -> Option<usize> {
    let Width(width) = stream.is_terminal().then(terminal_size).flatten()?.0;
    Some(usize::from(width)).filter(|&width| width >= NARROWEST)
}

/// Whether a stream takes colours: a terminal that has them, unless NO_COLOR or CLICOLOR forbids it.
pub fn has_colour(stream: &impl RawStream) -> bool {
    stream.is_terminal() && AutoStream::choice(stream) != ColorChoice::Never
}

/// A position for the standard output: `plain`, or at a terminal its sheet, in colour if it has colours.
pub fn shown(plain: String, sheet: &Sheet) -> String {
    match width(&io::stdout()) {
        None => plain,
        Some(_) if has_colour(&io::stdout()) => painted(sheet),
        Some(_) => sheet.text.clone(),
    }
}

/// The position of a game, as a seat sees it, for the standard output.
pub fn position(referee: &dyn Referee, seat: Option<Seat>) -> String {
    let plain = seat.and_then(|seat| referee.show_to(seat)).unwrap_or_else(|| referee.show());
    shown(plain, &referee.sheet(seat))
}

/// A text with its marks in colour: a player's in its own, the last move reversed.
fn painted(sheet: &Sheet) -> String {
    let line = |(number, line): (usize, &str)| {
        let mut text = String::new();
        for (at, c) in line.chars().enumerate() {
            let covers = |mark: &&Mark| mark.line == number && (mark.start..mark.end).contains(&at);
            let Some(mark) = sheet.marks.iter().find(covers) else {
                text.push(c);
                continue;
            };
            let colour = mark.player.map(|player| format!(";{}", COLOURS[player.index() % COLOURS.len()]));
            let reversed = if mark.is_last { ";7" } else { "" };
            text += &format!("\x1b[1{}{reversed}m{c}\x1b[0m", colour.unwrap_or_default());
        }
        text
    };
    sheet.text.lines().enumerate().map(line).collect::<Vec<_>>().join("\n")
}

/// A line in several of at most `width` characters, broken at spaces; those after the first are indented by two more. JSON
/// and this program's own command lines, which are copied, stay whole.
pub fn wrapped(line: &str, width: usize) -> String {
    let trimmed = line.trim_start();
    let is_copied = trimmed.starts_with(['{', '[']) || trimmed.starts_with(&format!("{} ", program_name()));
    if columns(line) <= width || is_copied {
        return line.to_owned();
    }
    let indent = (line.len() - trimmed.len() + 2).min(width / 2);
    let (mut text, mut used) = (String::new(), 0);
    for word in line.split_inclusive(' ') {
        let length = columns(word.trim_end());
        if length > 0 && used > indent && used + length > width {
            text.truncate(text.trim_end().len());
            text += &format!("\n{:indent$}", "");
            used = indent;
        }
        text += word;
        used += columns(word);
    }
    text
}

/// The characters that a terminal shows: all but its commands.
fn columns(text: &str) -> usize {
    String::from_utf8_lossy(&without_commands(text.as_bytes())).chars().count()
}

/// A writer that wraps long lines for a terminal.
pub struct Wrapping<W: Write> {
    inner: W,
    width: Option<usize>,
    /// The line that isn't complete yet.
    line: Vec<u8>,
}

impl<W: Write + RawStream> Wrapping<W> {
    /// Wraps lines if the writer is a terminal.
    pub fn new(inner: W) -> Self {
        let width = width(&inner);
        Self { inner, width, line: Vec::new() }
    }
}

impl<W: Write> Wrapping<W> {
    fn put(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        match (std::str::from_utf8(&line), self.width) {
            (Ok(text), Some(width)) => self.inner.write_all(wrapped(text, width).as_bytes()),
            _ => self.inner.write_all(&line),
        }
    }
}

impl<W: Write> Write for Wrapping<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.width.is_none() {
            return self.inner.write(bytes);
        }
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            let text = part.strip_suffix(b"\n").unwrap_or(part);
            self.line.extend_from_slice(text);
            if text.len() < part.len() {
                self.put()?;
                self.inner.write_all(b"\n")?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.put()?;
        self.inner.flush()
    }
}

impl<W: Write> Drop for Wrapping<W> {
    fn drop(&mut self) {
        let _ = self.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use coppice::Player;

    #[test]
    fn lines_are_broken_at_spaces_and_keep_their_words() {
        let line = "  one two three four  five six";
        assert_eq!(wrapped(line, 20), "  one two three four\n    five six");
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let long = format!("{line} {} end", "x".repeat(40));
        assert_eq!(words(&wrapped(&long, 20)), words(&long));
        // Commands to the terminal take no room, and JSON is copied.
        for whole in
            [line, "\x1b[1;36mone\x1b[0m two three four five six", "{\"a\": 1, \"b\": 2, \"c\": 3, \"d\": 4}"]
        {
            assert_eq!(wrapped(whole, 30), whole);
        }
    }

    #[test]
    fn only_a_terminal_gets_wrapped_lines() {
        for (width, lines) in [(None, 2), (Some(20), 3)] {
            let mut bytes = Vec::new();
            let mut writer = Wrapping { inner: &mut bytes, width, line: Vec::new() };
            b"one two three four five six\nend".chunks(5).for_each(|part| writer.write_all(part).unwrap());
            drop(writer);
            assert_eq!(String::from_utf8(bytes).unwrap().lines().count(), lines, "{width:?}");
        }
    }

    #[test]
    fn marks_are_painted() {
        let mark = Mark { line: 1, start: 2, end: 3, player: Some(Player::SECOND), is_last: true };
        let sheet = Sheet { text: "  a\n1 x".to_owned(), marks: vec![mark] };
        assert_eq!(painted(&sheet), "  a\n1 \x1b[1;35;7mx\x1b[0m");
    }
}
