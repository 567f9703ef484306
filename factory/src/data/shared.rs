//! Self-play on many machines: each shard is a task of a cluster's work.

use std::path::{Path, PathBuf};

use coppice_arena::cluster::{self, ClusterError, Mismatch, Work};
use coppice_arena::GameError;
use serde::{Deserialize, Serialize};

use super::generation::Generation;
use super::manifest::Manifest;
use crate::file;
use crate::subject::Subject;

/// A shard, and the generation that it is part of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// The generation's number, from 1.
    pub generation: u32,
    /// The generation's seed.
    pub seed: u64,
    /// The shard's number, from 0.
    pub shard: u32,
}

impl Shard {
    /// The file in a worker's folder.
    pub fn file(&self, folder: &Path) -> PathBuf {
        folder.join(format!("generation-{:02}-shard-{:05}.bin", self.generation, self.shard))
    }
}

/// The games of a subject, shard by shard.
#[derive(Debug)]
pub struct Shards<'s, S> {
    /// The subject that plays.
    pub subject: &'s S,
    /// The folder of the generations.
    pub data: &'s Path,
    /// How the first games are played. Later rounds are played with what was learnt, which their generations hold.
    pub manifest: Manifest,
}

impl<S: Subject> Work for Shards<'_, S> {
    type Task = Shard;
    type Done = Shard;
    type Identity = Manifest;

    const PART: &'static str = "shards.jsonl";

    fn identity(&self) -> Manifest {
        self.manifest.clone()
    }

    fn difference(&self, coordinator: &Manifest) -> Option<String> {
        let (theirs, ours) = (coordinator, &self.manifest);
        let fields = [
            ("the game", &theirs.game, &ours.game),
            ("the weights' digest", &theirs.weights, &ours.weights),
            ("the way of playing", &theirs.settings, &ours.settings),
        ];
        let differs = fields.into_iter().find(|(_, theirs, ours)| theirs != ours);
        match differs {
            Some((what, theirs, ours)) => Some(format!("{what} is \"{theirs}\" there, \"{ours}\" here")),
            None if theirs.continues(ours) => None,
            None => Some("--seed or --games-per-shard differs".to_owned()),
        }
    }

    fn number(task: &Shard) -> u32 {
        task.shard
    }

    fn task_of(&self, done: &Shard) -> Result<Shard, Mismatch> {
        Ok(done.clone())
    }

    fn is_kept(&self, done: &Shard, folder: &Path) -> bool {
        done.file(folder).exists()
    }

    fn play(&self, task: &Shard, folder: &Path) -> Result<Shard, ClusterError> {
        let failed = |error: anyhow::Error| ClusterError::work(format!("{error:#}"));
        let played =
            Generation::play(self.subject, self.data, task, || !cluster::is_stopped()).map_err(failed)?;
        let bytes = played.ok_or(ClusterError::from(GameError::Interrupted))?;
        file::write(&task.file(folder), &bytes).map_err(failed)?;
        Ok(task.clone())
    }
}
