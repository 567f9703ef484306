//! A worker: plays the games that the coordinator orders, and adds them to its own part.

use std::collections::{BTreeSet, VecDeque};
use std::fmt;
use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::folder::{ClusterFolder, Orders, Run, State, Status, WorkerFolder};
use super::identity::Identity;
use super::{now_ms, BEAT, LOOK};
use crate::error::ArenaError;
use crate::game::GameError;
use crate::process;
use crate::process::noise::Noise;
use crate::record::games::{Found, GamesError, GamesFile};
use crate::series::{runner, Series};

/// How long a worker waits for a coordinator that hasn't begun, and for its part while another process still holds it.
const START: Duration = Duration::from_secs(60);

/// A worker whose coordinator gives no sign of life for so long ends: time enough to start a killed one again.
const SILENCE: Duration = Duration::from_secs(600);

/// Interval between two looks at something that may take long.
const PAUSE: Duration = Duration::from_millis(200);

/// The name of a worker: its folder's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name(String);

impl FromStr for Name {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        match !text.is_empty() && text.len() <= 100 && text.chars().all(is_plain) {
            true => Ok(Self(text.to_owned())),
            false => Err("a worker's name has 1 to 100 letters, digits, - or _".to_owned()),
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a worker does.
#[derive(Debug)]
pub struct Task {
    /// The run's folder.
    pub folder: PathBuf,
    /// The worker's name.
    pub name: Name,
    /// The number of games that it plays at a time.
    pub jobs: usize,
    /// The folder of the dialogues, if they are stored.
    pub log_dir: Option<PathBuf>,
    /// Whether it ends when its standard input does.
    pub is_attached: bool,
}

/// Plays games until the coordinator says that the run is over.
///
/// # Errors
/// If the coordinator's run is another one, a game can't be played or stored, or after an interrupt.
pub fn work(series: &Series<'_>, task: &Task) -> Result<(), ArenaError> {
    let cluster = ClusterFolder::of(&task.folder);
    let folder = cluster.worker(&task.name.to_string());
    folder.create()?;
    let mut status = Status {
        machine: process::machine_name(),
        pid: std::process::id(),
        jobs: task.jobs,
        beat: now_ms(),
        state: State::Ready,
        noise: None,
    };
    let worked = begin(series, &cluster, &folder).and_then(|(file, found)| {
        let desk = Desk::new(found.records.iter().map(|record| record.game));
        let seat = Seat { series, task, cluster: &cluster, folder: &folder, desk: &desk };
        let prober = Noise::start();
        let played = seat.play(file, &status);
        status.noise = prober.finish();
        played
    });
    status.beat = now_ms();
    status.state = match &worked {
        Ok(()) | Err(ArenaError::Game(GameError::Interrupted)) => State::Ended,
        Err(error) => State::Failed(error.to_string()),
    };
    let said = folder.write_status(&status);
    worked.and(said)
}

/// Waits for the coordinator, compares the runs, and opens the worker's part.
fn begin(
    series: &Series<'_>,
    cluster: &ClusterFolder,
    folder: &WorkerFolder,
) -> Result<(GamesFile, Found), ArenaError> {
    let until = Instant::now() + START;
    let run = loop {
        if process::interrupted() {
            return Err(GameError::Interrupted.into());
        }
        match cluster.run() {
            Some(run) => break run,
            None if Instant::now() < until => thread::sleep(PAUSE),
            None => {
                return Err(ArenaError::Cluster(format!(
                    "no coordinator has begun a run in {}: give the same command without --worker there, and check that both \
                     see the same folder",
                    cluster.path().display()
                )))
            }
        }
    };
    if let Some(difference) = Identity::of(series).difference(&run.identity) {
        return Err(ArenaError::Cluster(format!(
            "this worker has another run than its coordinator: {difference}\nall machines need the same files"
        )));
    }
    let path = folder.games();
    let (file, found) = loop {
        match GamesFile::open(&path) {
            Err(GamesError::Busy { .. }) if Instant::now() < until && !process::interrupted() => {
                thread::sleep(PAUSE);
            }
            opened => break opened?,
        }
    };
    for record in &found.records {
        series
            .belongs(record)
            .map_err(|difference| GamesError::Foreign { path: path.clone(), difference })?;
    }
    Ok((file, found))
}

/// A worker at work.
struct Seat<'s> {
    series: &'s Series<'s>,
    task: &'s Task,
    cluster: &'s ClusterFolder,
    folder: &'s WorkerFolder,
    desk: &'s Desk,
}

impl Seat<'_> {
    fn play(&self, mut file: GamesFile, status: &Status) -> Result<(), ArenaError> {
        let is_alone = Arc::new(AtomicBool::new(false));
        if self.task.is_attached {
            let is_alone = Arc::clone(&is_alone);
            thread::spawn(move || {
                let _ = io::copy(&mut io::stdin(), &mut io::sink());
                is_alone.store(true, Ordering::SeqCst);
            });
        }
        let is_done = AtomicBool::new(false);
        let played = thread::scope(|scope| {
            let watching = scope.spawn(|| self.watch(status.clone(), &is_done, &is_alone));
            let next = |stopped: &AtomicBool| self.desk.next(stopped).map(|game| self.series.fixture(game));
            let played = runner::run_each(self.series, &next, self.task.jobs, |finished| {
                self.task.log_dir.as_ref().map_or(Ok(()), |folder| finished.write(folder))?;
                file.append(&finished.record)?;
                Ok(ControlFlow::Continue(()))
            });
            is_done.store(true, Ordering::SeqCst);
            let watched = watching.join().unwrap_or(Ok(()));
            // A failed watch interrupts the games.
            watched.and(played)
        });
        match played {
            Ok(()) | Err(ArenaError::Game(GameError::Interrupted)) if self.desk.is_over() => Ok(()),
            Ok(()) if process::interrupted() => Err(GameError::Interrupted.into()),
            played => played,
        }
    }

