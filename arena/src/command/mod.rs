//! The subcommands, one module each: its arguments and its work.

pub mod allowance;
pub mod bench;
pub mod check;
pub mod connect;
pub mod contests;
pub mod debug;
pub mod echo;
pub mod import;
pub mod matches;
pub mod merge;
pub mod options;
pub mod perft;
pub mod play;
pub mod rate;
pub mod referee;
pub mod replay;
pub mod serve;
pub mod solve;
pub mod sprt;
pub mod study;
pub mod tune;

/// The outcome of a command that finished without an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Success.
    Done,
    /// A test accepted H0 or stayed undecided, a threshold was not reached, or a contest's own subcommand failed.
    NotProved,
}

impl Outcome {
    /// The program's exit code.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::NotProved => 3,
        }
    }
}
