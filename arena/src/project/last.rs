//! The last run of a folder: its name is kept, and `last` stands for it.

use std::path::{Path, PathBuf};

use clap::Command;
use coppice_referee::atomic;

use super::words::scan;
use super::MOST_PARENTS;

/// The default folder of runs.
pub(crate) const RUNS: &str = "arena-games";

/// The word for the last run's folder.
const LAST: &str = "last";

/// The file that names the last run's folder, in the folder of the runs.
const LAST_FILE: &str = "last";

/// The subcommands that read games.
const READING: [&str; 7] = ["view", "replay", "stats", "regress", "report", "cases", "mistakes"];

/// Replaces `last` by the last run's folder where a subcommand reads games. `words` begin with the program's own name.
pub(crate) fn last_run(words: &mut [String], commands: &Command) {
    let Some(command) = words.get(1).and_then(|name| commands.find_subcommand(name)) else { return };
    if !READING.contains(&command.get_name()) {
        return;
    }
    for at in scan(command, words, 2).positionals {
        if words[at] == LAST && !Path::new(LAST).exists() {
            if let Some(folder) = last_folder() {
                words[at] = folder;
            }
        }
    }
}

/// The folder of the last run that began in this folder or one above it: relative to this folder where it lies below.
pub(crate) fn last_folder() -> Option<String> {
    let mut folder = PathBuf::new();
    for _ in 0..MOST_PARENTS {
        if let Ok(text) = contest::utf8::read_to_string(folder.join(RUNS).join(LAST_FILE)) {
            let noted = Path::new(text.trim_end());
            let here = std::env::current_dir().unwrap_or_default();
            return Some(noted.strip_prefix(here).unwrap_or(noted).to_string_lossy().into_owned());
        }
        folder.push("..");
    }
    None
}

/// Notes that a run begins, for [`last_run`].
pub(crate) fn note_run(folder: &Path) {
    let runs = Path::new(RUNS);
    let Ok(folder) = std::path::absolute(folder) else { return };
    // Only a convenience: a run doesn't fail because of it.
    let _ = std::fs::create_dir_all(runs);
    let _ = atomic::write(&runs.join(LAST_FILE), folder.to_string_lossy().as_bytes());
}
