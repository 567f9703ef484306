//! The origin of results.

use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use coppice_arena::subcommand::machine;
use coppice_referee::series::entrant;

/// The date, machine and build of this program with which a row was measured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The day, as 2026-01-31, in UTC.
    pub date: String,
    /// The processor, how many of it, and the system.
    pub machine: String,
    /// A hash of this program, which has the searches in it; `None` if its file can't be read.
    pub build: Option<String>,
    /// The commit that this program was built from; `None` outside a repository, and in old rows.
    #[serde(default)]
    pub commit: Option<String>,
}

impl Origin {
    /// The current date, machine and build.
    pub fn now() -> Self {
        let time = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
        let date = time.split('T').next().unwrap_or_default().to_owned();
        Self {
            date,
            machine: machine(),
            build: entrant::own_hash(),
            commit: option_env!("COPPICE_COMMIT").map(str::to_owned),
        }
    }
}
