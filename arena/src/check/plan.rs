//! The checks of a bot and their results.

use std::fmt;

use contest::{Contest, Limits};
use serde::Serialize;

use coppice_referee::process::command_line::CommandLine;

/// The result of one check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Status {
    /// The check passed.
    Ok,
    /// It loses no game here, but should be fixed.
    Warning,
    /// It loses a game.
    Fault,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Fault => "FAULT",
        })
    }
}

/// One check and its result.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Item {
    /// The name of the check.
    pub name: String,
    /// The result.
    pub status: Status,
    /// The details of the result.
    pub detail: String,
    /// The last exchange, if it explains a fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exchange: Option<Exchange>,
}

impl Item {
    pub(crate) fn new(name: &str, status: Status, detail: impl Into<String>) -> Self {
        Self { name: name.to_owned(), status, detail: detail.into(), exchange: None }
    }
}

/// The checks of one bot.
pub(crate) struct Plan<'a> {
    /// The contest.
    pub contest: &'a dyn Contest,
    /// The bot.
    pub bot: CommandLine,
    /// The time limits of its answers.
    pub limits: Limits,
    /// The number of games against random moves, on each seat in turn.
    pub games: u32,
    /// The seed of the random moves and openings.
    pub seed: u64,
}

/// One turn's lines, byte for byte.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Exchange {
    /// The lines that were sent.
    pub sent: Vec<String>,
    /// The lines that the bot answered, escaped.
    #[serde(rename = "came")]
    pub received: Vec<String>,
    /// The last lines of standard error.
    pub stderr: String,
}
