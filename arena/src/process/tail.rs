//! The end of what a bot writes to its standard error, and the numbers in all of it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::data::{BotData, DataReader};

use super::system::Source;

/// Bytes asked of the pipe at once.
const CHUNK_BYTES: usize = 16 << 10;

/// Bytes that are kept: enough for a stack trace and the reason in front of it.
const KEPT_BYTES: usize = 16 << 10;

#[derive(Debug, Default)]
pub(super) struct Tail {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// All there were.
    count: u64,
    bytes: Vec<u8>,
    reader: DataReader,
}

impl Tail {
    /// The draining thread: goes on until the bot's standard error ends.
    pub(super) fn fill_from(&self, mut source: Source) {
        let mut chunk = vec![0; CHUNK_BYTES];
        while let Some(count) = source.read(&mut chunk) {
            self.add(&chunk[..count]);
        }
    }

    fn add(&self, chunk: &[u8]) {
        let State { count, bytes, reader } = &mut *self.lock();
        *count += chunk.len() as u64;
        reader.add(chunk);
        bytes.extend_from_slice(chunk);
        let surplus = bytes.len().saturating_sub(KEPT_BYTES);
        bytes.drain(..surplus);
    }

    /// How many bytes there were.
    pub(super) fn count(&self) -> u64 {
        self.lock().count
    }

    /// The numbers among it.
    pub(super) fn data(&self) -> BotData {
        self.lock().reader.data()
    }

    /// What is kept, from the beginning of a line if there is one.
    pub(super) fn text(&self) -> String {
        let bytes = &self.lock().bytes;
        let whole_lines = match bytes.iter().position(|&b| b == b'\n') {
            Some(end) if bytes.len() == KEPT_BYTES && end + 1 < bytes.len() => &bytes[end + 1..],
            _ => &bytes[..],
        };
        String::from_utf8_lossy(whole_lines).into_owned()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_last_lines_of_a_flood() {
        let tail = Tail::default();
        for i in 0..10_000 {
            tail.add(format!("line {i}\n").as_bytes());
        }
        let text = tail.text();
        assert!(text.len() <= KEPT_BYTES && text.len() > KEPT_BYTES - 20, "{}", text.len());
        assert!(text.starts_with("line ") && text.ends_with("line 9999\n"), "{text}");
    }

    #[test]
    fn a_few_words_are_kept_whole() {
        let tail = Tail::default();
        tail.add(b"a\nb");
        assert_eq!(tail.text(), "a\nb");
    }
}
