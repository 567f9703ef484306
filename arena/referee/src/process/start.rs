//! Why a bot's process can't be started.

use std::io;
use std::path::PathBuf;

use super::command_line::CommandLine;

/// The system's error for a file that is no program: ERROR_BAD_EXE_FORMAT, ENOEXEC.
const NO_PROGRAM: i32 = if cfg!(windows) { 193 } else { 8 };

/// A place for a shell's syntax.
const SHELL: &str = if cfg!(windows) { "a .bat file" } else { "sh -c '...'" };

/// ERROR_PIPE_NOT_CONNECTED, which the standard library doesn't map to a broken pipe.
const CLOSED_PIPE: Option<i32> = if cfg!(windows) { Some(233) } else { None };

/// Whether an error is that of a pipe without a reader.
pub fn is_closed_pipe(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe || CLOSED_PIPE.is_some() && error.raw_os_error() == CLOSED_PIPE
}

/// A bot's process can't be started.
#[derive(Debug, thiserror::Error)]
#[error(
    "can't start bot {bot}, `{command}`, from {}: {source}\n\
     check the path, build the bot if necessary, and make sure that it is executable; put shell syntax \
     (variables, ~, pipes) into {SHELL}",
    .folder.display()
)]
pub struct StartError {
    bot: String,
    command: String,
    folder: PathBuf,
    source: io::Error,
}

impl StartError {
    /// The error of the bot with this name and command line, started from the current folder.
    pub fn new(bot: impl Into<String>, line: &CommandLine, source: io::Error) -> Self {
        let folder = std::env::current_dir().unwrap_or_else(|_| ".".into());
        Self { bot: bot.into(), command: line.to_string(), folder, source }
    }

    /// The bot's name, if its file or what runs that file is at fault: otherwise the machine lacks something.
    pub fn bot_at_fault(&self) -> Option<&str> {
        use io::ErrorKind::{InvalidInput, NotFound, PermissionDenied};
        let is_no_program = self.source.raw_os_error() == Some(NO_PROGRAM);
        let is_at_fault =
            is_no_program || matches!(self.source.kind(), NotFound | PermissionDenied | InvalidInput);
        is_at_fault.then_some(&self.bot)
    }
}
