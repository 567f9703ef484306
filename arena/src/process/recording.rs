//! The recording of a bot's three streams: for each line a mark, the time in microseconds, and the text.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use crate::text::printable;

/// Bytes of a recording; what comes after them isn't recorded.
const MOST_BYTES: u64 = 64 << 20;

/// Bytes of a line that are recorded.
const LINE_BYTES: usize = 64 << 10;

/// What a line belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stream {
    /// The bot's input.
    ToBot,
    /// Its output.
    FromBot,
    /// Its standard error.
    Error,
}

impl Stream {
    fn mark(self) -> char {
        match self {
            Self::ToBot => '>',
            Self::FromBot => '<',
            Self::Error => '!',
        }
    }

    fn of(mark: &str) -> Option<Self> {
        [Self::ToBot, Self::FromBot, Self::Error].into_iter().find(|stream| mark == stream.mark().to_string())
    }
}

/// A recording that is being written: each line as soon as it is complete, so that a killed program loses none.
#[derive(Debug)]
pub struct Recording {
    file: File,
    begun: Instant,
    begun_us: u64,
    bytes: u64,
    /// The line of each stream that isn't complete, with the time of its first byte.
    open: [(Vec<u8>, u64); 3],
}

impl Recording {
    /// Begins a recording with the time of its start.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn begin(path: &Path) -> io::Result<Self> {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let begun_us = u64::try_from(since.as_micros()).unwrap_or(u64::MAX);
        let mut file = File::create(path)?;
        writeln!(file, "= {begun_us}")?;
        Ok(Self { file, begun: Instant::now(), begun_us, bytes: 0, open: Default::default() })
    }

    /// Records bytes that are passed on now. A line to the bot has the time of its first byte, others that of their end.
    /// If the file can't be written, the game goes on without it.
    pub fn add(&mut self, stream: Stream, bytes: &[u8]) {
        if self.bytes > MOST_BYTES {
            return;
        }
        let now = self.begun_us + u64::try_from(self.begun.elapsed().as_micros()).unwrap_or(u64::MAX / 2);
        let mut text = String::new();
        let (open, since) = &mut self.open[stream as usize];
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            if open.is_empty() {
                *since = now;
            }
            let room = LINE_BYTES.saturating_sub(open.len());
            open.extend_from_slice(&part[..part.len().min(room)]);
            if part.ends_with(b"\n") {
                text += &shown(stream, open, if stream == Stream::ToBot { *since } else { now });
                open.clear();
            }
        }
        self.write(&text);
    }

    /// Records the lines that have no end.
    pub fn end(&mut self) {
        for stream in [Stream::Error, Stream::ToBot, Stream::FromBot] {
            let (open, since) = std::mem::take(&mut self.open[stream as usize]);
            if !open.is_empty() {
                self.write(&shown(stream, &open, since));
            }
        }
    }

    fn write(&mut self, text: &str) {
        self.bytes += text.len() as u64;
        // Without room on the disk the game goes on.
        let _ = self.file.write_all(text.as_bytes());
    }
}

/// A line of the file.
fn shown(stream: Stream, line: &[u8], us: u64) -> String {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    format!("{} {us} {}\n", stream.mark(), printable(line))
}

/// A recorded line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    /// Its stream.
    pub stream: Stream,
    /// Its time, in microseconds since 1970.
    pub us: u64,
    /// The line without its end; what isn't printable is escaped.
    pub text: String,
}

/// Reads a recording: the time of its start, and its lines. A last line that was cut off is left out.
pub fn read(bytes: &[u8]) -> Option<(u64, Vec<Recorded>)> {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
    let begun = lines.next()?.strip_prefix("= ")?.parse().ok()?;
    let recorded = lines.filter_map(|line| {
        let mut parts = line.splitn(3, ' ');
        let (stream, us) = (Stream::of(parts.next()?)?, parts.next()?.parse().ok()?);
        Some(Recorded { stream, us, text: parts.next()?.to_owned() })
    });
    Some((begun, recorded.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_recorded_when_they_are_complete() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        let mut recording = Recording::begin(&path).unwrap();
        let lines = || {
            let (begun, lines) = read(&std::fs::read(&path).unwrap()).unwrap();
            assert!(lines.iter().all(|line| line.us >= begun));
            lines.into_iter().map(|line| (line.stream, line.text)).collect::<Vec<_>>()
        };
        recording.add(Stream::ToBot, b"1 2\n\r\nha");
        recording.add(Stream::Error, b"a \xff\n");
        let line = |stream, text: &str| (stream, text.to_owned());
        let first = [line(Stream::ToBot, "1 2"), line(Stream::ToBot, ""), line(Stream::Error, "a \\xff")];
        assert_eq!(lines(), first);
        recording.add(Stream::FromBot, b"go\nno end");
        recording.add(Stream::ToBot, b"lf\n");
        recording.end();
        let rest =
            [line(Stream::FromBot, "go"), line(Stream::ToBot, "half"), line(Stream::FromBot, "no end")];
        assert_eq!(lines()[3..], rest);
        recording.add(Stream::FromBot, &[b'x'; 2 * LINE_BYTES]);
        recording.add(Stream::FromBot, b"y\n");
        assert_eq!(lines()[6].1.len(), LINE_BYTES);
    }

    #[test]
    fn what_is_cut_off_or_no_recording_is_left_out() {
        assert_eq!(
            read(b"= 5\n> 7 a b\n< 8 c"),
            Some((5, vec![Recorded { stream: Stream::ToBot, us: 7, text: "a b".to_owned() }]))
        );
        for text in ["", "= 5", "x\n> 7 a\n"] {
            assert_eq!(read(text.as_bytes()), None, "{text}");
        }
    }
}
