//! A worker: does the tasks that the coordinator orders, and adds their results to its own part.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::folder::{ClusterFolder, Orders, State, Status, WorkerFolder};
use super::work::Work;
use super::{now_ms, BEAT, LOOK};
use crate::cluster::ClusterError;
use crate::failure::FailureKind;
use crate::game::GameError;
use crate::process;
use crate::process::noise::Noise;
use crate::record::games::{GamesError, ResultsFile};
use crate::series::entrant::own_hash;
use crate::series::runner;

/// How long a worker waits for a coordinator that hasn't begun, and for its part while another process still holds it.
const START: Duration = Duration::from_secs(60);

/// A worker ends if its coordinator gives no sign of life for this time, which is enough to start a killed one again.
const SILENCE: Duration = Duration::from_secs(600);

/// Interval between two looks at something that may take long.
const PAUSE: Duration = Duration::from_millis(200);

/// The name of a worker: its folder's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name(String);

/// A text that is no [`Name`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a worker's name has 1 to 100 letters, digits, - or _")]
pub struct InvalidName;

impl FromStr for Name {
    type Err = InvalidName;

    fn from_str(text: &str) -> Result<Self, InvalidName> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        match !text.is_empty() && text.len() <= 100 && text.chars().all(is_plain) {
            true => Ok(Self(text.to_owned())),
            false => Err(InvalidName),
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A worker's place in a run.
#[derive(Debug)]
pub struct Post {
    /// The run's folder.
    pub folder: PathBuf,
    /// The worker's name.
    pub name: Name,
    /// The number of tasks that it does at a time.
    pub jobs: usize,
    /// Whether it ends when its standard input does.
    pub is_attached: bool,
}

/// Does tasks until the coordinator says that the work is over.
///
/// # Errors
/// If the coordinator's work is another one, a task can't be done or its result stored, or after an interrupt.
pub fn work<W: Work>(work: &W, post: &Post) -> Result<(), ClusterError> {
    let cluster = ClusterFolder::of(&post.folder);
    let folder = cluster.worker(&post.name.to_string());
    folder.create()?;
    let mut status = Status {
        machine: process::machine_name(),
        pid: std::process::id(),
        jobs: post.jobs,
        beat: now_ms(),
        state: State::Ready,
        noise: None,
    };
    let worked = begin(work, &cluster, &folder).and_then(|(file, begun)| {
        let desk = Desk::<W>::new(begun);
        let seat = Seat { work, post, cluster: &cluster, folder: &folder, desk: &desk };
        let prober = Noise::start();
        let played = seat.play(file, &status);
        status.noise = prober.finish();
        played
    });
    status.beat = now_ms();
    status.state = match &worked {
        Ok(()) => State::Ended,
        Err(error) if error.kind() == FailureKind::Interrupt => State::Ended,
        Err(error) => State::Failed(error.to_string()),
    };
    let said = folder.write_status(&status);
    worked.and(said)
}

/// A worker's part, and the tasks whose results are in it.
type Begun<W> = (ResultsFile<<W as Work>::Done>, Vec<<W as Work>::Task>);

/// Waits for the coordinator, compares the work, and opens the worker's part.
fn begin<W: Work>(
    work: &W,
    cluster: &ClusterFolder,
    folder: &WorkerFolder,
) -> Result<Begun<W>, ClusterError> {
    let until = Instant::now() + START;
    let run = loop {
        if process::interrupted() {
            return Err(GameError::Interrupted.into());
        }
        match cluster.run::<serde_json::Value>() {
            Some(run) => break run,
            None if Instant::now() < until => thread::sleep(PAUSE),
            None => {
                return Err(ClusterError::NoCoordinator { folder: cluster.path().to_owned() });
            }
        }
    };
    let other_work = || match serde_json::from_value(run.work) {
        Ok(theirs) => work.difference(&theirs),
        Err(_) => Some("it is of another kind".to_owned()),
    };
    if let Some(difference) = another_build(&run.program, &own_hash()).or_else(other_work) {
        return Err(ClusterError::OtherRun { difference });
    }
    let path = folder.path().join(W::PART);
    let (file, found) = loop {
        match ResultsFile::open(&path) {
            Err(GamesError::Busy { .. }) if Instant::now() < until && !process::interrupted() => {
                thread::sleep(PAUSE);
            }
            opened => break opened?,
        }
    };
    let kept = found.records.iter().filter(|done| work.is_kept(done, folder.path()));
    let begun = kept.map(|done| {
        let task = work.task_of(done);
        task.map_err(|difference| GamesError::Foreign { path: path.clone(), difference })
    });
    let begun = begun.collect::<Result<_, _>>()?;
    Ok((file, begun))
}

/// The difference of two programs by their hashes.
fn another_build(theirs: &Option<String>, ours: &Option<String>) -> Option<String> {
    let hash = |hash: &Option<String>| hash.clone().unwrap_or_else(|| "unknown".to_owned());
    let differs = || {
        let (theirs, ours) = (hash(theirs), hash(ours));
        format!("the program is another build: its hash is {theirs} there, {ours} here")
    };
    (theirs != ours).then(differs)
}

/// A worker at work.
struct Seat<'s, W: Work> {
    work: &'s W,
    post: &'s Post,
    cluster: &'s ClusterFolder,
    folder: &'s WorkerFolder,
    desk: &'s Desk<W>,
}

impl<W: Work> Seat<'_, W> {
    fn play(&self, mut file: ResultsFile<W::Done>, status: &Status) -> Result<(), ClusterError> {
        let is_alone = Arc::new(AtomicBool::new(false));
        if self.post.is_attached {
            let is_alone = Arc::clone(&is_alone);
            thread::spawn(move || {
                let _ = io::copy(&mut io::stdin(), &mut io::sink());
                is_alone.store(true, Ordering::SeqCst);
            });
        }
        let is_done = AtomicBool::new(false);
        let played = thread::scope(|scope| {
            let watching = scope.spawn(|| self.watch(status.clone(), &is_done, &is_alone));
            let next = |stopped: &AtomicBool| self.desk.next(stopped);
            let play = |task: W::Task| self.work.play(&task, self.folder.path());
            let played = runner::run_each(&next, &play, self.post.jobs, |done| {
                file.append(&done)?;
                Ok(ControlFlow::Continue(()))
            });
            is_done.store(true, Ordering::SeqCst);
            let watched = watching.join().unwrap_or(Ok(()));
            // A failed watch interrupts the games.
            watched.and(played)
        });
        match played {
            Ok(()) if self.desk.is_over() => Ok(()),
            Err(error) if error.kind() == FailureKind::Interrupt && self.desk.is_over() => Ok(()),
            Ok(()) if process::interrupted() => Err(GameError::Interrupted.into()),
            played => played,
        }
    }

