//! `arena.toml`: what the command lines of a workspace leave out.
//!
//! The file names the contest or the referee, bots, and options of subcommands under the names that command lines have for
//! them. [`Project::plan`] completes a command line; whatever is on the command line stays as it is.

mod board;
mod bots;
mod error;
mod last;
mod plan;
mod read;
mod words;

use std::path::{Path, PathBuf};

use clap::Command;
use contest::Contest;

pub(crate) use board::template;
pub(crate) use bots::{build, BotSource, Built};
pub(crate) use error::ProjectError;
pub(crate) use last::{last_folder, last_run, note_run, RUNS};
pub(crate) use plan::{Plan, SITE};

/// The file's name.
pub(crate) const FILE_NAME: &str = "arena.toml";

/// The table whose options hold for every subcommand that has them.
const RUN: &str = "run";

/// The table of a heuristic contest's tester.
const HEURISTIC: &str = "heuristic";

/// The option of the table [`HEURISTIC`] that it can't do without.
const TESTER: &str = "tester";

/// The most folders above the working folder that are searched for the file.
const MOST_PARENTS: usize = 30;

/// The site's limit in bytes.
pub(crate) const LIMIT_BYTES: usize = 100_000;

/// The content of `arena.toml`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Project {
    /// The path of the file, relative to the working folder.
    pub path: PathBuf,
    /// The contest's name, the referee's command line, or the tester.
    pub host: Option<Host>,
    /// The folder of the pool, relative to that of the file.
    pub pool: String,
    /// The bundler's command line.
    pub bundler: Option<String>,
    /// The compiler's command line for bundles.
    pub rustc: String,
    /// The bots, in the order of the file.
    pub bots: Vec<(String, BotSource)>,
    /// The bots of a subcommand whose command line names none.
    pub lineups: Vec<(String, Vec<String>)>,
    /// Options of subcommands.
    pub options: Vec<Setting>,
}

/// The contest or the referee of the games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Host {
    /// A contest of this program.
    Contest(String),
    /// An external referee.
    Referee(String),
    /// The tester of a heuristic contest, as the options of the table [`HEURISTIC`].
    Heuristic,
}

/// An option of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Setting {
    /// The table: [`RUN`], or a subcommand.
    pub table: String,
    /// The option's long name.
    pub key: String,
    /// The values; none for a flag.
    pub values: Vec<String>,
    /// The line in the file.
    pub line: usize,
}

impl Setting {
    /// The option as words of a command line.
    pub(crate) fn words(&self) -> Vec<String> {
        match self.values.as_slice() {
            [] => vec![format!("--{}", self.key)],
            values => values.iter().map(|value| format!("--{}={value}", self.key)).collect(),
        }
    }
}

/// The project's file: in the working folder or the nearest folder above it that has one.
fn path() -> Option<PathBuf> {
    let mut folder = PathBuf::new();
    for _ in 0..MOST_PARENTS {
        let path = folder.join(FILE_NAME);
        if path.is_file() {
            return Some(path);
        }
        folder.push("..");
    }
    None
}

impl Project {
    /// The file of the working folder, or of the nearest folder above it; `None` if there is none.
    ///
    /// # Errors
    /// If it can't be read, or a key or value makes no sense.
    pub(crate) fn find(commands: &Command, known: &[&dyn Contest]) -> Result<Option<Self>, ProjectError> {
        path().map(|path| read::read(&path, commands, known)).transpose()
    }

    /// The folder of the file, relative to the working folder; empty if it is that.
    pub(crate) fn root(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    /// The folder of the file, as a path that is never empty.
    pub(crate) fn root_or_here(&self) -> &Path {
        Some(self.root()).filter(|root| !root.as_os_str().is_empty()).unwrap_or(Path::new("."))
    }

    /// The tester's command line.
    pub(crate) fn tester(&self) -> &str {
        let tester = self.options.iter().find(|setting| setting.table == HEURISTIC && setting.key == TESTER);
        tester.and_then(|setting| setting.values.first()).map_or("", String::as_str)
    }

    /// The contest, the referee or the tester as words of a command line; none if the file names none.
    pub(crate) fn host_words(&self) -> Vec<String> {
        match &self.host {
            Some(Host::Contest(name)) => vec![name.clone()],
            Some(Host::Referee(line)) => vec![format!("--referee={line}")],
            Some(Host::Heuristic) => {
                let own = self.options.iter().filter(|setting| setting.table == HEURISTIC);
                own.flat_map(Setting::words).collect()
            }
            None => Vec::new(),
        }
    }

    /// The options of the table [`RUN`] that a subcommand of a subcommand has, as words.
    pub(crate) fn options_of(&self, commands: &Command, path: &[&str]) -> Vec<String> {
        let command = path.iter().try_fold(commands, |command, name| command.find_subcommand(name));
        let has = |setting: &&Setting| {
            let has_long =
                |command: &Command| command.get_arguments().any(|arg| words::has_long(arg, &setting.key));
            setting.table == RUN && command.is_some_and(has_long)
        };
        self.options.iter().filter(has).flat_map(Setting::words).collect()
    }

    /// The folder of the pool.
    pub(crate) fn pool_folder(&self) -> PathBuf {
        self.root().join(&self.pool)
    }
}

#[cfg(test)]
mod tests;
