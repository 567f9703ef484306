//! `run.json` in a run's folder: when, where and from which commit its games were played.
//!
//! No game depends on it: a run without the file is read and resumed like any other.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use crate::pool::{now, Commit};
use crate::project::note_run;
use coppice_referee::atomic;
use coppice_referee::report::summary::Summary;
use coppice_referee::series::tournament::Tournament;
use coppice_referee::series::SeriesError;
use coppice_referee::text::note;
use coppice_referee::text::words;
use coppice_stats::Sprt;

/// The file's name.
const FILE_NAME: &str = "run.json";

/// What a command makes of the games.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Purpose {
    /// The difference of two bots.
    Match,
    /// The verdict of a test.
    Sprt(Sprt),
    /// Ratings.
    Rate,
}

/// The content of `run.json`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct RunNotes {
    /// The purpose of the last command; `None` without the file.
    #[serde(default)]
    pub purpose: Option<Purpose>,
    /// The number of planned games; for a test the most. `None` for a pool, which has no end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<usize>,
    /// Whether the last command ended by itself: all games were played, or a test or threshold was decided.
    #[serde(default)]
    pub is_finished: bool,
    /// The bots' names in the order of the command line.
    #[serde(default)]
    pub bots: Vec<String>,
    /// The commands that played games, in their order.
    #[serde(default)]
    pub sessions: Vec<Session>,
}

/// A command that played games.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Session {
    /// The beginning, in RFC 3339.
    pub begun: String,
    /// The end; `None` while it lasts, or if the program was killed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<String>,
    /// The command line.
    pub command: String,
    /// The processor, how many of it, and the system.
    pub machine: String,
    /// The commit of the repository in which it was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<Commit>,
    /// The folder of the dialogues, if they were stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log_dir: Option<PathBuf>,
    /// The machines' delays, as sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub noise: Vec<String>,
}

/// The session of this command, which is being played.
pub(crate) struct Playing {
    path: PathBuf,
    notes: RunNotes,
    /// The number of games before it.
    games: usize,
}

impl RunNotes {
    /// The notes of a folder; none, with a note to the user, if the file can't be read.
    pub(crate) fn read(folder: &Path) -> Self {
        let path = folder.join(FILE_NAME);
        let read = fs::read(&path).and_then(|bytes| Ok(serde_json::from_slice(&bytes)?));
        read.unwrap_or_else(|error| {
            if error.kind() != io::ErrorKind::NotFound {
                note(format_args!(
                    "{}: {error}; dates and commits of the run are unknown, its games aren't affected",
                    path.display()
                ));
            }
            Self::default()
        })
    }

    /// The last command that played games.
    pub(crate) fn command(&self) -> Option<&str> {
        self.sessions.last().map(|session| session.command.as_str())
    }

    /// The folders of dialogues, the latest first.
    pub(crate) fn log_dirs(&self) -> impl Iterator<Item = &Path> {
        self.sessions.iter().rev().filter_map(|session| session.log_dir.as_deref())
    }

    /// Date, duration, machine and commit, as names and values. `file` is the file of games.
    pub(crate) fn about(&self, file: &Path) -> Vec<(String, String)> {
        let last_game = fs::metadata(file).and_then(|file| file.modified()).ok();
        let mut about = Vec::new();
        let mut add = |name: &str, value: String| about.push((name.to_owned(), value));
        match (self.sessions.first(), last_game) {
            (Some(first), _) => {
                add("begun", readable(&first.begun));
                let mut time = Duration::ZERO;
                for (index, session) in self.sessions.iter().enumerate() {
                    let is_last = index + 1 == self.sessions.len();
                    // One that was killed lasted until its last game, at least.
                    let end = session.ended.as_deref().and_then(parse).or(last_game.filter(|_| is_last));
                    let length = parse(&session.begun).and_then(|begun| end?.duration_since(begun).ok());
                    time += length.unwrap_or_default();
                }
                let time = humantime::format_duration(Duration::from_secs(time.as_secs().max(1)));
                let sessions = self.sessions.len();
                let parts = if sessions > 1 { format!(", in {sessions} parts") } else { String::new() };
                add("duration", format!("{time}{parts}"));
            }
            (None, Some(time)) => {
                add("last game", readable(&humantime::format_rfc3339_seconds(time).to_string()));
            }
            (None, None) => {}
        }
        let distinct = |values: Vec<String>| {
            let mut seen = BTreeSet::new();
            let new = values.iter().filter(|value| seen.insert(value.as_str())).cloned();
            new.collect::<Vec<_>>().join("; ")
        };
        let machines = distinct(self.sessions.iter().map(|session| session.machine.clone()).collect());
        let commits = self.sessions.iter().filter_map(|session| Some(session.commit.as_ref()?.short()));
        for (name, value) in [("machine", machines), ("commit", distinct(commits.collect()))] {
            if !value.is_empty() {
                add(name, value);
            }
        }
        about
    }

    fn write(&self, path: &Path) {
        let written = serde_json::to_vec_pretty(self).map_err(io::Error::from).and_then(|mut text| {
            text.push(b'\n');
            atomic::write(path, &text)
        });
        if let Err(error) = written {
            note(format_args!("can't write {}: {error}; the games aren't affected", path.display()));
        }
    }
}

