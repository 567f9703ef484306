//! The coordinator: gives games to workers, collects them, and ends the run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use super::dispatch::Dispatch;
use super::engine::{Engine, Event, Kind, Launch};
use super::folder::{ClusterFolder, Run, State};
use super::identity::Identity;
use super::staff::Worker;
use super::{now_ms, BEAT, LOOK};
use crate::error::ArenaError;
use crate::game::GameError;
use crate::process;
use crate::process::noise::MachineNoise;
use crate::record::games::GamesError;
use crate::series::machines::{Machines, Noises, Take};
use crate::series::{Finished, Fixture, Series};
use crate::text::note;

/// Interval between two looks for new workers.
const BETWEEN_CENSUSES: Duration = Duration::from_secs(1);

/// Time for workers to end after the run.
const GRACE: Duration = Duration::from_secs(15);

/// Interval between two notes that no worker is playing.
const BETWEEN_NOTES: Duration = Duration::from_secs(60);

/// How a run is played by a cluster.
#[derive(Debug)]
pub struct Settings {
    /// What starts the workers.
    pub kind: Kind,
    /// The run's folder, which all machines see.
    pub folder: PathBuf,
    /// How workers are started.
    pub launch: Launch,
}

/// The machines of a cluster.
#[derive(Debug)]
pub struct Cluster {
    settings: Settings,
    noise: Vec<MachineNoise>,
}

impl Cluster {
    /// No worker is started yet.
    pub fn new(settings: Settings) -> Self {
        Self { settings, noise: Vec::new() }
    }
}

impl Machines for Cluster {
    fn play(
        &mut self,
        series: &Series<'_>,
        games: &[Fixture],
        take: &mut Take<'_>,
    ) -> Result<(), ArenaError> {
        let mut engine = self.settings.kind.engine(self.settings.launch.clone());
        let folder = ClusterFolder::of(&self.settings.folder);
        let mut office = Office::open(series, folder, games, self.settings.kind)?;
        let played = office.play(engine.as_mut(), take);
        let ended = office.close(engine.as_mut(), take);
        self.noise = office.noise();
        played.and(ended)
    }

    fn noise(&self) -> Noises {
        Noises { here: None, others: self.noise.clone() }
    }

    fn writes_dialogues(&self) -> bool {
        true
    }
}

/// A run in progress.
struct Office<'s> {
    series: &'s Series<'s>,
    folder: ClusterFolder,
    kind: Kind,
    run: Run,
    /// The games that don't count yet.
    missing: BTreeSet<u32>,
    dispatch: Dispatch,
    workers: BTreeMap<String, Worker>,
    /// Whether `take` wants no more games to begin.
    is_over: bool,
    /// Whether the workers may have been started.
    has_started: bool,
    next_beat: Instant,
    next_census: Instant,
    next_note: Instant,
}

impl<'s> Office<'s> {
    fn open(
        series: &'s Series<'s>,
        folder: ClusterFolder,
        games: &[Fixture],
        kind: Kind,
    ) -> Result<Self, ArenaError> {
        let run = Run { identity: Identity::of(series), beat: now_ms() };
        let now = Instant::now();
        let mut office = Self {
            series,
            folder,
            kind,
            run,
            missing: games.iter().map(|fixture| fixture.game).collect(),
            dispatch: Dispatch::new(games.iter().map(|fixture| fixture.game)),
            workers: BTreeMap::new(),
            is_over: false,
            has_started: false,
            next_beat: now,
            next_census: now,
            next_note: now + BETWEEN_NOTES,
        };
        for name in kind.names() {
            office.folder.worker(&name).create()?;
        }
        office.census()?;
        Ok(office)
    }

