//! The work that a cluster shares: tasks, each played by one worker, whose results go into that worker's part.

use std::fmt;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::Serialize;

use crate::cluster::ClusterError;
use crate::record::games::Mismatch;

/// Work that is shared out among workers: games of a match, pairs of a tune, files of self-play. Coordinator and workers make
/// the same from their command lines.
pub trait Work: Sync {
    /// A task: what one worker does alone, and another does again if that one dies.
    type Task: Clone + PartialEq + fmt::Debug + Send + Serialize + DeserializeOwned;
    /// The result of a task: a line of the worker's part.
    type Done: Send + Serialize + DeserializeOwned;
    /// The properties that coordinator and workers must share, in addition to the program.
    type Identity: PartialEq + Serialize + DeserializeOwned;

    /// The file name of a worker's part.
    const PART: &'static str;

    /// The work as it is seen here.
    fn identity(&self) -> Self::Identity;

    /// The first difference from the coordinator's work, as text; `None` if a worker may take part.
    fn difference(&self, coordinator: &Self::Identity) -> Option<String>;

    /// A task's number, from 0 or 1. Tasks of later rounds have larger ones.
    fn number(task: &Self::Task) -> u32;

    /// The task of a result.
    ///
    /// # Errors
    /// If the result belongs to other work, with the difference.
    fn task_of(&self, done: &Self::Done) -> Result<Self::Task, Mismatch>;

    /// Whether the files of a result, if it has some, are still in the worker's folder.
    fn is_kept(&self, _done: &Self::Done, _folder: &Path) -> bool {
        true
    }

    /// Does a task. Files that belong to the result go into the worker's folder.
    ///
    /// # Errors
    /// If a bot can't be started, a file can't be written, or on an interrupt
    /// ([`GameError::Interrupted`](crate::game::GameError::Interrupted)), which also comes when the work is over. An error
    /// ends the worker.
    fn play(&self, task: &Self::Task, folder: &Path) -> Result<Self::Done, ClusterError>;
}
