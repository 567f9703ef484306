//! The commit of the working folder's git repository.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use coppice_referee::bot::exit::Exit;
use coppice_referee::process::to_end::run_to_end;

/// The longest time that git may take.
const LIMIT: Duration = Duration::from_secs(20);

/// The commit a bot was built from, as far as git knows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Commit {
    /// The commit.
    pub id: String,
    /// Whether tracked files had been changed since.
    pub dirty: bool,
}

impl Commit {
    /// The commit that is checked out in a folder; `None` without git or a repository.
    pub(crate) fn of(folder: &Path) -> Option<Self> {
        let id = git(folder, &["rev-parse", "--verify", "HEAD"])?;
        let changes = git(folder, &["status", "--porcelain", "--untracked-files=no"])?;
        Some(Self { id, dirty: !changes.is_empty() })
    }

    /// The tracked files that have changed since, as git counts them; `None` if it doesn't know the commit.
    pub(crate) fn changes(&self, folder: &Path) -> Option<String> {
        let changes = git(folder, &["diff", "--shortstat", &self.id])?;
        Some(if changes.is_empty() { "no file changed".to_owned() } else { changes })
    }

    /// The first digits, with a mark if files had been changed.
    pub(crate) fn short(&self) -> String {
        let digits = self.id.chars().take(10).collect::<String>();
        format!("{digits}{}", if self.dirty { "+changes" } else { "" })
    }
}

fn git(folder: &Path, arguments: &[&str]) -> Option<String> {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(arguments);
    let run = run_to_end(&mut command, LIMIT).ok()?;
    let has_worked = run.exit == Some(Exit::Code(0));
    has_worked.then(|| String::from_utf8_lossy(&run.stdout).trim().to_owned())
}
