//! How a bot's process ended.

use std::fmt;

/// How a bot's process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// It closed its output but is still running.
    Running,
    /// It exited by itself with this code.
    Code(i32),
    /// It was ended by this signal, which the referee didn't send.
    Signal(i32),
}

impl Exit {
    /// Whether the bot failed by itself, other than by not answering.
    pub fn is_crash(self) -> bool {
        !matches!(self, Self::Running | Self::Code(0))
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Running => f.write_str("its output was closed, the process ran on"),
            Self::Code(code) => write!(f, "its process exited with code {code}"),
            Self::Signal(number) => match signal_name(number) {
                Some(name) => write!(f, "its process was ended by {name}"),
                None => write!(f, "its process was ended by signal {number}"),
            },
        }
    }
}

/// The names of the signals by which programs crash; their numbers agree on Linux and macOS,
/// apart from SIGBUS (7 and 10) and SIGSYS (31 and 12).
fn signal_name(number: i32) -> Option<&'static str> {
    Some(match number {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL",
        5 => "SIGTRAP",
        6 => "SIGABRT",
        7 if cfg!(target_os = "linux") => "SIGBUS",
        8 => "SIGFPE",
        9 => "SIGKILL (out of memory, or killed by another process)",
        10 if cfg!(target_os = "macos") => "SIGBUS",
        11 => "SIGSEGV (stack overflow, or memory it doesn't own)",
        13 => "SIGPIPE",
        14 => "SIGALRM",
        15 => "SIGTERM",
        31 if cfg!(target_os = "linux") => "SIGSYS",
        12 if cfg!(target_os = "macos") => "SIGSYS",
        _ => return None,
    })
}
