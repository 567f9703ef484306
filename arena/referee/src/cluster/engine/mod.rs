//! Starts, restarts and stops workers: on this machine, by a cluster's own engine, or by the user.

mod kubernetes;
mod local;
mod manual;
mod slurm;

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use crate::cluster::ClusterError;

/// Maximum number of workers.
const MOST_WORKERS: u32 = 10_000;

/// Starts and stops workers.
pub trait Engine {
    /// Starts the workers; those that an earlier coordinator has left may go on.
    ///
    /// # Errors
    /// If the engine can't be asked, or refuses.
    fn start(&mut self) -> Result<(), ClusterError>;

    /// Events since the last call.
    ///
    /// # Errors
    /// If no worker is left and none will be started.
    fn look(&mut self) -> Result<Vec<Event>, ClusterError> {
        Ok(Vec::new())
    }

    /// Ends the workers that are left. They have been told to stop.
    fn stop(&mut self) {}

    /// Whether [`Engine::stop`] waits until workers have ended by themselves.
    fn is_patient(&self) -> bool {
        false
    }
}

/// A change in a worker's state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// The process has ended; the engine starts it again.
    Ended {
        /// The worker.
        worker: String,
    },
    /// The process has ended, and isn't started again.
    Failed {
        /// The worker.
        worker: String,
        /// Why.
        reason: String,
    },
}

/// How workers are started.
#[derive(Debug, Clone)]
pub struct Launch {
    /// This program.
    pub program: PathBuf,
    /// The arguments of a worker, without its name.
    pub words: Vec<String>,
    /// The cluster's folder.
    pub folder: PathBuf,
    /// The number of games that a worker plays at a time.
    pub jobs: usize,
    /// Arguments for the engine.
    pub arguments: Vec<String>,
}

impl Launch {
    /// The command line of a worker; `name` is written as it is, so that a shell may fill it in.
    fn command(&self, name: &str) -> String {
        let words = std::iter::once(self.program.to_string_lossy().into_owned()).chain(self.words.clone());
        format!("{} --worker {name}", shell_words::join(words))
    }
}

/// The engine of a cluster, with the number of workers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Processes of this machine.
    Local(u32),
    /// A job array of Slurm.
    Slurm(u32),
    /// An indexed job of Kubernetes, as a file.
    Kubernetes(u32),
    /// The user starts any number of workers.
    Manual,
}

impl Kind {
    /// The number of workers, if it is known.
    pub fn workers(self) -> Option<u32> {
        match self {
            Self::Local(workers) | Self::Slurm(workers) | Self::Kubernetes(workers) => Some(workers),
            Self::Manual => None,
        }
    }

    /// The names of the workers that it starts.
    pub fn names(self) -> Vec<String> {
        match self {
            // Indices of such jobs begin with 0.
            Self::Kubernetes(workers) => (0..workers).map(|worker| worker.to_string()).collect(),
            Self::Local(workers) | Self::Slurm(workers) => {
                (1..=workers).map(|worker| worker.to_string()).collect()
            }
            Self::Manual => Vec::new(),
        }
    }

    /// The engine.
    pub fn engine(self, launch: Launch) -> Box<dyn Engine> {
        match self {
            Self::Local(_) => Box::new(local::Local::new(launch, self.names())),
            Self::Slurm(workers) => Box::new(slurm::Slurm::new(launch, workers)),
            Self::Kubernetes(workers) => Box::new(kubernetes::Kubernetes::new(launch, workers)),
            Self::Manual => Box::new(manual::Manual::new(launch)),
        }
    }
}

/// A text that is no [`Kind`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected local:N, slurm:N, kubernetes:N (N from 1 to {MOST_WORKERS}) or manual, found `{0}`")]
pub struct UnknownEngine(String);

impl FromStr for Kind {
    type Err = UnknownEngine;

    fn from_str(text: &str) -> Result<Self, UnknownEngine> {
        let wrong = || UnknownEngine(text.to_owned());
        if text == "manual" {
            return Ok(Self::Manual);
        }
        let (name, workers) = text.split_once(':').ok_or_else(wrong)?;
        let workers = workers.parse::<u32>().ok().filter(|workers| (1..=MOST_WORKERS).contains(workers));
        let workers = workers.ok_or_else(wrong)?;
        match name {
            "local" => Ok(Self::Local(workers)),
            "slurm" => Ok(Self::Slurm(workers)),
            "kubernetes" => Ok(Self::Kubernetes(workers)),
            _ => Err(wrong()),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Local(workers) => write!(f, "local:{workers}"),
            Self::Slurm(workers) => write!(f, "slurm:{workers}"),
            Self::Kubernetes(workers) => write!(f, "kubernetes:{workers}"),
            Self::Manual => f.write_str("manual"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_read_as_they_are_written() {
        for text in ["local:4", "slurm:64", "kubernetes:3", "manual"] {
            assert_eq!(text.parse::<Kind>().unwrap().to_string(), text);
        }
        for text in ["", "local", "local:0", "slurm:-1", "slurm:10001", "pbs:3", "manual:3"] {
            assert!(text.parse::<Kind>().unwrap_err().to_string().contains("expected local:N"), "{text}");
        }
    }
}
