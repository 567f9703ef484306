//! The coordinator: gives tasks to workers, collects their results, and ends the run.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use super::dispatch::Dispatch;
use super::engine::{Engine, Event, Kind, Launch};
use super::folder::{ClusterFolder, Run, State};
use super::staff::Worker;
use super::work::Work;
use super::{now_ms, BEAT, LOOK};
use crate::cluster::ClusterError;
use crate::game::GameError;
use crate::process;
use crate::process::noise::MachineNoise;
use crate::record::games::GamesError;
use crate::series::entrant::own_hash;
use crate::text::note;

/// Interval between two looks for new workers.
const BETWEEN_CENSUSES: Duration = Duration::from_secs(1);

/// Time for workers to end after the run.
const GRACE: Duration = Duration::from_secs(15);

/// Interval between two notes that no worker is playing.
const BETWEEN_NOTES: Duration = Duration::from_secs(60);

/// How work is shared out.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The engine that starts the workers.
    pub kind: Kind,
    /// The run's folder, which all machines see.
    pub folder: PathBuf,
    /// How workers are started.
    pub launch: Launch,
}

/// Takes a result, with the folder of the worker that it comes from. After [`ControlFlow::Break`] no further task begins.
pub type Take<'t, D> = dyn FnMut(D, &Path) -> Result<ControlFlow<()>, ClusterError> + 't;

/// Work in progress.
pub struct Coordinator<'w, W: Work> {
    work: &'w W,
    folder: ClusterFolder,
    kind: Kind,
    engine: Box<dyn Engine>,
    run: Run<W::Identity>,
    /// The tasks that don't count yet, by their numbers.
    missing: BTreeMap<u32, W::Task>,
    /// The largest number of a task so far.
    last: u32,
    /// Results of later rounds, which an earlier coordinator has left, and the workers that they come from.
    early: BTreeMap<u32, (String, W::Done)>,
    dispatch: Dispatch,
    workers: BTreeMap<String, Worker<W>>,
    /// Whether `take` wants no more tasks to begin.
    is_over: bool,
    /// Whether the workers may have been started.
    has_started: bool,
    next_beat: Instant,
    next_census: Instant,
    next_note: Instant,
}

impl<'w, W: Work> Coordinator<'w, W> {
    /// No worker is started yet.
    ///
    /// # Errors
    /// If the shared folder can't be written.
    pub fn open(work: &'w W, settings: &Settings) -> Result<Self, ClusterError> {
        let Settings { kind, folder, launch } = settings.clone();
        let now = Instant::now();
        let mut coordinator = Self {
            work,
            folder: ClusterFolder::of(&folder),
            kind,
            engine: kind.engine(launch),
            run: Run { program: own_hash(), work: work.identity(), beat: now_ms() },
            missing: BTreeMap::new(),
            last: 0,
            early: BTreeMap::new(),
            dispatch: Dispatch::default(),
            workers: BTreeMap::new(),
            is_over: false,
            has_started: false,
            next_beat: now,
            next_census: now,
            next_note: now + BETWEEN_NOTES,
        };
        for name in kind.names() {
            coordinator.folder.worker(&name).create()?;
        }
        coordinator.census()?;
        Ok(coordinator)
    }

    /// Has tasks done until all are finished or no more are wanted; may be called again with those of the next round.
    /// Workers are started if something is left to do.
    ///
    /// # Errors
    /// The first of the engine, the files or `take`; if no worker is left; after an interrupt.
    pub fn play(
        &mut self,
        tasks: impl IntoIterator<Item = W::Task>,
        take: &mut Take<'_, W::Done>,
    ) -> Result<(), ClusterError> {
        for task in tasks {
            let number = W::number(&task);
            self.last = self.last.max(number);
            self.dispatch.add([number]);
            self.missing.insert(number, task);
        }
        for (name, done) in std::mem::take(&mut self.early).into_values() {
            self.finish(&name, done, take)?;
        }
        // Results that earlier workers have left.
        self.collect(take)?;
        while !self.is_over && !self.missing.is_empty() {
            if process::interrupted() {
                return Err(GameError::Interrupted.into());
            }
            self.give_sign_of_life()?;
            if !self.has_started {
                self.has_started = true;
                self.engine.start()?;
            }
            self.census()?;
            for event in self.engine.look()? {
                self.hear(event);
            }
            self.look_at_workers();
            self.check_that_somebody_is_left()?;
            self.give_tasks()?;
            thread::sleep(LOOK);
            self.collect(take)?;
        }
        Ok(())
    }

    /// Tells all workers to stop, waits for them, and takes what they have finished meanwhile.
    ///
    /// # Errors
    /// If a file can't be read or written, and the errors of `take`.
    pub fn close(&mut self, take: &mut Take<'_, W::Done>) -> Result<(), ClusterError> {
        if !self.has_started {
            return Ok(());
        }
        self.is_over = true;
        self.workers.values_mut().try_for_each(Worker::stop)?;
        let until = Instant::now() + GRACE;
        let mut collected = Ok(());
        while !self.engine.is_patient()
            && Instant::now() < until
            && self.workers.values().any(Worker::is_present)
        {
            thread::sleep(LOOK);
            self.look_at_workers();
            // A result that can't be stored is an error of the run; the workers are still to end.
            collected = collected.and_then(|()| self.collect(take));
        }
        self.engine.stop();
        self.workers.values_mut().for_each(Worker::look_now);
        collected.and_then(|()| self.collect(take))
    }

