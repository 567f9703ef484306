//! Formats a bot's output for display, whatever bytes it contains; notes for the user.

mod palette;
mod picture;
pub mod terminal;
pub mod words;

use std::io::Write;

use terminal::Wrapping;

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

/// A line as text that has all that was in its bytes: control characters and bytes that aren't UTF-8 are escaped.
pub fn escaped(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\t' => text.push(c),
                c if c.is_control() => {
                    text.extend(c.encode_utf8(&mut [0; 4]).as_bytes().escape_ascii().map(char::from));
                }
                c => text.push(c),
            }
        }
        text.extend(chunk.invalid().escape_ascii().map(char::from));
    }
    text
}

/// A line for people: as [`escaped`], without colours and other commands to a terminal, and with characters escaped that
/// turn the direction of what follows.
pub fn printable(bytes: &[u8]) -> String {
    let text = escaped(&without_commands(bytes));
    match text.contains(turns_direction) {
        true => text
            .chars()
            .map(|c| if turns_direction(c) { c.escape_unicode().to_string() } else { c.into() })
            .collect(),
        false => text,
    }
}

/// Whether a character changes the direction of writing for what follows it, whatever that is: Unicode's embeddings,
/// overrides, isolates and marks (UAX #9, section 2).
pub fn turns_direction(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}')
}

/// The text without commands to a terminal (ECMA-48): those that begin with ESC, such as colours. An ESC that begins none
/// stays.
pub fn without_commands(text: &[u8]) -> std::borrow::Cow<'_, [u8]> {
    const ESC: u8 = 0x1b;
    if !text.contains(&ESC) {
        return text.into();
    }
    let mut kept = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.iter().position(|&byte| byte == ESC) {
        kept.extend_from_slice(&rest[..at]);
        let length = command_length(&rest[at..]);
        if length == 0 {
            kept.push(ESC);
        }
        rest = &rest[at + length.max(1)..];
    }
    kept.extend_from_slice(rest);
    kept.into()
}

/// The number of bytes of a command that begins with ESC; 0 if no command begins there.
fn command_length(text: &[u8]) -> usize {
    let after = |from: usize, is_part: fn(u8) -> bool| {
        from + text[from..].iter().take_while(|&&byte| is_part(byte)).count()
    };
    match text.get(1) {
        // Control sequence: parameters, intermediates, and a final byte.
        Some(b'[') => {
            let end = after(after(2, |byte| matches!(byte, 0x30..=0x3f)), |byte| matches!(byte, 0x20..=0x2f));
            text.get(end).filter(|byte| matches!(byte, 0x40..=0x7e)).map_or(0, |_| end + 1)
        }
        // A text for the terminal, such as its title: until BEL or ESC \.
        Some(b']' | b'P' | b'X' | b'^' | b'_') => {
            match text[2..].iter().position(|&byte| matches!(byte, 0x07 | 0x1b)) {
                Some(at) if text[2 + at] == 0x07 => at + 3,
                Some(at) if text.get(3 + at) == Some(&b'\\') => at + 4,
                _ => 0,
            }
        }
        // Intermediates and a final byte, such as the choice of a character set.
        Some(0x20..=0x2f) => {
            let end = after(1, |byte| matches!(byte, 0x20..=0x2f));
            text.get(end).filter(|byte| matches!(byte, 0x30..=0x7e)).map_or(0, |_| end + 1)
        }
        Some(0x30..=0x7e) => 2,
        _ => 0,
    }
}

/// Longest line of a message, and what is kept of the beginning and the end of a longer one, in characters.
const LINE: [usize; 3] = [600, 400, 150];

/// A message for a terminal: control characters and those that turn the direction are escaped, and of very long lines the beginning and the end are kept, as
/// parts of a file may be in it.
pub fn readable(message: &str) -> String {
    let lines = message.split('\n').map(|line| {
        let shown = |text: &str| {
            let escaped = |c: char| {
                if c.is_control() && c != '\t' || turns_direction(c) {
                    c.escape_unicode().collect()
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

/// A line of comma-separated values (RFC 4180, but with a line feed at its end).
pub fn csv(cells: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let cell = |cell: &str| match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_owned(),
    };
    let cells = cells.into_iter().map(|text| cell(text.as_ref())).collect::<Vec<_>>();
    cells.join(",") + "\n"
}

/// The name under which this program was called, for commands that it prints: an arena of one's own has another.
pub fn program_name() -> String {
    let called = std::env::args_os().next().map(std::path::PathBuf::from);
    let name =
        called.as_ref().and_then(|path| path.file_stem()).map(|name| name.to_string_lossy().into_owned());
    name.filter(|name| !name.is_empty())
        .map_or_else(|| "arena".to_owned(), |name| words::quote(&name).into_owned())
}

/// Prints a line for the user that isn't part of the result.
pub fn note(text: impl std::fmt::Display) {
    // Notes are dropped without a standard error.
    let _ = writeln!(Wrapping::new(std::io::stderr()), "note: {}", readable(&text.to_string()));
}

/// The known word that a misspelt one probably means: at most a third of its characters are wrong.
pub fn nearest<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let distance = |other: &&str| strsim::damerau_levenshtein(&word.to_lowercase(), &other.to_lowercase());
    let near = known.into_iter().min_by_key(distance)?;
    (3 * distance(&near) <= near.chars().count().max(3)).then_some(near)
}

/// A duration in milliseconds, to the microsecond.
pub fn millis(duration: std::time::Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_csv_hold_any_text() {
        assert_eq!(csv(["a b", "", "-1.5"]), "a b,,-1.5\n");
        assert_eq!(csv(["a,b", "say \"x\"", "two\nlines"]), "\"a,b\",\"say \"\"x\"\"\",\"two\nlines\"\n");
    }

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
        assert_eq!(printable(b"\xfe"), r"\xfe");
        assert_eq!(printable("é\u{7}\u{85}ü\r".as_bytes()), r"é\x07\xc2\x85ü\r");
        assert_eq!(printable(b"a\xc3\xa9\xff b"), r"aé\xff b");
    }

    #[test]
    fn colours_are_left_out_and_their_text_is_kept() {
        for (text, shown) in [
            ("\u{1b}[31mgrün\u{1b}[0m → 5", "grün → 5"),
            ("\u{1b}[38;2;1;2;3mx\u{1b}[K", "x"),
            ("\u{1b}]0;title\u{7}x\u{1b}]8;;a\u{1b}\\y", "xy"),
            ("\u{1b}(Bx\u{1b}7\u{1b}=", "x"),
            ("d3\u{1b}[2J", "d3"),
        ] {
            assert_eq!(printable(text.as_bytes()), shown, "{text:?}");
        }
        // Text that is cut off, or not a command, stays.
        for text in ["x\u{1b}", "x\u{1b}[31", "\u{1b}\u{1b}é", "\u{1b}[é"] {
            assert_eq!(printable(text.as_bytes()), escaped(text.as_bytes()), "{text:?}");
            assert!(printable(text.as_bytes()).contains(r"\x1b"), "{text:?}");
        }
        assert_eq!(escaped("\u{1b}[31mgrün".as_bytes()), r"\x1b[31mgrün");
    }

    #[test]
    fn what_turns_the_direction_is_escaped() {
        assert_eq!(printable("a\u{202e}b\u{2066}ש".as_bytes()), r"a\u{202e}b\u{2066}ש");
        assert_eq!(readable("a\u{202e}b\u{200f}"), r"a\u{202e}b\u{200f}");
        assert_eq!(escaped("a\u{202e}b".as_bytes()), "a\u{202e}b", "an answer is kept as it is");
    }
}
