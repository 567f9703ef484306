//! Serves a bot to a remote client, with pondering and a cap on thinking time.

use std::error::Error;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use coppice::input::InputError;
use coppice::search::{JointReport, JointSearch, Strategy};
use coppice::{Budget, List, Player, Report, Search};

use super::searcher::{Found, Searcher};
use super::{SessionSettings, STACK_BYTES};
use crate::bot::Settings;
use crate::kind::Kind;
use crate::notation::{choosers, GameNotation, JointNotation, Move, Notation};
use crate::points::points_of;

/// Options of a served game.
#[derive(Debug, Clone)]
pub struct ServeSettings {
    /// Settings of the search.
    pub session: SessionSettings,
    /// Nodes to search per turn, instead of the clock.
    pub nodes: Option<u64>,
    /// Ponder: search the start, and the position after each of the bot's answers, in another thread, on the opponent's time.
    /// Answers then depend on how long the opponent takes.
    pub ponder: bool,
    /// Wall-clock time per answer.
    pub time: AnswerTime,
    /// The position in which games begin, where the client's lines don't tell it.
    pub position: Option<String>,
}

/// The wall-clock time of a served search's answers. With a budget of nodes it doesn't count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum AnswerTime {
    /// The protocol's time, but at most this.
    AtMost(Duration),
    /// This much, whatever the protocol allows.
    Exactly(Duration),
}

impl AnswerTime {
    /// The budget of an answer that begins now, given the protocol's.
    pub fn budget(self, allowed: Budget) -> Budget {
        let Some(deadline) = allowed.deadline() else { return allowed };
        let (Self::AtMost(time) | Self::Exactly(time)) = self;
        let end = allowed.now() + time;
        match self {
            Self::AtMost(_) if deadline <= end => allowed,
            _ => allowed.with_deadline(end),
        }
    }
}

impl ServeSettings {
    /// The settings of the bot's side of the protocol.
    pub fn bot(&self) -> Settings {
        let (nodes, seed, position) = (self.nodes, self.session.seed, self.position.clone());
        Settings { nodes, seed, reserve: None, numbers: (), tunables: false, position }
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

/// A search that is served to a remote client.
///
/// It is a [`Search`] of a [`Game`](coppice::Game) and a [`JointSearch`] of a [`Joint`](coppice::Joint). Only the first
/// ponders: where players move at the same time, the position that follows depends on what the others choose.
pub struct Served<G: Notation> {
    search: Slot<G>,
    pondering: Option<JoinHandle<()>>,
    stop: &'static AtomicBool,
    is_pondering_allowed: bool,
    time: AnswerTime,
}

impl<G: Notation> Served<G> {
    /// A search for games from a start, which it ponders until its first turn.
    pub(super) fn new(search: Box<dyn Searcher<G>>, settings: &ServeSettings, start: &G) -> Served<G> {
        let mut served = Served {
            search: Arc::new(Mutex::new(search)),
            pondering: None,
            stop: take_flag(),
            is_pondering_allowed: settings.ponder,
            time: settings.time,
        };
        if settings.ponder {
            served.ponder(start.clone());
        }
        served
    }

    /// Searches for the answer to a turn, and then ponders, where the position after it is known.
    fn answer(&mut self, game: &G, player: Player, budget: Budget) -> Found<Move<G>> {
        self.stop_pondering();
        let budget = self.time.budget(budget);
        let found = {
            let mut search = self.search.lock().unwrap_or_else(PoisonError::into_inner);
            search.think(game, player, budget)
        };
        let best = found.best.filter(|_| self.is_pondering_allowed);
        if let Some(next) = best.and_then(|best| G::Kind::after(game, player, best)) {
            self.ponder(next);
        }
        found
    }

    /// Stops pondering and waits for its thread.
    fn stop_pondering(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.pondering.take() {
            // If the thread panicked, continue with the state it left.
            let _ = thread.join();
        }
        self.stop.store(false, Ordering::Relaxed);
    }

    /// Searches a position until stopped.
    fn ponder(&mut self, game: G) {
        let Some(&mover) = choosers(&game).first() else { return };
        let (slot, stop, game) = (Arc::clone(&self.search), self.stop, Box::new(game));
        let think = move || {
            let mut search = slot.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = search.think(&game, mover, Budget::nodes(u64::MAX).unless(stop));
        };
        // Without a thread there is no pondering.
        self.pondering = Builder::new().stack_size(STACK_BYTES).spawn(think).ok();
    }
}

impl<G: GameNotation> Search<G> for Served<G> {
    fn search(&mut self, game: &G, budget: Budget) -> Report<G::Move> {
        let Found { best, score, nodes, depth, solved, restarted, .. } =
            self.answer(game, game.to_move(), budget);
        Report { best, score, nodes, depth, solved, restarted }
    }

    fn line(&self, _: &G, best: G::Move) -> List<G::Move, { coppice::search::LINE }> {
        let mut line = List::default();
        line.push(best);
        line
    }
}

impl<G: JointNotation> JointSearch<G> for Served<G> {
    fn search(&mut self, game: &G, player: Player, budget: Budget) -> JointReport<G> {
        let Found { best, score, nodes, depth, solved, strategy, .. } = self.answer(game, player, budget);
        let (moves, weights): (Vec<G::Move>, Vec<f64>) = strategy.into_iter().unzip();
        let strategy = Strategy::new(&moves, |i| weights[i]);
        JointReport { best, strategy, value: points_of::<G>(score), nodes, depth, exact: solved, kept: 0 }
    }
}

impl<G: Notation> Drop for Served<G> {
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
