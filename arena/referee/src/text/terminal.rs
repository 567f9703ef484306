//! The terminal: its width and its colours, and text that is wrapped for it. Output into a pipe or a file stays as it is.

use std::io::{self, Write};

use anstream::stream::RawStream;
use anstream::{AutoStream, ColorChoice};
use contest::drawing::Drawing;
use contest::paint::{Paint, Rgb};
use contest::sheet::{Mark, Sheet};
use contest::{Referee, Seat};
use terminal_size::{terminal_size, Height, Width};

use super::palette::{readable, Palette};
use super::picture::{legend, picture, PLAIN};
use super::{program_name, without_commands};

/// The narrowest width for which lines are wrapped.
const NARROWEST: usize = 20;

/// The widest picture, in characters.
const WIDEST: usize = 100;

/// Lines for what stands around a picture: a prompt, moves to choose from.
const AROUND: usize = 5;

/// Colours of players where there are only eight: cyan, magenta, green, yellow (ECMA-48, SGR).
const COLOURS: [u8; 4] = [36, 35, 32, 33];

/// The width of the terminal behind a stream, in characters; `None` for anything else.
pub fn width(stream: &impl RawStream) -> Option<usize> {
    size(stream).map(|[width, _]| width)
}

/// The width and the height of the terminal behind a stream, in characters.
fn size(stream: &impl RawStream) -> Option<[usize; 2]> {
    let (Width(width), Height(height)) = stream.is_terminal().then(terminal_size).flatten()?;
    Some([width, height].map(usize::from)).filter(|&[width, _]| width >= NARROWEST)
}

/// Whether a stream takes colours: a terminal that has them, unless NO_COLOR or CLICOLOR forbids it.
pub fn has_colour(stream: &impl RawStream) -> bool {
    stream.is_terminal() && AutoStream::choice(stream) != ColorChoice::Never
}

/// A position for the standard output: `plain`, or at a terminal its sheet, or in colour what its drawing shows.
pub fn shown(plain: String, sheet: &Sheet, drawing: Option<&Drawing>) -> String {
    let stdout = io::stdout();
    shown_in(plain, sheet, drawing, size(&stdout), has_colour(&stdout).then(Palette::of_terminal))
}

/// A position for a terminal of this size, if there is one, with these colours: none, eight without a palette, or more.
fn shown_in(
    plain: String,
    sheet: &Sheet,
    drawing: Option<&Drawing>,
    size: Option<[usize; 2]>,
    colours: Option<Option<Palette>>,
) -> String {
    match (size, colours) {
        (None, _) => plain,
        (Some(_), None) => sheet.text.clone(),
        (Some(_), Some(None)) => painted(sheet, eight),
        (Some(size), Some(Some(palette))) => coloured(sheet, drawing, palette, size),
    }
}

/// The position of a game, as a seat sees it, for the standard output.
pub fn position(referee: &dyn Referee, seat: Option<Seat>) -> String {
    let hidden = seat.and_then(|seat| referee.show_to(seat));
    // The drawing shows everything.
    let drawing = hidden.is_none().then(|| referee.draw());
    shown(hidden.unwrap_or_else(|| referee.show()), &referee.sheet(seat), drawing.as_ref())
}

/// A position in many colours: its picture, or its text with coloured cells, and what the colours mean.
fn coloured(
    sheet: &Sheet,
    drawing: Option<&Drawing>,
    palette: Palette,
    [columns, rows]: [usize; 2],
) -> String {
    let below = sheet.below();
    let room = [columns.min(WIDEST), rows.saturating_sub(AROUND + below.lines().count())];
    let is_picture = |drawing: &&Drawing| drawing.is_picture();
    let picture = drawing.filter(is_picture).and_then(|drawing| picture(drawing, palette, room));
    let board = match picture {
        Some(picture) => [picture, below].join("\n").trim_end().to_owned(),
        None => painted(sheet, |mark, c| many(palette, mark, c)),
    };
    let legend = drawing.and_then(|drawing| legend(drawing, palette));
    [board].into_iter().chain(legend).collect::<Vec<_>>().join("\n")
}

/// A text with its marks in the colours that `command` sets for a mark's character, or for the ground beside it.
fn painted(sheet: &Sheet, command: impl Fn(&Mark, Option<char>) -> Option<String>) -> String {
    let line = |(number, line): (usize, &str)| {
        let marks = || sheet.marks.iter().filter(|mark| mark.line == number);
        let mut chars = line.chars().collect::<Vec<_>>();
        let end = marks().map(|mark| mark.ground_end).max().unwrap_or(0);
        chars.resize(chars.len().max(end), ' ');
        let mut text = String::new();
        for (at, c) in chars.into_iter().enumerate() {
            let command = marks()
                .find(|mark| (mark.start..mark.ground_end).contains(&at))
                .and_then(|mark| command(mark, (at < mark.end).then_some(c)));
            match command {
                Some(command) => text += &format!("{command}{c}{PLAIN}"),
                None => text.push(c),
            }
        }
        text.truncate(text.trim_end_matches(' ').len());
        text
    };
    sheet.text.lines().enumerate().map(line).collect::<Vec<_>>().join("\n")
}

