//! The size of a run, and budgets and numbers of games by it.

use serde::{Deserialize, Serialize};

/// The size of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// All games of the study.
    Full,
    /// At most a minute.
    Quick,
    /// All games, at the original's time limits.
    PublishedTime,
}

/// The budget of a move, by the kind of run.
#[derive(Debug, Clone, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "a budget as { full = \"--nodes 5000\", quick = \"--nodes 300\", published = \"--ms 100\" }"
)]
pub struct Budgets {
    /// In a full run.
    pub full: String,
    /// In a quick run.
    pub quick: String,
    /// At the original's time limits.
    pub published: String,
}

/// Games of each match, mirror and comparison of nodes, or tasks of each trial, by the kind of run. Always whole pairs.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields, expecting = "numbers of games as { full = 100, quick = 4 }")]
pub struct Games {
    /// In a full run.
    pub full: u32,
    /// In a quick run.
    pub quick: u32,
}

impl Budgets {
    /// The budget in a kind of run.
    pub fn of(&self, mode: Mode) -> &str {
        match mode {
            Mode::Full => &self.full,
            Mode::Quick => &self.quick,
            Mode::PublishedTime => &self.published,
        }
    }
}
