//! The coordinator takes what workers have left, whose files are written here.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::folder::{ClusterFolder, State, Status};
use super::{Coordinator, Kind, Launch, Settings, Work};
use crate::cluster::ClusterError;
use crate::process::noise::{MachineNoise, Noise};
use crate::record::games::Mismatch;

/// Tasks are numbers, and so are their results, beyond 1000 of other work.
struct Numbers;

impl Work for Numbers {
    type Task = u32;
    type Done = u32;
    type Identity = ();

    const PART: &'static str = "numbers.jsonl";

    fn identity(&self) {}

    fn difference(&self, (): &()) -> Option<String> {
        None
    }

    fn number(task: &u32) -> u32 {
        *task
    }

    fn task_of(&self, done: &u32) -> Result<u32, Mismatch> {
        (*done < 1000).then_some(*done).ok_or_else(|| Mismatch(format!("{done} is too large")))
    }

    fn play(&self, task: &u32, _: &Path) -> Result<u32, ClusterError> {
        Ok(*task)
    }
}

fn settings(folder: &Path) -> Settings {
    let launch = Launch {
        program: PathBuf::from("arena"),
        words: Vec::new(),
        folder: folder.join("cluster"),
        jobs: 1,
        arguments: Vec::new(),
    };
    Settings { kind: Kind::Manual, folder: folder.to_owned(), launch }
}

/// A worker that has done these tasks and has ended.
fn left(folder: &Path, name: &str, machine: &str, p99_ms: f64, done: &[u32]) {
    let worker = ClusterFolder::of(folder).worker(name);
    worker.create().unwrap();
    let lines = done.iter().map(|done| format!("{done}\n")).collect::<String>();
    fs::write(worker.path().join(Numbers::PART), lines).unwrap();
    let noise = Noise { trips: 9, p50_ms: 0.1, p99_ms, max_ms: 9.0, stolen_ms: None };
    let (machine, noise) = (machine.to_owned(), Some(noise));
    let status = Status { machine, pid: 1, jobs: 1, beat: 1, state: State::Ended, noise };
    worker.write_status(&status).unwrap();
}

/// Takes what earlier workers have left, round by round; no worker is started.
fn play(folder: &Path, rounds: &[&[u32]]) -> Result<(Vec<u32>, Vec<MachineNoise>), ClusterError> {
    let mut coordinator = Coordinator::open(&Numbers, &settings(folder))?;
    let mut taken = Vec::new();
    for &tasks in rounds {
        coordinator.play(tasks.iter().copied(), &mut |done, _| {
            taken.push(done);
            Ok(ControlFlow::Continue(()))
        })?;
    }
    Ok((taken, coordinator.noise()))
}

#[test]
fn each_machine_says_its_own_delays() {
    let folder = tempfile::tempdir().unwrap();
    left(folder.path(), "a", "node-1", 2.0, &[1, 4]);
    left(folder.path(), "b", "node-2", 0.5, &[2]);
    left(folder.path(), "c", "node-1", 3.0, &[3, 2]);
    let (taken, noise) = play(folder.path(), &[&[1, 2, 3, 4]]).unwrap();
    // A result that is there twice counts once.
    assert_eq!(taken.len(), 4);
    let told = noise.iter().map(|machine| (machine.machine.as_str(), machine.games)).collect::<Vec<_>>();
    assert_eq!(told, [("node-1", 3), ("node-2", 1)]);
    // The worst of a machine's workers.
    assert_eq!(noise[0].noise.unwrap().p99_ms, 3.0);
    assert_eq!(noise[1].noise.unwrap().p99_ms, 0.5);
}

#[test]
fn results_of_later_rounds_wait_for_them() {
    let folder = tempfile::tempdir().unwrap();
    left(folder.path(), "a", "node-1", 1.0, &[5, 2, 1, 3, 2]);
    let (taken, _) = play(folder.path(), &[&[1, 2], &[3], &[5]]).unwrap();
    assert_eq!(taken, [2, 1, 3, 5]);
}

#[test]
fn results_of_other_work_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    left(folder.path(), "a", "node-1", 1.0, &[1, 1001]);
    let error = play(folder.path(), &[&[1, 2]]).unwrap_err().to_string();
    assert!(error.contains("numbers.jsonl") && error.contains("1001 is too large"), "{error}");
}
