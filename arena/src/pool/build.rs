//! Runs the commands that make bots: compilers, bundlers, and whatever a user names.

use std::io;
use std::process::Command;
use std::time::Duration;

use super::error::PoolError;
use coppice_referee::bot::exit::Exit;
use coppice_referee::game::GameError;
use coppice_referee::process::interrupted;
use coppice_referee::process::to_end::{run_to_end, Run, KEPT_BYTES};

/// The compiler of bots that are Rust source, as the site calls it.
pub(crate) const RUSTC: &str = "rustc --edition 2021 -O";

/// The longest time that such a command may take.
const LIMIT: Duration = Duration::from_secs(1800);

/// Bytes of its words in a message, from the beginning and from the end.
const SHOWN_BYTES: usize = 2000;

/// A command that makes a bot has failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// It can't be started.
    #[error("can't start `{command}`: {source}{hint}")]
    Start {
        /// The command line.
        command: String,
        /// The system's error.
        source: io::Error,
        /// Advice.
        hint: &'static str,
    },
    /// It fails, takes too long, or makes nothing of use.
    #[error("`{command}` failed ({status}):\n{said}")]
    Failed {
        /// The command line.
        command: String,
        /// The exit status, or another reason.
        status: String,
        /// The end of its output, or the reason.
        said: String,
    },
    /// The user has interrupted it.
    #[error(transparent)]
    Interrupted(GameError),
}

/// Runs a command that makes a bot to its end; its standard output. `shown` is the command in messages.
///
/// # Errors
/// If it can't be started or fails, or after an interrupt.
pub(crate) fn run_build(
    bot: &str,
    command: &mut Command,
    shown: &str,
    hint: &'static str,
) -> Result<Vec<u8>, PoolError> {
    let run = run_to_end(command, LIMIT);
    let command = shown.to_owned();
    let error = match run {
        _ if interrupted() => BuildError::Interrupted(GameError::Interrupted),
        Err(source) => BuildError::Start { command, source, hint },
        Ok(Run { exit: Some(Exit::Code(0)), stdout, .. }) if stdout.len() < KEPT_BYTES => return Ok(stdout),
        Ok(Run { exit, stdout, stderr, .. }) => {
            let status = match exit {
                Some(Exit::Code(0)) => format!("it printed {KEPT_BYTES} bytes, which can't be a bot's text"),
                Some(exit) => exit.to_string(),
                None => format!("it took more than {} s", LIMIT.as_secs()),
            };
            // Some compilers report on the standard output.
            let said = if stderr.trim_ascii().is_empty() { stdout } else { stderr };
            let said = said.trim_ascii();
            // Compilers say the cause first, other tools last.
            let (head, rest) = said.split_at(said.len().min(SHOWN_BYTES));
            let tail = &rest[rest.len().saturating_sub(SHOWN_BYTES)..];
            let cut = if tail.len() < rest.len() { "\n[...]\n" } else { "" };
            let [head, tail] = [head, tail].map(String::from_utf8_lossy);
            BuildError::Failed { command, status, said: format!("{head}{cut}{tail}") }
        }
    };
    Err(PoolError::Build { bot: bot.to_owned(), error })
}