    /// Reads the orders and gives signs of life, until the tasks are done.
    fn watch(&self, status: Status, is_done: &AtomicBool, is_alone: &AtomicBool) -> Result<(), ClusterError> {
        let watched = self.watch_on(status, is_done, is_alone);
        if watched.is_err() {
            process::interrupt();
        }
        self.desk.wake();
        watched
    }

    fn watch_on(
        &self,
        mut status: Status,
        is_done: &AtomicBool,
        is_alone: &AtomicBool,
    ) -> Result<(), ClusterError> {
        let mut coordinator = Heard { beat: 0, at: Instant::now() };
        let mut next_beat = Instant::now();
        let mut last = Orders::<W::Task>::default();
        while !is_done.load(Ordering::SeqCst) && !process::interrupted() {
            if Instant::now() >= next_beat {
                next_beat = Instant::now() + BEAT;
                status.beat = now_ms();
                self.folder.write_status(&status)?;
                coordinator.hear(self.cluster.run::<serde_json::Value>().map(|run| run.beat));
            }
            let orders = self.folder.orders();
            let must_stop = orders.as_ref().is_some_and(|orders| orders.stop);
            if must_stop || is_alone.load(Ordering::SeqCst) || coordinator.is_silent() {
                self.desk.end();
                // Ends the games in progress.
                process::interrupt();
                return Ok(());
            }
            if let Some(orders) = orders.filter(|orders| *orders != last) {
                self.desk.set(&orders.tasks);
                last = orders;
            }
            thread::sleep(LOOK);
        }
        Ok(())
    }
}

