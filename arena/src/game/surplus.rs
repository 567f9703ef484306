//! Lines that a bot has written too many.

use std::collections::VecDeque;
use std::time::Duration;

use crate::bot::{Bot, Reply};
use crate::game::fault::Turn;

/// The lines of one bot beyond its answers, which the platform's runner keeps for the next turns.
#[derive(Debug, Default)]
pub struct Surplus {
    lines: VecDeque<Vec<u8>>,
    first: Option<Vec<u8>>,
}

impl Surplus {
    /// Asks a bot for the answer of a turn. If the turn is read as the platform's runner does, a line that came earlier
    /// is the answer, in no time.
    pub fn ask(&mut self, bot: &mut dyn Bot, text: &str, turn: Turn) -> Reply {
        let early = |bytes| Reply::Answer { after: Duration::ZERO, bytes, extra: None };
        if let Some(line) = self.lines.pop_front() {
            bot.tell(text);
            return early(line);
        }
        match bot.ask(text, turn.lines, turn.limit) {
            Reply::Unasked { bytes } if turn.keeps_surplus => {
                self.first.get_or_insert_with(|| bytes.clone());
                early(bytes)
            }
            reply => reply,
        }
    }

    /// Keeps the line after an answer for the next turn, if the turn is read so.
    pub fn keep(&mut self, reply: &mut Reply, turn: Turn) {
        if let Reply::Answer { extra, .. } = reply {
            if let Some(line) = extra.take_if(|_| turn.keeps_surplus) {
                self.first.get_or_insert_with(|| line.clone());
                self.lines.push_back(line);
            }
        }
    }

    /// The first line that was kept, if there was one.
    pub fn first(&self) -> Option<&[u8]> {
        self.first.as_deref()
    }
}
