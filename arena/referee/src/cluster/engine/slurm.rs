//! Workers as a job array of Slurm: `sbatch` starts them, Slurm starts them again on another node when one fails
//! (`--requeue`), and `scancel` ends those that are left.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use super::{Engine, Event, Launch};
use crate::atomic;
use crate::bot::exit::Exit;
use crate::cluster::ClusterError;
use crate::process::to_end::run_to_end;
use crate::text::note;

/// Interval between two questions to the controller.
const BETWEEN: Duration = Duration::from_secs(10);

/// Maximum time of a command of Slurm.
const LIMIT: Duration = Duration::from_secs(60);

/// A job array.
pub(super) struct Slurm {
    launch: Launch,
    workers: u32,
    job: Option<String>,
    asked: Instant,
}

impl Slurm {
    /// No job is submitted yet.
    pub(super) fn new(launch: Launch, workers: u32) -> Self {
        Self { launch, workers, job: None, asked: Instant::now() }
    }

    /// Where the number of the job is kept, for a coordinator that is started again.
    fn file(&self) -> PathBuf {
        self.launch.folder.join("slurm.job")
    }

    fn arguments(&self) -> Vec<String> {
        let Launch { folder, jobs, arguments, .. } = &self.launch;
        let log = folder.join("worker-%a.log");
        let mut words =
            ["--parsable", "--requeue", "--open-mode=append", "--job-name=arena"].map(str::to_owned).to_vec();
        words.push(format!("--array=1-{}", self.workers));
        words.push(format!("--cpus-per-task={jobs}"));
        words.push(format!("--output={}", log.display()));
        // The user's come last, so that they win.
        words.extend(arguments.iter().cloned());
        words.push(format!("--wrap=exec {}", self.launch.command("\"$SLURM_ARRAY_TASK_ID\"")));
        words
    }

    /// The states of the job's tasks that haven't ended; `None` if the controller doesn't answer.
    fn states(&self, job: &str) -> Option<Vec<String>> {
        let asked = run("squeue", ["--noheader", "--format=%T", "--jobs", job]);
        match asked {
            Ok(text) => Some(text.lines().map(|line| line.trim().to_owned()).collect()),
            // An old job is forgotten.
            Err(SlurmError::Exit { stderr, .. }) if stderr.contains("Invalid job id") => Some(Vec::new()),
            Err(_) => None,
        }
    }
}

impl Engine for Slurm {
    fn start(&mut self) -> Result<(), ClusterError> {
        if let Ok(job) = fs::read_to_string(self.file()) {
            let job = job.trim().to_owned();
            if self.states(&job).is_some_and(|states| !states.is_empty()) {
                note(format_args!("the workers of Slurm's job {job} go on"));
                self.job = Some(job);
                return Ok(());
            }
        }
        let answer = run("sbatch", self.arguments()).map_err(|error| ClusterError::Refused {
            reason: error.to_string(),
            arguments: shell_words::join(self.arguments()),
        })?;
        // JOB, or JOB;CLUSTER.
        let job = answer.trim().split(';').next().unwrap_or_default().to_owned();
        note(format_args!("{} workers are Slurm's job {job}", self.workers));
        let path = self.file();
        atomic::write(&path, job.as_bytes()).map_err(|source| ClusterError::Folder { path, source })?;
        self.job = Some(job);
        Ok(())
    }

    fn look(&mut self) -> Result<Vec<Event>, ClusterError> {
        let Some(job) = self.job.clone().filter(|_| self.asked.elapsed() >= BETWEEN) else {
            return Ok(Vec::new());
        };
        self.asked = Instant::now();
        match self.states(&job) {
            Some(states) if states.is_empty() => {
                let logs = self.launch.folder.join("worker-*.log");
                Err(ClusterError::Ended { job, logs })
            }
            _ => Ok(Vec::new()),
        }
    }

    fn stop(&mut self) {
        let Some(job) = self.job.take() else { return };
        if let Err(reason) = run("scancel", [&job]) {
            note(format_args!("scancel {job} has failed: {reason}"));
        }
        let _ = fs::remove_file(self.file());
    }
}

/// A command of Slurm has failed.
#[derive(Debug, thiserror::Error)]
enum SlurmError {
    #[error("{program}: {source}")]
    Start { program: &'static str, source: io::Error },
    #[error("{program}: {exit}: {stderr}")]
    Exit { program: &'static str, exit: Exit, stderr: String },
    #[error("{program} hasn't ended within {} s", LIMIT.as_secs())]
    Late { program: &'static str },
}

/// Runs a command of Slurm; returns what it prints, or why it has failed.
fn run(
    program: &'static str,
    words: impl IntoIterator<Item = impl AsRef<OsStr>>,
) -> Result<String, SlurmError> {
    let run = match run_to_end(Command::new(program).args(words), LIMIT) {
        Ok(run) => run,
        Err(source) => return Err(SlurmError::Start { program, source }),
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    match run.exit {
        Some(Exit::Code(0)) => Ok(text(&run.stdout)),
        Some(exit) => Err(SlurmError::Exit { program, exit, stderr: text(&run.stderr) }),
        None => Err(SlurmError::Late { program }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_runs_the_command_with_the_tasks_number() {
        let launch = Launch {
            program: PathBuf::from("/opt/arena"),
            words: vec!["sprt".to_owned(), "uttt".to_owned(), "./a b".to_owned()],
            folder: PathBuf::from("/shared/run/cluster"),
            jobs: 2,
            arguments: vec!["--partition=fast".to_owned()],
        };
        let words = Slurm::new(launch, 64).arguments();
        for word in ["--array=1-64", "--cpus-per-task=2", "--output=/shared/run/cluster/worker-%a.log"] {
            assert!(words.contains(&word.to_owned()), "{words:?}");
        }
        let wrap = "--wrap=exec /opt/arena sprt uttt './a b' --worker \"$SLURM_ARRAY_TASK_ID\"";
        assert_eq!(words[words.len() - 2..], ["--partition=fast", wrap]);
    }
}