/// The coordinator's last sign of life.
struct Heard {
    beat: u64,
    at: Instant,
}

impl Heard {
    fn hear(&mut self, beat: Option<u64>) {
        if let Some(beat) = beat.filter(|&beat| beat != self.beat) {
            *self = Self { beat, at: Instant::now() };
        }
    }

    fn is_silent(&self) -> bool {
        self.at.elapsed() > SILENCE
    }
}

/// The tasks that are to be done.
struct Desk<W: Work> {
    papers: Mutex<Papers<W::Task>>,
    news: Condvar,
}

struct Papers<T> {
    queue: VecDeque<T>,
    /// Tasks that were begun, or whose results are in the part, by their numbers.
    begun: BTreeMap<u32, T>,
    is_over: bool,
}

impl<W: Work> Desk<W> {
    fn new(finished: Vec<W::Task>) -> Self {
        let begun = finished.into_iter().map(|task| (W::number(&task), task)).collect();
        let papers = Papers { queue: VecDeque::new(), begun, is_over: false };
        Self { papers: Mutex::new(papers), news: Condvar::new() }
    }

    fn papers(&self) -> MutexGuard<'_, Papers<W::Task>> {
        self.papers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Replaces the tasks that haven't begun.
    fn set(&self, tasks: &[W::Task]) {
        let mut papers = self.papers();
        let is_new = |task: &&W::Task| papers.begun.get(&W::number(task)) != Some(*task);
        papers.queue = tasks.iter().filter(is_new).cloned().collect();
        self.news.notify_all();
    }

    /// Waits for a task; `None` if the work is over, or the flag is set.
    fn next(&self, stopped: &AtomicBool) -> Option<W::Task> {
        let mut papers = self.papers();
        loop {
            if papers.is_over || stopped.load(Ordering::SeqCst) || process::interrupted() {
                return None;
            }
            if let Some(task) = papers.queue.pop_front() {
                papers.begun.insert(W::number(&task), task.clone());
                return Some(task);
            }
            papers = self.news.wait_timeout(papers, PAUSE).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn end(&self) {
        self.papers().is_over = true;
        self.news.notify_all();
    }

    fn wake(&self) {
        self.news.notify_all();
    }

    fn is_over(&self) -> bool {
        self.papers().is_over
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::Games;

    #[test]
    fn a_game_begins_once_whatever_the_orders_repeat() {
        let desk = Desk::<Games<'_>>::new(vec![4]);
        let going = AtomicBool::new(false);
        desk.set(&[3, 4, 5]);
        assert_eq!(desk.next(&going), Some(3));
        desk.set(&[3, 5, 8]);
        assert_eq!((desk.next(&going), desk.next(&going)), (Some(5), Some(8)));
        desk.set(&[3, 9]);
        desk.set(&[3]);
        desk.end();
        assert_eq!(desk.next(&going), None);
    }

    #[test]
    fn another_build_is_named() {
        let hash = |text: &str| Some(text.to_owned());
        assert_eq!(another_build(&hash("a"), &hash("a")), None);
        let said = another_build(&None, &hash("a")).unwrap();
        assert!(said.contains("its hash is unknown there, a here"), "{said}");
    }

    #[test]
    fn names_are_those_of_folders() {
        assert_eq!("node-3_a".parse::<Name>().unwrap().to_string(), "node-3_a");
        for name in ["", "a/b", "..", "é"] {
            assert!(name.parse::<Name>().is_err(), "{name}");
        }
    }
}
