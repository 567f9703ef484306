//! A scripted bot without a process, for tests of everything above the pipes.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;

use crate::bot::data::BotData;
use crate::bot::excess::Excess;
use crate::bot::exit::Exit;
use crate::bot::{Bot, Reply};

/// Gives the replies it was created with, one per turn; then its output is closed.
#[derive(Debug, Default)]
pub struct ScriptedBot {
    replies: VecDeque<Reply>,
    diary: Rc<RefCell<Diary>>,
    stderr: String,
    excess: Option<Excess>,
}

/// The history of a [`ScriptedBot`].
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Diary {
    /// The texts it was sent, with their limits.
    pub asked: Vec<(String, Duration)>,
    /// Whether [`Bot::dismiss`] was called.
    pub dismissed: bool,
    /// Whether it was stopped.
    pub stopped: bool,
}

impl ScriptedBot {
    /// A bot that gives these replies in order.
    pub fn new(replies: impl IntoIterator<Item = Reply>) -> Self {
        Self { replies: replies.into_iter().collect(), ..Self::default() }
    }

    /// A bot that answers these lines, each after a millisecond.
    pub fn lines<'a>(lines: impl IntoIterator<Item = &'a str>) -> Self {
        Self::new(lines.into_iter().map(|line| Reply::line(Duration::from_millis(1), line)))
    }

    /// Adds text on standard error.
    pub fn with_stderr(mut self, text: &str) -> Self {
        text.clone_into(&mut self.stderr);
        self
    }

    /// Exceeds a resource limit on the first turn.
    pub fn with_excess(mut self, excess: Excess) -> Self {
        self.excess = Some(excess);
        self
    }

    /// The bot's history, which stays readable after the bot has been moved.
    pub fn diary(&self) -> Rc<RefCell<Diary>> {
        Rc::clone(&self.diary)
    }
}

impl Bot for ScriptedBot {
    fn ask(&mut self, text: &str, _lines: usize, limit: Duration) -> Reply {
        self.diary.borrow_mut().asked.push((text.to_owned(), limit));
        let closed = Reply::Closed { after: Duration::ZERO, bytes: Vec::new(), exit: Exit::Code(0) };
        self.replies.pop_front().unwrap_or(closed)
    }

    fn dismiss(&mut self) {
        self.diary.borrow_mut().dismissed = true;
    }

    fn stop(&mut self, _grace: Duration) {
        self.diary.borrow_mut().stopped = true;
    }

    fn stderr_tail(&mut self) -> String {
        self.stderr.clone()
    }

    fn excess(&mut self) -> Option<Excess> {
        self.excess
    }

    fn data(&mut self) -> BotData {
        let mut data = BotData::default();
        self.stderr.lines().for_each(|line| data.read_line(line.as_bytes()));
        data
    }
}