/// In eight colours a piece has its player's, and the last move is reversed.
fn eight(mark: &Mark, c: Option<char>) -> Option<String> {
    let colour = mark.player().map(|player| format!(";{}", COLOURS[player.index() % COLOURS.len()]));
    let reversed = if mark.is_last { ";7" } else { "" };
    let is_marked = mark.is_last || colour.is_some();
    c.filter(|_| is_marked).map(|_| format!("\x1b[1{}{reversed}m", colour.unwrap_or_default()))
}

/// In more colours a piece fills its character, and the ground shows beside it; the last move is underlined and has its ground.
fn many(palette: Palette, mark: &Mark, c: Option<char>) -> Option<String> {
    let ground = if mark.is_last { Some(Paint::Last) } else { mark.ground };
    let ground = ground.map(|paint| palette.over(Some(palette.rgb(Paint::Board)), paint));
    let on = |colour: Rgb| readable(colour, colour);
    let underlined = if mark.is_last { "\x1b[4m" } else { "" };
    match (c, mark.piece.map(|paint| palette.rgb(paint))) {
        (Some(_), Some(piece)) => {
            Some(palette.command(Some(on(piece)), Some(piece)) + "\x1b[1m" + underlined)
        }
        (Some('.'), None) => {
            ground.map(|ground| palette.command(Some(palette.rgb(Paint::Grid)), Some(ground)))
        }
        _ => ground.map(|ground| palette.command(Some(on(ground)), Some(ground))),
    }
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

    /// A piece of the last move, on a board.
    fn sheet() -> Sheet {
        let piece = Some(Paint::Player(Player::SECOND));
        let (start, end, ground_end) = (2, 3, 4);
        let mark = Mark { line: 1, start, end, ground_end, piece, ground: Some(Paint::Felt), is_last: true };
        let empty = Mark { line: 2, piece: None, is_last: false, ..mark };
        Sheet { text: "  a\n1 x\n2 .\nto move".to_owned(), marks: vec![mark, empty], board: 3 }
    }

    fn palette() -> Palette {
        Palette::new(|name| if name == "COLORTERM" { "truecolor".to_owned() } else { String::new() }).unwrap()
    }

    #[test]
    fn marks_are_painted() {
        assert_eq!(painted(&sheet(), eight), "  a\n1 \x1b[1;35;7mx\x1b[0m\n2 .\nto move");
        let painted = coloured(&sheet(), None, palette(), [80, 24]);
        let paint = |paint: Paint| Some(palette().rgb(paint));
        let [last, felt] =
            [Paint::Last, Paint::Felt].map(|ground| palette().command(paint(Paint::Grid), paint(ground)));
        assert!(painted.contains(&format!("{felt}.{PLAIN}")) && !painted.contains(&last), "{painted:?}");
        let piece = palette().command(Some([0.0; 3]), paint(Paint::Player(Player::SECOND)));
        assert!(painted.contains(&format!("1 {piece}\x1b[1m\x1b[4mx{PLAIN}")), "{painted:?}");
        // Without its commands the text is as it was.
        let plain = without_commands(painted.as_bytes());
        let lines = String::from_utf8_lossy(&plain)
            .lines()
            .map(|line| line.trim_end().to_owned())
            .collect::<Vec<_>>();
        assert_eq!(lines.join("\n"), sheet().text);
    }

    #[test]
    fn only_a_terminal_with_colours_gets_them() {
        let drawing = Drawing::new(10.0, 2.0);
        let shown = |size, colours| shown_in("plain".to_owned(), &sheet(), Some(&drawing), size, colours);
        let size = Some([80, 24]);
        for colours in [None, Some(None), Some(Some(palette()))] {
            assert_eq!(shown(None, colours), "plain");
        }
        assert_eq!(shown(size, None), sheet().text);
        assert_eq!(shown(size, Some(None)), painted(&sheet(), eight));
        assert_eq!(
            shown(size, Some(Some(palette()))),
            coloured(&sheet(), Some(&drawing), palette(), [80, 24])
        );
    }

    #[test]
    fn a_picture_stands_for_the_board_alone() {
        let mut drawing = Drawing::new(10.0, 2.0);
        drawing.fill_run(0, 0, 9, Paint::Sky);
        let shown = |drawing: &Drawing, size| coloured(&sheet(), Some(drawing), palette(), size);
        let picture = shown(&drawing, [80, 24]);
        assert!(picture.ends_with("\nto move") && !picture.contains("2 "), "{picture:?}");
        // A board of cells, and a picture without room, are text.
        let board = Drawing { board: Some([10.0, 2.0]), ..drawing.clone() };
        for text in [shown(&board, [80, 24]), shown(&drawing, [30, 24]), shown(&drawing, [80, 6])] {
            assert_eq!(text, coloured(&sheet(), None, palette(), [80, 24]));
        }
    }
}
