//! The games of a match, a test or a rating as a cluster's work.

use std::path::{Path, PathBuf};

use super::coordinator::{Coordinator, Settings};
use super::identity::Identity;
use super::work::Work;
use crate::cluster::ClusterError;
use crate::process::noise::MachineNoise;
use crate::record::games::{self, Mismatch};
use crate::record::GameRecord;
use crate::series::machines::{Machines, Noises, Take};
use crate::series::{Finished, Series, SeriesError};

/// The games of a series. A task is a game's number.
pub struct Games<'s> {
    /// The plan.
    pub series: &'s Series<'s>,
    /// The folder of the dialogues, if they are stored.
    pub log_dir: Option<PathBuf>,
}

impl Work for Games<'_> {
    type Task = u32;
    type Done = GameRecord;
    type Identity = Identity;

    const PART: &'static str = games::FILE_NAME;

    fn identity(&self) -> Identity {
        Identity::of(self.series)
    }

    fn difference(&self, coordinator: &Identity) -> Option<String> {
        self.identity().difference(coordinator)
    }

    fn number(task: &u32) -> u32 {
        *task
    }

    fn task_of(&self, done: &GameRecord) -> Result<u32, Mismatch> {
        self.series.belongs(done).map(|()| done.game)
    }

    fn play(&self, task: &u32, _: &Path) -> Result<GameRecord, ClusterError> {
        let finished = self.series.play(&self.series.fixture(*task))?;
        self.log_dir.as_ref().map_or(Ok(()), |folder| finished.write(folder))?;
        Ok(finished.record)
    }
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
    fn play(&mut self, series: &Series<'_>, games: &[u32], take: &mut Take<'_>) -> Result<(), SeriesError> {
        let work = Games { series, log_dir: None };
        let mut take = |record: GameRecord, _: &Path| {
            take(Finished { record, dialogues: Vec::new(), reports: Vec::new() }).map_err(ClusterError::from)
        };
        let mut coordinator = Coordinator::open(&work, &self.settings)?;
        let played = coordinator.play(games.iter().copied(), &mut take);
        let ended = coordinator.close(&mut take);
        self.noise = coordinator.noise();
        Ok(played.and(ended)?)
    }

    fn noise(&self) -> Noises {
        Noises { here: None, others: self.noise.clone() }
    }

    fn writes_dialogues(&self) -> bool {
        true
    }
}