    fn give_sign_of_life(&mut self) -> Result<(), ClusterError> {
        if Instant::now() < self.next_beat {
            return Ok(());
        }
        self.next_beat = Instant::now() + BEAT;
        self.run.beat = now_ms();
        self.folder.write_run(&self.run)
    }

    /// Looks for new workers. A new one has no orders, whatever an earlier coordinator has written.
    fn census(&mut self) -> Result<(), ClusterError> {
        if Instant::now() < self.next_census {
            return Ok(());
        }
        self.next_census = Instant::now() + BETWEEN_CENSUSES;
        for name in self.folder.workers() {
            if !self.workers.contains_key(&name) {
                let folder = self.folder.worker(&name);
                // A status from before the start belongs to an earlier run.
                let said = if self.has_started { None } else { folder.status() };
                let worker = Worker::new(&name, folder, said)?;
                self.workers.insert(name, worker);
            }
        }
        Ok(())
    }

    /// Takes the results that were added to the parts.
    fn collect(&mut self, take: &mut Take<'_, W::Done>) -> Result<(), ClusterError> {
        let mut news = Vec::new();
        for (name, worker) in &mut self.workers {
            news.extend(worker.part.news()?.into_iter().map(|done| (name.clone(), done)));
        }
        news.into_iter().try_for_each(|(name, done)| self.finish(&name, done, take))
    }

    /// Takes a worker's result, if its task is missing.
    fn finish(
        &mut self,
        name: &str,
        done: W::Done,
        take: &mut Take<'_, W::Done>,
    ) -> Result<(), ClusterError> {
        let Some(worker) = self.workers.get_mut(name) else { return Ok(()) };
        let task = self.work.task_of(&done).map_err(|difference| {
            let path = worker.part.path().to_owned();
            GamesError::Foreign { path, difference }
        })?;
        if !self.work.is_kept(&done, worker.folder().path()) {
            return Ok(());
        }
        let number = W::number(&task);
        worker.finished += 1;
        if self.missing.get(&number) == Some(&task) {
            self.missing.remove(&number);
            self.dispatch.finished(number);
            worker.counted += 1;
            self.is_over |= take(done, worker.folder().path())?.is_break();
        } else if number > self.last {
            self.early.insert(number, (name.to_owned(), done));
        }
        Ok(())
    }

    fn hear(&mut self, event: Event) {
        let (Event::Ended { worker: name } | Event::Failed { worker: name, .. }) = &event;
        self.dispatch.lost(name);
        let Some(worker) = self.workers.get_mut(name) else { return };
        worker.is_gone();
        if let Event::Failed { reason, .. } = event {
            worker.fail(reason);
        }
    }

    /// Reads what workers say, and takes the games of those that are gone.
    fn look_at_workers(&mut self) {
        for (name, worker) in &mut self.workers {
            let was_present = worker.is_present();
            worker.look();
            if was_present && !worker.is_present() {
                self.dispatch.lost(name);
                let has_ended = worker.status().is_some_and(|status| status.state != State::Ready);
                if !has_ended && !self.is_over {
                    note(format_args!(
                        "{} gives no sign of life: its games are given to others",
                        worker.title()
                    ));
                }
            }
        }
    }

    fn check_that_somebody_is_left(&mut self) -> Result<(), ClusterError> {
        let failed = self.workers.values().filter_map(|worker| Some((worker, worker.failure()?)));
        let failed = failed.collect::<Vec<_>>();
        if let (Some(workers), Some((worker, reason))) = (self.kind.workers(), failed.first()) {
            if failed.len() >= workers as usize {
                return Err(ClusterError::NobodyLeft {
                    worker: worker.title(),
                    reason: (*reason).to_owned(),
                });
            }
        }
        if self.workers.values().any(Worker::is_present) {
            self.next_note = Instant::now() + BETWEEN_NOTES;
        } else if Instant::now() >= self.next_note {
            self.next_note = Instant::now() + BETWEEN_NOTES;
            note(format_args!("no worker plays: the run waits for one in {}", self.folder.path().display()));
        }
        Ok(())
    }

    /// Gives tasks in advance only as long as others have some too: the last ones of a round are shared evenly.
    fn give_tasks(&mut self) -> Result<(), ClusterError> {
        let present = self.workers.values().filter(|worker| worker.is_present()).count();
        let share = self.missing.len().div_ceil(present.max(1));
        for (name, worker) in &mut self.workers {
            if worker.is_present() {
                self.dispatch.fill(name, worker.appetite().min(share.max(worker.jobs())));
            }
            let tasks = self.dispatch.games_of(name).iter();
            worker.order(tasks.filter_map(|number| self.missing.get(number)).cloned().collect())?;
        }
        Ok(())
    }

    /// The games and delays by machine.
    pub fn noise(&self) -> Vec<MachineNoise> {
        let mut machines = BTreeMap::<&str, MachineNoise>::new();
        for worker in self.workers.values().filter(|worker| worker.counted > 0) {
            let Some(status) = worker.status() else { continue };
            let machine = status.machine.as_str();
            let entry = machines.entry(machine).or_insert_with(|| MachineNoise {
                machine: machine.to_owned(),
                games: 0,
                noise: None,
            });
            entry.games += worker.counted;
            // The worst of the machine's workers.
            let is_worse = match (&entry.noise, &status.noise) {
                (Some(known), Some(noise)) => noise.p99_ms > known.p99_ms,
                (None, _) => true,
                (_, None) => false,
            };
            if is_worse {
                entry.noise = status.noise;
            }
        }
        machines.into_values().collect()
    }
}
