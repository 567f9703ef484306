//! `--cluster`: games on many machines.

use std::path::{Path, PathBuf};

use crate::cluster::{Cluster, Kind, Launch, Name, Settings};
use crate::error::ArenaError;
use crate::series::machines::{Here, Machines};

/// The options of a cluster.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Cluster")]
pub struct ClusterArgs {
    /// Let workers play the games, on machines that share the run's folder: local:N (N processes of this machine), slurm:N (a
    /// job array), kubernetes:N (the manifest of an indexed job), manual (any number that you start). -j is then a worker's,
    /// 1 by default
    #[arg(long, value_name = "ENGINE:N", conflicts_with = "shard")]
    cluster: Option<Kind>,
    /// An argument for the engine, such as --cluster-arg=--partition=NAME for sbatch; may be given several times
    #[arg(long, value_name = "ARG", requires = "cluster", allow_hyphen_values = true)]
    cluster_arg: Vec<String>,
    /// Be a worker of this name in the run of the same command with --cluster
    #[arg(long, value_name = "NAME", conflicts_with = "shard")]
    worker: Option<Name>,
    /// End when the standard input does
    #[arg(long, requires = "worker", hide = true)]
    attached: bool,
}

impl ClusterArgs {
    /// The name of the worker that this process is, if it is one, and whether its life ends with its input.
    pub fn worker(&self) -> Option<(&Name, bool)> {
        self.worker.as_ref().map(|name| (name, self.attached))
    }

    /// Whether games are played by workers.
    pub fn is_given(&self) -> bool {
        self.cluster.is_some() || self.worker.is_some()
    }

    /// What plays the games of a run in this folder.
    ///
    /// # Errors
    /// If this program's path isn't known.
    pub fn machines(&self, folder: &Path, jobs: usize) -> Result<Box<dyn Machines>, ArenaError> {
        let Some(kind) = self.cluster else { return Ok(Box::new(Here::new(jobs))) };
        let unknown =
            |error: std::io::Error| ArenaError::Cluster(format!("this program's path isn't known: {error}"));
        let program = std::env::current_exe().map_err(unknown)?;
        // The folder is named, since a worker with another build would compute another one.
        let mut words = std::env::args().skip(1).collect::<Vec<_>>();
        words.extend(["--dir".to_owned(), absolute(folder).to_string_lossy().into_owned()]);
        let folder = absolute(folder);
        let launch = Launch {
            program,
            words,
            folder: folder.join("cluster"),
            jobs,
            arguments: self.cluster_arg.clone(),
        };
        Ok(Box::new(Cluster::new(Settings { kind, folder, launch })))
    }
}

/// A path from the root, which another machine understands.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