    /// Plays until all games are finished or no more are wanted.
    fn play(&mut self, engine: &mut dyn Engine, take: &mut Take<'_>) -> Result<(), ArenaError> {
        // Games that earlier workers have left.
        self.collect(take)?;
        while !self.is_over && !self.missing.is_empty() {
            if process::interrupted() {
                return Err(GameError::Interrupted.into());
            }
            self.give_sign_of_life()?;
            if !self.has_started {
                self.has_started = true;
                engine.start()?;
            }
            self.census()?;
            for event in engine.look()? {
                self.hear(event);
            }
            self.look_at_workers();
            self.check_that_somebody_is_left()?;
            self.give_games()?;
            thread::sleep(LOOK);
            self.collect(take)?;
        }
        Ok(())
    }

    /// Tells all workers to stop, waits for them, and takes the games that they have finished meanwhile.
    fn close(&mut self, engine: &mut dyn Engine, take: &mut Take<'_>) -> Result<(), ArenaError> {
        if !self.has_started {
            return Ok(());
        }
        self.is_over = true;
        self.workers.values_mut().try_for_each(Worker::stop)?;
        let until = Instant::now() + GRACE;
        let mut collected = Ok(());
        while !engine.is_patient() && Instant::now() < until && self.workers.values().any(Worker::is_present)
        {
            thread::sleep(LOOK);
            self.look_at_workers();
            // What can't be stored is an error of the run; the workers are to end all the same.
            collected = collected.and_then(|()| self.collect(take));
        }
        engine.stop();
        self.workers.values_mut().for_each(Worker::look_now);
        collected.and_then(|()| self.collect(take))
    }

    fn give_sign_of_life(&mut self) -> Result<(), ArenaError> {
        if Instant::now() < self.next_beat {
            return Ok(());
        }
        self.next_beat = Instant::now() + BEAT;
        self.run.beat = now_ms();
        self.folder.write_run(&self.run)
    }

    /// Looks for new workers. A new one has no orders, whatever an earlier coordinator has written.
    fn census(&mut self) -> Result<(), ArenaError> {
        if Instant::now() < self.next_census {
            return Ok(());
        }
        self.next_census = Instant::now() + BETWEEN_CENSUSES;
        for name in self.folder.workers() {
            if !self.workers.contains_key(&name) {
                let folder = self.folder.worker(&name);
                // What is there before the start was written in an earlier run.
                let said = if self.has_started { None } else { folder.status() };
                let worker = Worker::new(&name, folder, said)?;
                self.workers.insert(name, worker);
            }
        }
        Ok(())
    }

    /// Takes the games that were added to the parts.
    fn collect(&mut self, take: &mut Take<'_>) -> Result<(), ArenaError> {
        for worker in self.workers.values_mut() {
            for record in worker.part.news()? {
                self.series.belongs(&record).map_err(|difference| {
                    let path = worker.part.path().to_owned();
                    GamesError::Foreign { path, difference }
                })?;
                self.dispatch.finished(record.game);
                worker.finished += 1;
                if self.missing.remove(&record.game) {
                    worker.counted += 1;
                    self.is_over |=
                        take(Finished { record, dialogues: Vec::new(), reports: Vec::new() })?.is_break();
                }
            }
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

    fn check_that_somebody_is_left(&mut self) -> Result<(), ArenaError> {
        let failed = self.workers.values().filter_map(|worker| Some((worker, worker.failure()?)));
        let failed = failed.collect::<Vec<_>>();
        if let (Some(workers), Some((worker, reason))) = (self.kind.workers(), failed.first()) {
            if failed.len() >= workers as usize {
                return Err(ArenaError::Cluster(format!(
                    "no worker is left; {} has failed: {reason}",
                    worker.title()
                )));
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

    fn give_games(&mut self) -> Result<(), ArenaError> {
        for (name, worker) in &mut self.workers {
            if worker.is_present() {
                self.dispatch.fill(name, worker.appetite());
            }
            worker.order(self.dispatch.games_of(name))?;
        }
        Ok(())
    }

    /// The games and delays by machine.
    fn noise(&self) -> Vec<MachineNoise> {
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
