//! `arena run-bot`: runs a bot whose command line an external referee can't pass on, from a file of its words.

use std::path::PathBuf;
use std::process::Command;

use contest::utf8;

use crate::failure::Failure;
use coppice_referee::process;
use coppice_referee::process::recording::Recording;
use coppice_referee::process::relay;

/// The arguments of `arena run-bot`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A JSON list of the words
    pub file: PathBuf,
    /// Pass its streams on and record them in this file
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
}

/// Becomes the bot; returns only if that fails, or where the system can't do it.
///
/// # Errors
/// If the file can't be read, or the bot can't be started.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let fail = |reason: String| Failure::new(format!("{}: {reason}", args.file.display()));
    let text = utf8::read(&args.file).map_err(|error| fail(error.to_string()))?;
    let words = serde_json::from_slice::<Vec<String>>(&text).map_err(|error| fail(error.to_string()))?;
    let (program, arguments) = words.split_first().ok_or_else(|| fail("no words".to_owned()))?;
    if let Some(record) = &args.record {
        let recording = Recording::begin(record).map_err(|error| fail(error.to_string()))?;
        let ended = relay::relay(Command::new(program).args(arguments), recording);
        relay::end_like(ended.map_err(|error| fail(format!("can't start {program}: {error}")))?);
    }
    let ended = process::become_program(Command::new(program).args(arguments));
    match ended.map_err(|error| fail(format!("can't start {program}: {error}")))? {
        Some(0) => Ok(()),
        code => Err(fail(format!("{program} ended with code {}", code.unwrap_or(-1)))),
    }
}
