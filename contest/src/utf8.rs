//! Reads text from outside, without the byte order mark that programs of Windows write at its beginning.

use std::fs;
use std::io::{self, BufRead, Cursor, Read};
use std::path::Path;

/// The byte order mark in UTF-8.
const MARK: [u8; 3] = [0xef, 0xbb, 0xbf];

/// The bytes of a text without a byte order mark at its beginning.
pub fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(&MARK).unwrap_or(text)
}

/// Reads a file without its byte order mark.
///
/// # Errors
/// If the file can't be read.
pub fn read(path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    let mut bytes = fs::read(path)?;
    if bytes.starts_with(&MARK) {
        bytes.drain(..MARK.len());
    }
    Ok(bytes)
}

/// Reads a file of text without its byte order mark.
///
/// # Errors
/// If the file can't be read, or isn't UTF-8.
pub fn read_to_string(path: impl AsRef<Path>) -> io::Result<String> {
    String::from_utf8(read(path)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not text in UTF-8"))
}

/// Skips the byte order mark of a text that is read bit by bit.
///
/// # Errors
/// As for the reader.
pub fn skip_mark(mut reader: impl BufRead) -> io::Result<impl BufRead> {
    let mut first = Vec::new();
    reader.by_ref().take(MARK.len() as u64).read_to_end(&mut first)?;
    let start = if first == MARK { MARK.len() } else { 0 };
    let mut first = Cursor::new(first);
    first.set_position(start as u64);
    Ok(first.chain(reader))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives a byte at a time, as a slow pipe does.
    struct Slow<'a>(&'a [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.0.read(&mut buffer[..1])
        }
    }

    #[test]
    fn a_mark_is_skipped_at_the_beginning_only() {
        for (text, rest) in [
            ("\u{feff}a\n", "a\n"),
            ("a\u{feff}", "a\u{feff}"),
            ("\u{feff}\u{feff}a", "\u{feff}a"),
            ("", ""),
            ("a", "a"),
            ("\u{feff}", ""),
        ] {
            assert_eq!(without_mark(text.as_bytes()), rest.as_bytes());
            let mut read = String::new();
            skip_mark(io::BufReader::new(Slow(text.as_bytes()))).unwrap().read_to_string(&mut read).unwrap();
            assert_eq!(read, rest);
        }
        assert_eq!(without_mark(b"\xef\xbb"), b"\xef\xbb");
    }
}
