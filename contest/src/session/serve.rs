//! Serves a bot to a remote client, with pondering and a cap on thinking time.

use std::error::Error;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use coppice::input::InputError;
use coppice::{Budget, List, Report, Search};

use super::{find, Offer, Searcher, SessionSettings, STACK_BYTES};
use crate::bot::Settings;
use crate::notation::Notation;

/// Options of a served game.
#[derive(Debug, Clone)]
pub struct ServeSettings {
    /// Settings of the search.
    pub session: SessionSettings,
    /// Nodes to search per turn, instead of the clock.
    pub nodes: Option<u64>,
    /// Ponder: search the position after the bot's answer in another thread, on the opponent's time. Answers
    /// then depend on how long the opponent takes.
    pub ponder: bool,
    /// Wall-clock time per answer.
    pub time: AnswerTime,
}

/// The wall-clock time of a served search's answers. With a budget of nodes it doesn't count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerTime {
    /// What the protocol allows, but no more than this.
    AtMost(Duration),
    /// This much, whatever the protocol allows.
    Exactly(Duration),
}

impl AnswerTime {
    /// The budget of an answer that begins now, given the protocol's.
    pub fn budget(self, allowed: Budget) -> Budget {
        let Some(deadline) = allowed.deadline() else { return allowed };
        let (Self::AtMost(time) | Self::Exactly(time)) = self;
        let end = Instant::now() + time;
        match self {
            Self::AtMost(_) if deadline <= end => allowed,
            _ => Budget::until(end).and_nodes(allowed.max_nodes()),
        }
    }
}

impl ServeSettings {
    /// The settings of the bot's side of the protocol.
    pub fn bot(&self) -> Settings {
        Settings { nodes: self.nodes, seed: self.session.seed, reserve: None, numbers: (), tunables: false }
    }

    /// The search called `name`, to be served.
    ///
    /// # Errors
    /// If there is no such search, or a parameter is unknown or invalid.
    pub(crate) fn search<G: Notation>(
        &self,
        offers: &[Offer<G>],
        start: &G,
        name: &str,
    ) -> Result<ServedSearch<G>, InputError> {
        let search = find(offers, start, name, &self.session).map_err(refused)?;
        Ok(ServedSearch {
            search: Arc::new(Mutex::new(search)),
            pondering: None,
            stop: take_flag(),
            is_pondering_allowed: self.ponder,
            time: self.time,
        })
    }
}

/// The error for a game that can't start.
pub fn refused(reason: impl Into<Box<dyn Error + Send + Sync>>) -> InputError {
    InputError::Io(io::Error::other(reason))
}

/// The error for a search that no player of the contest's protocol is written for.
pub fn no_player(search: &str) -> InputError {
    refused(format!("no player by its protocol for the search {search}: it can't meet programs"))
}

/// The search, shared by this thread and the pondering one, which never use it at the same time.
type Slot<G> = Arc<Mutex<Box<dyn Searcher<G>>>>;

/// A served search.
pub struct ServedSearch<G: Notation> {
    search: Slot<G>,
    pondering: Option<JoinHandle<()>>,
    stop: &'static AtomicBool,
    is_pondering_allowed: bool,
    time: AnswerTime,
}

impl<G: Notation> ServedSearch<G> {
    /// Stops pondering and waits for its thread.
    fn stop_pondering(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.pondering.take() {
            // If the thread panicked, continue with the state it left.
            let _ = thread.join();
        }
        self.stop.store(false, Ordering::Relaxed);
    }

    /// Searches a position with the opponent to move until stopped.
    fn ponder(&mut self, game: G) {
        let (slot, stop, game) = (Arc::clone(&self.search), self.stop, Box::new(game));
        let think = move || {
            let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = slot.search().search(&game, Budget::nodes(u64::MAX).unless(stop));
        };
        // Without a thread there is no pondering.
        self.pondering = Builder::new().stack_size(STACK_BYTES).spawn(think).ok();
    }
}

impl<G: Notation> Search<G> for ServedSearch<G> {
    fn search(&mut self, game: &G, budget: Budget) -> Report<G::Move> {
        self.stop_pondering();
        let budget = self.time.budget(budget);
        let report = {
            let mut slot = self.search.lock().unwrap_or_else(PoisonError::into_inner);
            slot.search().search(game, budget)
        };
        if let Some(best) = report.best.filter(|_| self.is_pondering_allowed) {
            let next = game.after(best);
            if !next.is_over() {
                self.ponder(next);
            }
        }
        report
    }

    fn line(&self, _: &G, best: G::Move) -> List<G::Move, { coppice::search::LINE }> {
        let mut line = List::default();
        line.push(best);
        line
    }
}

impl<G: Notation> Drop for ServedSearch<G> {
    fn drop(&mut self) {
        self.stop_pondering();
        give_flag(self.stop);
    }
}

/// Unused stop flags. Flags live as long as the program, so they are reused.
static FLAGS: Mutex<Vec<&'static AtomicBool>> = Mutex::new(Vec::new());

fn take_flag() -> &'static AtomicBool {
    let free = FLAGS.lock().unwrap_or_else(PoisonError::into_inner).pop();
    free.unwrap_or_else(|| Box::leak(Box::new(AtomicBool::new(false))))
}

fn give_flag(flag: &'static AtomicBool) {
    FLAGS.lock().unwrap_or_else(PoisonError::into_inner).push(flag);
}
