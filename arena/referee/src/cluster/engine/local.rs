//! Workers as processes of this machine. They end with the coordinator, also if it is killed.

use std::time::{Duration, Instant};

use super::{Engine, Event, Launch};
use crate::bot::exit::Exit;
use crate::bot::Bot;
use crate::cluster::ClusterError;
use crate::process::command_line::CommandLine;
use crate::process::Process;

/// A worker that ends earlier than this after its start ...
const SHORT_LIFE: Duration = Duration::from_secs(2);

/// ... this many times in a row isn't started again.
const PATIENCE: u32 = 20;

/// Time for a worker to end its games and write its last words.
const GRACE: Duration = Duration::from_secs(5);

/// The workers.
pub(super) struct Local {
    launch: Launch,
    workers: Vec<Worker>,
}

struct Worker {
    name: String,
    /// `None` if it isn't started again.
    process: Option<Process>,
    started: Instant,
    short_lives: u32,
}

impl Local {
    /// No worker runs yet.
    pub(super) fn new(launch: Launch, names: Vec<String>) -> Self {
        let worker = |name| Worker { name, process: None, started: Instant::now(), short_lives: 0 };
        Self { launch, workers: names.into_iter().map(worker).collect() }
    }
}

impl Worker {
    fn start(&mut self, launch: &Launch) -> Result<(), ClusterError> {
        let own = ["--worker", &self.name, "--attached"];
        let words = launch.words.iter().map(String::as_str).chain(own).collect::<Vec<_>>();
        let line = CommandLine::new(&launch.program, &words);
        let process =
            Process::start(&line).map_err(|source| ClusterError::Start { line: line.to_string(), source })?;
        self.process = Some(process);
        self.started = Instant::now();
        Ok(())
    }

    /// Checks the worker's process; one that was killed is started again.
    fn look(&mut self, launch: &Launch) -> Result<Option<Event>, ClusterError> {
        let Some(mut process) = self.process.take_if(Process::has_exited) else { return Ok(None) };
        let exit = process.leave(GRACE).unwrap_or(Exit::Running);
        let worker = self.name.clone();
        let is_short = self.started.elapsed() < SHORT_LIFE;
        self.short_lives = if is_short { self.short_lives + 1 } else { 0 };
        let has_failed = matches!(exit, Exit::Code(code) if code != 0);
        if has_failed || self.short_lives >= PATIENCE {
            let said = process.stderr_tail();
            return Ok(Some(Event::Failed { worker, reason: format!("{exit}\n{said}").trim().to_owned() }));
        }
        self.start(launch)?;
        Ok(Some(Event::Ended { worker }))
    }
}

impl Engine for Local {
    fn start(&mut self) -> Result<(), ClusterError> {
        let launch = &self.launch;
        self.workers.iter_mut().try_for_each(|worker| worker.start(launch))
    }

    fn look(&mut self) -> Result<Vec<Event>, ClusterError> {
        let launch = &self.launch;
        let events = self.workers.iter_mut().map(|worker| worker.look(launch));
        Ok(events.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
    }

    fn stop(&mut self) {
        // The end of its input says it again.
        for mut process in self.workers.iter_mut().filter_map(|worker| worker.process.take()) {
            process.stop(GRACE);
        }
    }

    fn is_patient(&self) -> bool {
        true
    }
}