    /// Reads the orders and gives signs of life, until the games are done.
    fn watch(&self, status: Status, is_done: &AtomicBool, is_alone: &AtomicBool) -> Result<(), ArenaError> {
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
    ) -> Result<(), ArenaError> {
        let mut coordinator = Heard { beat: 0, at: Instant::now() };
        let mut next_beat = Instant::now();
        let mut last = Orders::default();
        while !is_done.load(Ordering::SeqCst) && !process::interrupted() {
            if Instant::now() >= next_beat {
                next_beat = Instant::now() + BEAT;
                status.beat = now_ms();
                self.folder.write_status(&status)?;
                coordinator.hear(self.cluster.run());
            }
            let orders = self.folder.orders().unwrap_or_else(|| last.clone());
            if orders.stop || is_alone.load(Ordering::SeqCst) || coordinator.is_silent() {
                self.desk.end();
                // Ends the games in progress.
                process::interrupt();
                return Ok(());
            }
            if orders != last {
                self.desk.set(&orders.games);
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
    fn hear(&mut self, run: Option<Run>) {
        if let Some(run) = run.filter(|run| run.beat != self.beat) {
            *self = Self { beat: run.beat, at: Instant::now() };
        }
    }

    fn is_silent(&self) -> bool {
        self.at.elapsed() > SILENCE
    }
}

/// The games that are to be played.
#[derive(Debug, Default)]
struct Desk {
    papers: Mutex<Papers>,
    news: Condvar,
}

#[derive(Debug, Default)]
struct Papers {
    queue: VecDeque<u32>,
    /// Games that were begun, or are in the part.
    begun: BTreeSet<u32>,
    is_over: bool,
}

impl Desk {
    fn new(finished: impl Iterator<Item = u32>) -> Self {
        let papers = Papers { begun: finished.collect(), ..Papers::default() };
        Self { papers: Mutex::new(papers), news: Condvar::new() }
    }

    fn papers(&self) -> MutexGuard<'_, Papers> {
        self.papers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Replaces the games that haven't begun.
    fn set(&self, games: &[u32]) {
        let mut papers = self.papers();
        papers.queue = games.iter().copied().filter(|game| !papers.begun.contains(game)).collect();
        self.news.notify_all();
    }

    /// Waits for a game; `None` if the run is over, or the flag is set.
    fn next(&self, stopped: &AtomicBool) -> Option<u32> {
        let mut papers = self.papers();
        loop {
            if papers.is_over || stopped.load(Ordering::SeqCst) || process::interrupted() {
                return None;
            }
            if let Some(game) = papers.queue.pop_front() {
                papers.begun.insert(game);
                return Some(game);
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

    #[test]
    fn a_game_begins_once_whatever_the_orders_repeat() {
        let desk = Desk::new([4].into_iter());
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
    fn names_are_those_of_folders() {
        assert_eq!("node-3_a".parse::<Name>().unwrap().to_string(), "node-3_a");
        for name in ["", "a/b", "..", "é"] {
            assert!(name.parse::<Name>().is_err(), "{name}");
        }
    }
}
