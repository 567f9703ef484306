//! Compiles a bot that is one file of Rust.

use std::path::Path;
use std::time::Duration;

use super::error::PoolError;
use coppice_referee::bot::exit::Exit;
use coppice_referee::process::command_line::CommandLine;
use coppice_referee::process::to_end::{run_to_end, Run};

/// The compiler of bots that are Rust source, as the site calls it.
pub(crate) const RUSTC: &str = "rustc --edition 2021 -O";

/// The longest time that the compiler may take.
const LIMIT: Duration = Duration::from_secs(600);

/// Bytes of the compiler's words in a message.
const SHOWN_BYTES: usize = 4000;

/// Compiles `source` into `program` with the command line `rustc`.
///
/// # Errors
/// If the compiler can't be started or fails.
pub(crate) fn compile(source: &Path, program: &Path, rustc: &str) -> Result<(), PoolError> {
    let line = CommandLine::parse(rustc)?;
    let mut command = line.command();
    command.arg("-o").arg(program).arg(source);
    let said = match run_to_end(&mut command, LIMIT) {
        Err(error) => format!("can't start it: {error} (--rustc names another; in arena.toml, rustc)"),
        Ok(Run { exit: Some(Exit::Code(0)), .. }) => return Ok(()),
        Ok(Run { exit: None, .. }) => format!("it took more than {} s", LIMIT.as_secs()),
        Ok(Run { stderr, .. }) => {
            let said = String::from_utf8_lossy(&stderr).trim().to_owned();
            let cut = said.char_indices().map(|(at, _)| at).find(|&at| at >= SHOWN_BYTES);
            cut.map_or(said.clone(), |at| format!("{} …", &said[..at]))
        }
    };
    Err(PoolError::Compile { path: source.to_owned(), command: rustc.to_owned(), said })
}
