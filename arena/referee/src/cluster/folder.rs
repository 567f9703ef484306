//! The files that coordinator and workers share.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::atomic;
use crate::cluster::ClusterError;
use crate::process::noise::Noise;

/// The shared folder of a run.
#[derive(Debug, Clone)]
pub(super) struct ClusterFolder(PathBuf);

/// The coordinator's message to all workers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Run<I> {
    /// A hash of the program: a worker of another build refuses to play.
    pub program: Option<String>,
    /// The work: a worker with another one refuses to play.
    pub work: I,
    /// Changes as long as the coordinator lives.
    pub beat: u64,
}

/// The coordinator's message to one worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Orders<T> {
    /// The tasks that it is to do, in this order, among them those that it is doing or has just finished.
    pub tasks: Vec<T>,
    /// Whether the run is over.
    pub stop: bool,
}

/// A worker's status, which it writes itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Status {
    /// The machine's name.
    pub machine: String,
    /// The process's number there.
    pub pid: u32,
    /// The number of tasks that it does at a time.
    pub jobs: usize,
    /// Changes as long as it lives.
    pub beat: u64,
    /// Whether it plays, has ended or has failed.
    pub state: State,
    /// The machine's delays, at the end.
    #[serde(default)]
    pub noise: Option<Noise>,
}

/// A worker's state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum State {
    /// It plays, or waits for orders.
    Ready,
    /// It has ended, without an error.
    Ended,
    /// It has ended with this error, or it refuses to play.
    Failed(String),
}

impl<T> Default for Orders<T> {
    fn default() -> Self {
        Self { tasks: Vec::new(), stop: false }
    }
}

impl ClusterFolder {
    /// The one in a run's folder.
    pub(super) fn of(run: &Path) -> Self {
        Self(run.join("cluster"))
    }

    /// Its path.
    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// Reads the coordinator's message to all workers; `None` before the first one.
    pub(super) fn run<I: DeserializeOwned>(&self) -> Option<Run<I>> {
        read(&self.0.join("run.json"))
    }

    /// Replaces it.
    ///
    /// # Errors
    /// If it can't be written.
    pub(super) fn write_run(&self, run: &Run<impl Serialize>) -> Result<(), ClusterError> {
        write(&self.0.join("run.json"), run)
    }

    /// A worker's folder.
    pub(super) fn worker(&self, name: &str) -> WorkerFolder {
        WorkerFolder(self.0.join("workers").join(name))
    }

    /// The names of the workers that have a folder.
    pub(super) fn workers(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.0.join("workers")) else { return Vec::new() };
        let folders = entries.flatten().filter(|entry| entry.path().is_dir());
        let mut names = folders.filter_map(|entry| entry.file_name().into_string().ok()).collect::<Vec<_>>();
        names.sort();
        names
    }
}

/// The folder of a worker.
#[derive(Debug, Clone)]
pub(super) struct WorkerFolder(PathBuf);

impl WorkerFolder {
    /// Makes the folder.
    ///
    /// # Errors
    /// If it can't be made.
    pub(super) fn create(&self) -> Result<(), ClusterError> {
        fs::create_dir_all(&self.0).map_err(|source| failed(&self.0, source))
    }

    /// Its path.
    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// Reads the coordinator's orders; `None` before the first ones.
    pub(super) fn orders<T: DeserializeOwned>(&self) -> Option<Orders<T>> {
        read(&self.0.join("orders.json"))
    }

    /// Replaces the orders.
    ///
    /// # Errors
    /// If they can't be written.
    pub(super) fn write_orders(&self, orders: &Orders<impl Serialize>) -> Result<(), ClusterError> {
        write(&self.0.join("orders.json"), orders)
    }

    /// The worker's status; `None` if it hasn't written one.
    pub(super) fn status(&self) -> Option<Status> {
        read(&self.0.join("status.json"))
    }

    /// Replaces what it says.
    ///
    /// # Errors
    /// If it can't be written.
    pub(super) fn write_status(&self, status: &Status) -> Result<(), ClusterError> {
        write(&self.0.join("status.json"), status)
    }
}

/// Opens and reads a file; `None` if it is missing or incomplete. A network's file system shows another machine's changes
/// when a file is opened, so nothing is kept open, and no times of files are compared.
fn read<T: DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

fn write(path: &Path, value: &impl Serialize) -> Result<(), ClusterError> {
    let text = serde_json::to_vec(value).map_err(io::Error::from);
    let folder = path.parent().unwrap_or(path);
    let written = text.and_then(|text| {
        fs::create_dir_all(folder)?;
        atomic::write(path, &text)
    });
    written.map_err(|source| failed(path, source))
}

fn failed(path: &Path, source: io::Error) -> ClusterError {
    ClusterError::Folder { path: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_half_files_are_none() {
        let folder = tempfile::tempdir().unwrap();
        let cluster = ClusterFolder::of(folder.path());
        let worker = cluster.worker("7");
        assert_eq!((worker.orders::<u32>(), cluster.workers()), (None, Vec::new()));
        let orders = Orders { tasks: vec![3, 4], stop: false };
        worker.write_orders(&orders).unwrap();
        assert_eq!((worker.orders(), cluster.workers()), (Some(orders), vec!["7".to_owned()]));
        fs::write(folder.path().join("cluster/workers/7/orders.json"), "{\"tasks\": [3").unwrap();
        assert_eq!(worker.orders::<u32>(), None);
    }
}