impl Playing {
    /// Notes that a command begins to play the games up to `last` of a run.
    pub(crate) fn begin(tournament: &Tournament<'_>, last: u32, purpose: Purpose) -> Self {
        let series = tournament.series();
        let bots = series.names();
        let games = (tournament.games(u32::MAX).count(), Some(tournament.planned(last)));
        Self::begin_in(tournament.file(), games, purpose, bots, tournament.log_dir())
    }

    /// Notes that a command begins to play further games into `file`, which has `before` games, until there are `planned`.
    pub(crate) fn begin_in(
        file: &Path,
        (before, planned): (usize, Option<usize>),
        purpose: Purpose,
        bots: Vec<String>,
        log_dir: Option<&Path>,
    ) -> Self {
        let folder = file.parent().unwrap_or(Path::new("."));
        note_run(folder);
        let path = folder.join(FILE_NAME);
        let RunNotes { sessions, .. } = RunNotes::read(folder);
        let mut notes =
            RunNotes { purpose: Some(purpose), games: planned, is_finished: false, bots, sessions };
        notes.sessions.push(Session {
            begun: now(),
            ended: None,
            command: command_line(),
            machine: machine(),
            commit: Commit::of(Path::new(".")),
            log_dir: log_dir.and_then(|folder| std::path::absolute(folder).ok()),
            noise: Vec::new(),
        });
        notes.write(&path);
        Self { path, notes, games: before }
    }

    /// Notes the end of the games of a run, by an error too.
    pub(crate) fn end(
        mut self,
        tournament: &Tournament<'_>,
        summary: &Summary,
        played: &Result<(), SeriesError>,
    ) {
        self.notes.is_finished = played.is_ok();
        let noise = summary.noise.iter().map(ToString::to_string);
        let noise = noise.chain(summary.machines.iter().map(ToString::to_string)).collect();
        self.end_with(tournament.games(u32::MAX).count(), noise);
    }

    /// Notes the end. A command that has played none of the `games` is forgotten.
    pub(crate) fn end_with(mut self, games: usize, noise: Vec<String>) {
        let session = self.notes.sessions.pop().filter(|_| games > self.games);
        self.notes.sessions.extend(session.map(|session| Session { ended: Some(now()), noise, ..session }));
        self.notes.write(&self.path);
    }
}

/// The command that was given.
pub(crate) fn command_line() -> String {
    std::env::args().map(|word| words::quote(&word).into_owned()).collect::<Vec<_>>().join(" ")
}

/// This machine, as far as the system describes it.
pub fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let model = fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    let model = model.unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let noun = if cores == 1 { "processor" } else { "processors" };
    format!("{model}, {cores} {noun}, {}", std::env::consts::OS)
}

/// `2026-11-24T18:30:00Z` as `2026-11-24 18:30:00 UTC`.
fn readable(time: &str) -> String {
    time.replacen('T', " ", 1).replacen('Z', " UTC", 1)
}

fn parse(time: &str) -> Option<SystemTime> {
    humantime::parse_rfc3339_weak(time).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(begun: &str, ended: Option<&str>) -> Session {
        Session {
            begun: begun.to_owned(),
            ended: ended.map(str::to_owned),
            command: "arena match".to_owned(),
            machine: "m".to_owned(),
            commit: Some(Commit { id: "0123456789abcdef".to_owned(), dirty: true }),
            log_dir: None,
            noise: Vec::new(),
        }
    }

    #[test]
    fn times_of_all_parts_are_added() {
        let sessions = vec![
            session("2026-11-24T18:30:00Z", Some("2026-11-24T18:31:05Z")),
            session("2026-11-25T08:00:00Z", Some("2026-11-25T09:00:00Z")),
        ];
        let notes = RunNotes { sessions, ..RunNotes::default() };
        let about = notes.about(Path::new("nowhere"));
        let about = about.iter().map(|(name, value)| format!("{name}: {value}")).collect::<Vec<_>>();
        assert_eq!(
            about,
            [
                "begun: 2026-11-24 18:30:00 UTC",
                "duration: 1h 1m 5s, in 2 parts",
                "machine: m",
                "commit: 0123456789+changes"
            ]
        );
    }

    #[test]
    fn a_command_that_plays_nothing_leaves_no_session() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games.jsonl");
        let begin = |before| Playing::begin_in(&file, (before, Some(8)), Purpose::Rate, Vec::new(), None);
        begin(0).end_with(4, vec!["quiet".to_owned()]);
        begin(4).end_with(4, Vec::new());
        let notes = RunNotes::read(folder.path());
        assert_eq!((notes.sessions.len(), notes.purpose, notes.games), (1, Some(Purpose::Rate), Some(8)));
        assert_eq!(notes.sessions[0].noise, ["quiet"]);
        assert!(notes.sessions[0].ended.is_some());
        // One that was killed stays, without an end.
        drop(begin(4));
        assert_eq!(RunNotes::read(folder.path()).sessions[1].ended, None);
        fs::write(folder.path().join(FILE_NAME), "{").unwrap();
        assert_eq!(RunNotes::read(folder.path()), RunNotes::default());
    }
}
