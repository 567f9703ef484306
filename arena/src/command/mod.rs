//! One module a subcommand: its arguments and what it does.

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

/// How a command that did its work ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// As was hoped for.
    Done,
    /// A test didn't prove what it was to prove: H0 or undecided; or a contest's own subcommand says that it failed.
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
