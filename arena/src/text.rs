//! Formats a bot's output for display, whatever bytes it contains; notes for the user.

use std::io::Write;

/// Escapes text for XML.
pub fn xml(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.chars().filter(|c| !c.is_control()).collect()
}

/// Maximum number of an answer's bytes in a message.
const SHOWN_BYTES: usize = 200;

/// Bytes in quotes, escaped; shortened, with their number, if there are many.
pub fn quoted(bytes: &[u8]) -> String {
    if bytes.len() <= SHOWN_BYTES {
        format!("\"{}\"", bytes.escape_ascii())
    } else {
        format!("\"{}…\" ({} bytes)", bytes[..SHOWN_BYTES].escape_ascii(), bytes.len())
    }
}

/// A line as text: unchanged if it is printable, otherwise with every other byte escaped.
pub fn printable(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.chars().any(|c| c.is_control() && c != '\t') => text.to_owned(),
        _ => bytes.escape_ascii().to_string(),
    }
}

/// Longest line of a message, and what is kept of the beginning and the end of a longer one, in characters.
const LINE: [usize; 3] = [600, 400, 150];

/// A message for a terminal: control characters are escaped, and of very long lines the beginning and the end are kept, as
/// parts of a file may be in it.
pub fn readable(message: &str) -> String {
    let lines = message.split('\n').map(|line| {
        let shown = |text: &str| {
            let escaped = |c: char| {
                if c.is_control() && c != '\t' {
                    c.escape_default().collect()
                } else {
                    c.to_string()
                }
            };
            text.chars().map(escaped).collect::<String>()
        };
        let [most, first, last] = LINE;
        let places = line.char_indices().map(|(at, _)| at).collect::<Vec<_>>();
        if places.len() <= most {
            return shown(line);
        }
        let (start, end) = (&line[..places[first]], &line[places[places.len() - last]..]);
        format!("{}… ({} bytes) …{}", shown(start), line.len(), shown(end))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Widest column of a table, in characters: a name can be as long as its file, and a format takes no width above 65,535.
const COLUMN: usize = 200;

/// The width of a table's column, in characters: that of its widest cell, but at most 200.
pub fn column_width<'a>(cells: impl IntoIterator<Item = &'a str>) -> usize {
    cells.into_iter().map(|cell| cell.chars().count()).max().unwrap_or(0).min(COLUMN)
}

/// The name under which this program was called, for commands that it prints: an arena of one's own has another.
pub fn program_name() -> String {
    let called = std::env::args_os().next().map(std::path::PathBuf::from);
    let name =
        called.as_ref().and_then(|path| path.file_stem()).map(|name| name.to_string_lossy().into_owned());
    name.filter(|name| !name.is_empty())
        .map_or_else(|| "arena".to_owned(), |name| shell_words::quote(&name).into_owned())
}

/// Prints a line for the user that isn't part of the result.
pub fn note(text: impl std::fmt::Display) {
    // Notes are dropped without a standard error.
    let _ = writeln!(std::io::stderr(), "note: {}", readable(&text.to_string()));
}

/// A duration in milliseconds, to the microsecond.
pub fn millis(duration: std::time::Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_is_as_wide_as_a_format_takes() {
        assert_eq!(column_width(["a", "äöü", ""]), 3);
        assert_eq!(column_width([]), 0);
        let long = "x".repeat(70_000);
        let width = column_width([long.as_str()]);
        assert_eq!(format!("{:<width$}", "x").len(), 200);
    }

    #[test]
    fn quotes_are_exact_and_short() {
        assert_eq!(quoted(b"a\0\xff\"\r"), r#""a\x00\xff\"\r""#);
        let long = quoted(&[b'x'; 9_000]);
        assert!(long.ends_with("…\" (9000 bytes)") && long.len() < 230, "{long}");
    }

    #[test]
    fn messages_have_no_control_characters_and_no_endless_lines() {
        let plain = "a.txt:1: é\t\u{2026}\nnext";
        assert_eq!(readable(plain), plain);
        assert_eq!(readable("\u{16}x\u{7f}\n\0"), "\\u{16}x\\u{7f}\n\\u{0}");
        let long = readable(&format!("{}end\n1", "ß".repeat(70_000)));
        assert!(
            long.len() < 2 * 600 && long.ends_with("end\n1") && long.contains("(140003 bytes)"),
            "{long}"
        );
    }

    #[test]
    fn printable_text_is_left_alone() {
        assert_eq!(printable("d3 MSG é\t!".as_bytes()), "d3 MSG é\t!");
        assert_eq!(printable(b"d3\x1b[2J"), r"d3\x1b[2J");
        assert_eq!(printable(b"\xfe"), r"\xfe");
    }
}
