//! The queue of a bot's output lines that are not yet consumed, each with the time at which it was read.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::bot::{Reply, MAX_ANSWER_BYTES};

use super::system::Source;

/// Bytes per read.
const CHUNK_BYTES: usize = 16 << 10;

/// Unread bytes at which reading stops: a bot that writes more isn't answering.
const MAX_UNREAD_BYTES: usize = 64 << 10;

#[derive(Debug, Default)]
pub(super) struct Inbox {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    lines: VecDeque<Line>,
    line_bytes: usize,
    /// The beginning of the next line.
    partial: Vec<u8>,
    end: Option<(Instant, End)>,
}

#[derive(Debug)]
struct Line {
    at: Instant,
    bytes: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Closed,
    Flooded,
}

/// The result of a wait.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Delivery {
    Reply(Reply),
    /// The bot's output ended; the end of the process isn't known here.
    Closed {
        after: Duration,
        bytes: Vec<u8>,
    },
}

impl Inbox {
    /// Runs in the reading thread: takes the time of each line until the output ends.
    pub(super) fn fill_from(&self, mut source: Source) {
        let mut chunk = vec![0; CHUNK_BYTES];
        while let Some(count) = source.read(&mut chunk) {
            let at = Instant::now();
            let mut state = self.lock();
            let had_lines = state.lines.len();
            let goes_on = state.add(&chunk[..count], at);
            if state.lines.len() > had_lines || !goes_on {
                self.changed.notify_one();
            }
            if !goes_on {
                return;
            }
        }
        self.lock().end = Some((Instant::now(), End::Closed));
        self.changed.notify_one();
    }

    /// Whether nothing more is read: the output was closed, or is a flood.
    pub(super) fn has_ended(&self) -> bool {
        self.lock().end.is_some()
    }

    /// Waits for `lines` lines or the end of the output; `None` at `deadline`.
    pub(super) fn wait(&self, start: Instant, lines: usize, deadline: Instant) -> Option<Delivery> {
        let mut state = self.lock();
        loop {
            let delivery = state.delivery(start, lines);
            let left = deadline.saturating_duration_since(Instant::now());
            if delivery.is_some() || left.is_zero() {
                return delivery;
            }
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Takes all bytes received.
    pub(super) fn unread(&self) -> Vec<u8> {
        self.lock().take_all()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Adds bytes; `false` if no more should be read.
    fn add(&mut self, chunk: &[u8], at: Instant) -> bool {
        for piece in chunk.split_inclusive(|&byte| byte == b'\n') {
            self.partial.extend_from_slice(piece);
            let is_whole = self.partial.ends_with(b"\n");
            if is_whole {
                let mut bytes = std::mem::take(&mut self.partial);
                bytes.pop();
                if bytes.ends_with(b"\r") {
                    bytes.pop();
                }
                self.line_bytes += bytes.len() + 1;
                self.lines.push_back(Line { at, bytes });
            }
            // A carriage return may be the first half of a line end.
            if self.partial.len() > MAX_ANSWER_BYTES + 1 || self.line_bytes > MAX_UNREAD_BYTES {
                self.end = Some((at, End::Flooded));
                return false;
            }
        }
        true
    }

    fn take(&mut self, count: usize) -> Vec<Line> {
        let taken = self.lines.drain(..count.min(self.lines.len())).collect::<Vec<_>>();
        self.line_bytes -= taken.iter().map(|line| line.bytes.len() + 1).sum::<usize>();
        taken
    }

    fn take_all(&mut self) -> Vec<u8> {
        let mut pieces = self.take(usize::MAX).into_iter().map(|line| line.bytes).collect::<Vec<_>>();
        pieces.push(std::mem::take(&mut self.partial));
        pieces.join(&b'\n')
    }

    fn delivery(&mut self, start: Instant, lines: usize) -> Option<Delivery> {
        if self.lines.front().is_some_and(|line| line.at < start) {
            let bytes = self.take(1).pop()?.bytes;
            return Some(Delivery::Reply(Reply::Unasked { bytes }));
        }
        if self.lines.len() >= lines {
            let taken = self.take(lines);
            let after = taken.last().map_or(Duration::ZERO, |line| line.at.saturating_duration_since(start));
            let bytes = taken.into_iter().map(|line| line.bytes).collect::<Vec<_>>().join(&b'\n');
            return Some(Delivery::Reply(if bytes.len() > MAX_ANSWER_BYTES {
                Reply::TooLong { after, bytes }
            } else {
                let extra = self.take(1).pop().map(|line| line.bytes);
                Reply::Answer { after, bytes, extra }
            }));
        }
        let (at, end) = self.end?;
        let after = at.saturating_duration_since(start);
        let bytes = self.take_all();
        Some(match end {
            End::Closed => Delivery::Closed { after, bytes },
            End::Flooded => Delivery::Reply(Reply::TooLong { after, bytes }),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn state(chunks: &[&[u8]]) -> (State, Instant) {
        let start = Instant::now();
        let mut state = State::default();
        for (i, chunk) in (1..).zip(chunks) {
            assert!(state.add(chunk, start + i * MS));
        }
        (state, start)
    }

    fn answer(after: Duration, text: &str, extra: Option<&str>) -> Option<Delivery> {
        let extra = extra.map(|e| e.as_bytes().to_vec());
        Some(Delivery::Reply(Reply::Answer { after, bytes: text.into(), extra }))
    }

    #[test]
    fn a_line_is_as_late_as_its_last_byte() {
        let (mut state, start) = state(&[b"d", b"3", b"\r", b"\n"]);
        assert_eq!(state.delivery(start, 1), answer(4 * MS, "d3", None));
        assert_eq!(state.delivery(start, 1), None);
    }

    #[test]
    fn lines_are_counted() {
        let (mut state, start) = state(&[b"a\nb\n", b"c\n"]);
        assert_eq!(state.delivery(start, 4), None);
        assert_eq!(state.delivery(start, 2), answer(MS, "a\nb", Some("c")));
        assert_eq!(state.line_bytes, 0);
    }

    #[test]
    fn a_line_older_than_the_turn_was_not_asked_for() {
        let (mut state, start) = state(&[b"hello\n"]);
        let unasked = Delivery::Reply(Reply::Unasked { bytes: b"hello".to_vec() });
        assert_eq!(state.delivery(start + 2 * MS, 1), Some(unasked));
    }

    #[test]
    fn ten_thousand_bytes_are_an_answer_and_one_more_is_not() {
        let (mut fits, start) = state(&[&[b'x'; 10_000], b"\r\n"]);
        assert!(matches!(fits.delivery(start, 1), Some(Delivery::Reply(Reply::Answer { .. }))));
        let (mut long, start) = state(&[&[b'x'; 10_001], b"\n"]);
        assert!(matches!(long.delivery(start, 1), Some(Delivery::Reply(Reply::TooLong { .. }))));
    }

    #[test]
    fn floods_are_bounded_with_and_without_line_ends() {
        for chunk in [[b'x'; 1_000], [b'\n'; 1_000]] {
            let mut state = State::default();
            let taken = (0..1_000).take_while(|_| state.add(&chunk, Instant::now())).count();
            assert!(taken < 100, "{taken}");
            assert!(state.partial.len() + state.lines.len() < 70_000);
        }
    }

    #[test]
    fn what_came_before_the_end_is_handed_over() {
        let (mut state, start) = state(&[b"a\nb"]);
        state.end = Some((start + 3 * MS, End::Closed));
        assert_eq!(
            state.delivery(start, 2),
            Some(Delivery::Closed { after: 3 * MS, bytes: b"a\nb".to_vec() })
        );
    }
}
