//! The origin of results.

use std::fs;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

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
}

impl Origin {
    /// The current date, machine and build.
    pub fn now() -> Self {
        let time = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
        let date = time.split('T').next().unwrap_or_default().to_owned();
        Self { date, machine: machine(), build: entrant::own_hash() }
    }
}

/// The machine, as far as the system describes it.
fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let model = fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    let model = model.unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let noun = if cores == 1 { "processor" } else { "processors" };
    format!("{model}, {cores} {noun}, {}", std::env::consts::OS)
}
