//! `--cluster`: one run on many machines.

use std::path::{Path, PathBuf};

use crate::failure::Failure;
use coppice_referee::cluster::{Kind, Launch, Name, Post, Settings};

/// The heading of these options in the help.
const HEADING: &str = "Cluster";

/// The options of a cluster.
#[derive(Debug, Clone, clap::Args)]
pub struct ClusterArgs {
    /// Let workers play the games, on machines that share the run's folder: local:N (N processes of this machine), slurm:N (a
    /// job array), kubernetes:N (the manifest of an indexed job), manual (any number that you start). The number of games at
    /// a time is then a worker's, 1 by default
    #[arg(long, value_name = "ENGINE:N", help_heading = HEADING)]
    cluster: Option<Kind>,
    /// An argument for slurm or kubernetes, such as --cluster-arg=--partition=NAME for sbatch; may be given several times
    #[arg(long, value_name = "ARG", requires = "cluster", allow_hyphen_values = true, help_heading = HEADING)]
    cluster_arg: Vec<String>,
    /// Join the run of the same command with --cluster as worker NAME
    #[arg(long, value_name = "NAME", help_heading = HEADING)]
    worker: Option<Name>,
    /// End when the standard input does
    #[arg(long, requires = "worker", hide = true)]
    attached: bool,
}

impl ClusterArgs {
    /// The worker that this process is to be in the run of `folder`, with `jobs` tasks at a time.
    pub fn post(&self, folder: &Path, jobs: usize) -> Option<Post> {
        let name = self.worker.clone()?;
        Some(Post { folder: folder.to_owned(), name, jobs, is_attached: self.attached })
    }

    /// Whether this process is a worker.
    pub fn is_worker(&self) -> bool {
        self.worker.is_some()
    }

    /// Whether games are played by workers.
    pub fn is_given(&self) -> bool {
        self.cluster.is_some() || self.worker.is_some()
    }

    /// The number of workers, if it is known.
    pub fn workers(&self) -> Option<u32> {
        self.cluster.and_then(Kind::workers)
    }

    /// How the work of a run in this folder is shared out; `None` without `--cluster`. `place` is an option and its path: they
    /// name the run for a worker, which with another build would compute another folder.
    ///
    /// # Errors
    /// If this program's path isn't known, or the engine takes no arguments.
    pub fn settings(
        &self,
        folder: &Path,
        place: (&str, &Path),
        jobs: usize,
    ) -> Result<Option<Settings>, Failure> {
        let Some(kind) = self.cluster else { return Ok(None) };
        if let (Kind::Local(_) | Kind::Manual, [argument, ..]) = (kind, &self.cluster_arg[..]) {
            return Err(Failure::usage(format!(
                "--cluster-arg={argument} is for the engines slurm and kubernetes: workers of this machine, and those that you \
                 start, take none"
            )));
        }
        let unknown =
            |error: std::io::Error| Failure::new(format!("this program's path isn't known: {error}"));
        let program = std::env::current_exe().map_err(unknown)?;
        let mut words = std::env::args().skip(1).collect::<Vec<_>>();
        words.extend([place.0.to_owned(), absolute(place.1).to_string_lossy().into_owned()]);
        let folder = absolute(folder);
        let launch = Launch {
            program,
            words,
            folder: folder.join("cluster"),
            jobs,
            arguments: self.cluster_arg.clone(),
        };
        Ok(Some(Settings { kind, folder, launch }))
    }
}

/// A path from the root, which another machine understands.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
