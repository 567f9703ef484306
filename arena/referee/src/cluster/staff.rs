//! A worker as the coordinator sees it: its signs of life, its part, its orders.

use std::time::{Duration, Instant};

use super::folder::{Orders, State, Status, WorkerFolder};
use super::work::Work;
use super::LOOK;
use crate::cluster::ClusterError;
use crate::record::part::Part;
use crate::text::note;

/// A worker without a sign of life for this long is gone, such as with a killed machine. One that comes back has cost some games
/// that were played twice; one that doesn't delays a verdict by this time.
pub(super) const LOST: Duration = Duration::from_secs(10);

/// Interval between two looks at what a worker says.
const BETWEEN_LOOKS: Duration = Duration::from_millis(200);

/// Longest time from a finished game to a new one: a look of the coordinator and one of the worker. The mean is half of it.
pub(super) const ROUND_TRIP: Duration = LOOK.saturating_mul(2);

/// The part of a game's time that this may be; with shorter games, a worker gets some in advance. Games in advance begin later
/// than those that others get meanwhile, and so delay a verdict: in a simulated test with 64 workers and games of 2 s, one in
/// advance leads to twice as many games behind the verdict.
const IDLE: f64 = 0.1;

/// Maximum number of games in advance.
const MOST_IN_ADVANCE: f64 = 2000.0;

/// A worker.
pub(super) struct Worker<W: Work> {
    name: String,
    folder: WorkerFolder,
    /// Results that this worker has left so far.
    pub part: Part<W::Done>,
    /// The number of results in its part.
    pub finished: u32,
    /// The number of them that count.
    pub counted: u32,
    status: Option<Status>,
    /// When it last gave a sign of life; `None` before the first, and when it is gone.
    alive: Option<Instant>,
    failure: Option<String>,
    orders: Orders<W::Task>,
    pace: Pace,
    next_look: Instant,
}

impl<W: Work> Worker<W> {
    /// A worker that hasn't given a sign of life, with empty orders. `said` is the status found in the folder: it may be an
    /// earlier worker's, so it is no sign of life.
    ///
    /// # Errors
    /// If the orders can't be written.
    pub(super) fn new(name: &str, folder: WorkerFolder, said: Option<Status>) -> Result<Self, ClusterError> {
        let orders = Orders::default();
        folder.write_orders(&orders)?;
        Ok(Self {
            name: name.to_owned(),
            part: Part::new(&folder.path().join(W::PART)),
            status: said,
            folder,
            finished: 0,
            counted: 0,
            alive: None,
            failure: None,
            orders,
            pace: Pace::new(),
            next_look: Instant::now(),
        })
    }

    /// The status that was read last.
    pub(super) fn status(&self) -> Option<&Status> {
        self.status.as_ref()
    }

    /// Name and machine, for messages.
    pub(super) fn title(&self) -> String {
        match &self.status {
            Some(status) => format!("worker {} on {}", self.name, status.machine),
            None => format!("worker {}", self.name),
        }
    }

    /// Whether it plays or waits for games.
    pub(super) fn is_present(&self) -> bool {
        self.alive.is_some()
    }

    /// Why it has failed, if it has and hasn't come back.
    pub(super) fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// Notes that the process has ended.
    pub(super) fn is_gone(&mut self) {
        self.alive = None;
    }

    /// It doesn't come back.
    pub(super) fn fail(&mut self, reason: String) {
        self.look_now();
        self.alive = None;
        if self.failure.is_none() {
            note(format_args!("{} has failed: {reason}", self.title()));
            self.failure = Some(reason);
        }
    }

    /// Reads what it says, from time to time.
    pub(super) fn look(&mut self) {
        if Instant::now() >= self.next_look {
            self.look_now();
        }
        if self.alive.is_some_and(|alive| alive.elapsed() > LOST) {
            self.alive = None;
        }
    }

    /// Reads what it says.
    pub(super) fn look_now(&mut self) {
        self.next_look = Instant::now() + BETWEEN_LOOKS;
        let Some(status) = self.folder.status() else { return };
        if self.status.as_ref() == Some(&status) {
            return;
        }
        match &status.state {
            State::Ready => {
                self.alive = Some(Instant::now());
                self.failure = None;
            }
            State::Ended => self.alive = None,
            State::Failed(reason) => {
                let reason = reason.clone();
                self.status = Some(status);
                self.alive = None;
                if self.failure.is_none() {
                    note(format_args!("{} has failed: {reason}", self.title()));
                    self.failure = Some(reason);
                }
                return;
            }
        }
        self.status = Some(status);
    }

    /// The folder through which coordinator and worker talk.
    pub(super) fn folder(&self) -> &WorkerFolder {
        &self.folder
    }

    /// The number of tasks that it does at a time.
    pub(super) fn jobs(&self) -> usize {
        self.status.as_ref().map_or(1, |status| status.jobs.max(1))
    }

    /// The number of games that it should have: those that it plays at a time, and with short games some in advance.
    pub(super) fn appetite(&mut self) -> usize {
        let jobs = self.jobs();
        jobs + self.pace.in_advance(self.finished, jobs)
    }

    /// Orders these tasks.
    ///
    /// # Errors
    /// If the orders can't be written.
    pub(super) fn order(&mut self, tasks: Vec<W::Task>) -> Result<(), ClusterError> {
        if self.orders.tasks == tasks {
            return Ok(());
        }
        self.orders.tasks = tasks;
        self.folder.write_orders(&self.orders)
    }

    /// Orders it to stop.
    ///
    /// # Errors
    /// If the orders can't be written.
    pub(super) fn stop(&mut self) -> Result<(), ClusterError> {
        self.orders = Orders { tasks: Vec::new(), stop: true };
        self.folder.write_orders(&self.orders)
    }
}

/// How many games a worker finishes.
#[derive(Debug)]
struct Pace {
    since: Instant,
    finished: u32,
    /// Games a second; 0 before the first.
    rate: f64,
}

impl Pace {
    fn new() -> Self {
        Self { since: Instant::now(), finished: 0, rate: 0.0 }
    }

    /// The number of games in advance, with `finished` games so far.
    fn in_advance(&mut self, finished: u32, jobs: usize) -> usize {
        let news = finished.saturating_sub(self.finished);
        if news > 0 {
            let seconds = self.since.elapsed().as_secs_f64().max(1e-3);
            *self = Self { since: Instant::now(), finished, rate: f64::from(news) / seconds };
        }
        in_advance(self.rate / jobs as f64, ROUND_TRIP.as_secs_f64()) * jobs
    }
}

/// Games in advance for one game at a time, if `rate` games end in a second and a new one takes `round_trip` seconds to come.
pub(super) fn in_advance(rate: f64, round_trip: f64) -> usize {
    let games = rate * round_trip;
    if games < IDLE {
        return 0;
    }
    // Twice, since a worker that runs out of games would seem to be as slow as the round trips.
    (2.0 * games).ceil().min(MOST_IN_ADVANCE) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_short_games_are_given_in_advance() {
        // A game of 10 s, of 0.5 s, of 10 ms.
        assert_eq!((in_advance(0.1, 0.1), in_advance(2.0, 0.1), in_advance(100.0, 0.1)), (0, 1, 20));
    }
}
