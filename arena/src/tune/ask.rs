//! Asks a bot in any language for its tunable parameters, with `--tunables`.
//!
//! The bot is started with that argument and nothing on its input. It prints a line `NAME, int|float, VALUE, MIN, MAX`
//! for each parameter on its output and exits with status 0; it takes values in `--param NAME=VALUE`. The bots of the
//! workspace do so by [`bots::tunable`]. A search of this program is asked directly.

use std::time::{Duration, Instant};

use contest::Contest;

use coppice_referee::bot::exit::Exit;
use coppice_referee::bot::{Bot, Reply};
use coppice_referee::failure::FailureKind;
use coppice_referee::game::in_process::{InProcess, InProcessError};
use coppice_referee::process::command_line::CommandLine;
use coppice_referee::process::Process;
use coppice_referee::text::quoted;
use coppice_stats::tuning::space::{Parameter, ParameterError};

/// Maximum time for the answer: a bot only prints a few lines.
const LIMIT: Duration = Duration::from_secs(10);

/// The advice at the end of most errors.
const CONVENTION: &str =
    "a bot that can be tuned prints a line `NAME, int|float, VALUE, MIN, MAX` for each parameter when it \
                          is started with --tunables, exits with status 0, and takes --param NAME=VALUE";

/// The reasons why nothing can be tuned.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AskError {
    /// The bot can't be started.
    #[error("can't start `{command}`: {source}\ncheck the path, and build the bot if that hasn't been done")]
    Start {
        /// The command line.
        command: String,
        /// The system's error.
        source: std::io::Error,
    },
    /// It doesn't list its parameters.
    #[error("`{command}` doesn't say what can be tuned: {why}\n{CONVENTION}")]
    NoAnswer {
        /// The command line.
        command: String,
        /// The bot's behaviour, as a clause.
        why: String,
    },
    /// It has no parameters.
    #[error("`{command}` has nothing that can be tuned\n{CONVENTION}")]
    Nothing {
        /// The command line.
        command: String,
    },
    /// One of its lines is invalid.
    #[error("line {line} that `{command}` prints: {why}: {found}\n{CONVENTION}")]
    Line {
        /// The command line.
        command: String,
        /// The line's number, from 1.
        line: usize,
        /// The mistake.
        why: ParameterError,
        /// The line.
        found: String,
    },
    /// Two parameters have the same name.
    #[error("`{command}` has two parameters called {name}")]
    Twice {
        /// The command line.
        command: String,
        /// The name.
        name: String,
    },
    /// The search is unknown.
    #[error(transparent)]
    InProcess(#[from] InProcessError),
}

impl AskError {
    /// The kind of failure, which decides the exit status.
    pub fn kind(&self) -> FailureKind {
        match self {
            Self::InProcess(error) => error.kind(),
            _ => FailureKind::Other,
        }
    }
}

/// The parameters of a bot or of a search of this program.
///
/// # Errors
/// If the bot can't be started, doesn't list its parameters, prints an invalid line, or has no parameter.
pub(crate) fn parameters(
    contest: Option<&dyn Contest>,
    bot: &CommandLine,
) -> Result<Vec<Parameter>, AskError> {
    let text = bot.to_string();
    let (command, lines) = match (InProcess::parse(&text)?, contest) {
        (Some(search), Some(contest)) => {
            let tunables = search.tunables(contest)?;
            (text, tunables.iter().map(ToString::to_string).collect())
        }
        _ => {
            let asked = bot.with(&["--tunables".to_owned()]);
            (asked.to_string(), lines_of(&asked)?)
        }
    };
    let mut parameters: Vec<Parameter> = Vec::new();
    for (line, found) in (1..).zip(lines).filter(|(_, found)| !found.trim().is_empty()) {
        let parameter = Parameter::parse(&found).map_err(|why| AskError::Line {
            command: command.clone(),
            line,
            why,
            found: quoted(found.as_bytes()),
        })?;
        if parameters.iter().any(|other| other.name == parameter.name) {
            return Err(AskError::Twice { command, name: parameter.name });
        }
        parameters.push(parameter);
    }
    match parameters.is_empty() {
        true => Err(AskError::Nothing { command }),
        false => Ok(parameters),
    }
}

/// The output of a command until it exits.
fn lines_of(line: &CommandLine) -> Result<Vec<String>, AskError> {
    let command = line.to_string();
    let begun = Instant::now();
    let mut process =
        Process::start(line).map_err(|source| AskError::Start { command: command.clone(), source })?;
    process.dismiss();
    let why = match process.output(begun, LIMIT) {
        Reply::Closed { bytes, exit: Exit::Code(0), .. } => {
            return Ok(String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect());
        }
        Reply::Closed { exit, .. } => exit.to_string(),
        Reply::Silent { .. } => format!("it was still running after {} s", LIMIT.as_secs()),
        Reply::Answer { .. } | Reply::Unasked { .. } | Reply::TooLong { .. } => {
            "it printed more than 64 KB, or a line of more than 10,000 bytes".to_owned()
        }
    };
    process.stop(Duration::ZERO);
    let said = process.stderr_tail();
    let said =
        said.trim_end().lines().next_back().map(|line| format!(", after saying {}", quoted(line.as_bytes())));
    Err(AskError::NoAnswer { command, why: why + &said.unwrap_or_default() })
}
