//! Keeps the end of a bot's standard error, and the numbers found in all of it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::bot::data::{BotData, DataReader};
use crate::bot::PLAN;

use super::system::Source;

/// Maximum number of plans kept.
const MAX_PLANS: usize = 2048;

/// Maximum length of a plan; longer ones are cut.
const MAX_PLAN_BYTES: usize = 8 << 10;

/// Bytes per read.
const CHUNK_BYTES: usize = 16 << 10;

/// Maximum number of bytes kept of a turn, for its log: four times what the platform's runner reads.
const NEWS_BYTES: usize = 16 << 10;

/// Number of bytes kept: enough for a stack trace and the message before it.
const KEPT_BYTES: usize = 16 << 10;

#[derive(Debug, Default)]
pub(super) struct Tail {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The total number of bytes.
    count: u64,
    bytes: Vec<u8>,
    /// The beginning of what came since the last turn.
    news: Vec<u8>,
    /// The number of bytes since the last turn.
    news_count: usize,
    reader: DataReader,
    plans: PlanReader,
}

/// Collects the lines that are plans.
#[derive(Debug, Default)]
struct PlanReader {
    plans: Vec<String>,
    line: Vec<u8>,
}

impl PlanReader {
    fn add(&mut self, chunk: &[u8]) {
        for piece in chunk.split_inclusive(|&byte| byte == b'\n') {
            let line = piece.strip_suffix(b"\n");
            let text = line.unwrap_or(piece);
            // Only the beginning of other lines is kept.
            let is_plan = self.line.len() < PLAN.len() || self.line.starts_with(PLAN.as_bytes());
            let most = if is_plan { MAX_PLAN_BYTES } else { PLAN.len() };
            let room = most.saturating_sub(self.line.len());
            self.line.extend_from_slice(&text[..text.len().min(room)]);
            if line.is_some() {
                let plan = self.line.strip_prefix(PLAN.as_bytes());
                let plan = plan.filter(|rest| rest.first().is_none_or(u8::is_ascii_whitespace));
                if let Some(plan) = plan.filter(|_| self.plans.len() < MAX_PLANS) {
                    self.plans.push(String::from_utf8_lossy(plan).trim().to_owned());
                }
                self.line.clear();
            }
        }
    }
}

impl Tail {
    /// Runs in the draining thread, until the bot's standard error ends.
    pub(super) fn fill_from(&self, mut source: Source) {
        let mut chunk = vec![0; CHUNK_BYTES];
        while let Some(count) = source.read(&mut chunk) {
            self.add(&chunk[..count]);
        }
    }

    fn add(&self, chunk: &[u8]) {
        let State { count, bytes, news, news_count, reader, plans } = &mut *self.lock();
        *count += chunk.len() as u64;
        *news_count += chunk.len();
        news.extend_from_slice(&chunk[..chunk.len().min(NEWS_BYTES - news.len())]);
        reader.add(chunk);
        plans.add(chunk);
        bytes.extend_from_slice(chunk);
        let surplus = bytes.len().saturating_sub(KEPT_BYTES);
        bytes.drain(..surplus);
    }

    /// The total number of bytes.
    pub(super) fn count(&self) -> u64 {
        self.lock().count
    }

    /// The bytes since the last call, cut after 16 KiB; a line in the text marks the cut.
    pub(super) fn take_news(&self) -> Vec<u8> {
        let State { news, news_count, .. } = &mut *self.lock();
        let count = std::mem::take(news_count);
        let mut news = std::mem::take(news);
        if count > news.len() {
            news.extend_from_slice(format!("\n[{} bytes more]\n", count - news.len()).as_bytes());
        }
        news
    }

    /// The reported numbers.
    pub(super) fn data(&self) -> BotData {
        self.lock().reader.data()
    }

    /// The lines that are plans, in order.
    pub(super) fn plans(&self) -> Vec<String> {
        self.lock().plans.plans.clone()
    }

    /// The end of the text, from the beginning of a line if there is one.
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
    fn plans_are_kept_however_their_bytes_come() {
        let said =
            format!("depth 3\nplan 0,1 0,2\nno plan 1\nplan\r\nplanet\nplan {}\nplan half", "x".repeat(9000));
        for chunk in [1, 2, 7, 1 << 20] {
            let tail = Tail::default();
            said.as_bytes().chunks(chunk).for_each(|chunk| tail.add(chunk));
            let plans = tail.plans();
            assert_eq!((plans.len(), plans[0].as_str(), plans[1].as_str()), (3, "0,1 0,2", ""), "{chunk}");
            assert_eq!(plans[2].len(), MAX_PLAN_BYTES - PLAN.len() - 1);
        }
    }

    #[test]
    fn news_are_what_came_since_the_last_ones() {
        let tail = Tail::default();
        assert_eq!(tail.take_news(), b"");
        tail.add(b"a\n");
        tail.add(b"b\n");
        assert_eq!(tail.take_news(), b"a\nb\n");
        tail.add(&[b'x'; 40_000]);
        tail.add(b"y\n");
        let news = tail.take_news();
        assert!(news.ends_with(b"x\n[23618 bytes more]\n"), "{}", String::from_utf8_lossy(&news[16_380..]));
        tail.add(b"c\n");
        assert_eq!(tail.take_news(), b"c\n");
    }

    #[test]
    fn a_few_words_are_kept_whole() {
        let tail = Tail::default();
        tail.add(b"a\nb");
        assert_eq!(tail.text(), "a\nb");
    }
}
