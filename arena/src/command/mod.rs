//! The subcommands, one module each: its arguments and its work.

pub mod allowance;
pub mod bench;
pub mod brutal;
pub mod check;
pub mod connect;
pub mod contests;
pub mod debug;
pub mod echo;
pub mod host;
pub mod import;
pub mod judge;
pub mod limits;
pub mod matches;
pub mod merge;
pub mod options;
pub mod perft;
pub mod play;
pub mod rate;
pub mod referee;
pub mod replay;
pub mod run_bot;
pub mod serve;
pub mod solve;
pub mod sprt;
pub mod study;
pub mod tune;
