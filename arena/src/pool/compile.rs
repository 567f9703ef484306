//! Compiles a bot that is one file of Rust.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::error::PoolError;
use coppice_referee::bot::exit::Exit;
use coppice_referee::process::command_line::CommandLine;
use coppice_referee::process::to_end::run_to_end;

/// The longest time that the compiler may take.
const LIMIT: Duration = Duration::from_secs(600);

/// Bytes of the compiler's words in a message.
const SHOWN_BYTES: usize = 4000;

/// Compiles `source` into `program` with the command line `rustc`.
///
/// # Errors
/// If the compiler can't be started or fails.
pub(super) fn compile(source: &Path, program: &Path, rustc: &str) -> Result<(), PoolError> {
    let line = CommandLine::parse(rustc)?;
    let mut command = line.command();
    command.arg("-o").arg(program).arg(source);
    let fail =
        |said: String| Err(PoolError::Compile { path: source.to_owned(), command: rustc.to_owned(), said });
    match run(&mut command) {
        Ok(None) => Ok(()),
        Ok(Some(said)) | Err(said) => fail(said),
    }
}

/// The output of a failing command; `None` if it succeeds.
fn run(command: &mut Command) -> Result<Option<String>, String> {
    let run = run_to_end(command, LIMIT)
        .map_err(|error| format!("can't start it: {error} (--rustc names another)"))?;
    match run.exit {
        Some(Exit::Code(0)) => Ok(None),
        None => Ok(Some(format!("it took more than {} s", LIMIT.as_secs()))),
        Some(_) => {
            let said = String::from_utf8_lossy(&run.stderr).trim().to_owned();
            let cut = said.char_indices().map(|(at, _)| at).find(|&at| at >= SHOWN_BYTES);
            Ok(Some(cut.map_or(said.clone(), |at| format!("{} …", &said[..at]))))
        }
    }
}
