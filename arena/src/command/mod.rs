//! One module a subcommand: its arguments and what it does.

pub mod bench;
pub mod contests;
pub mod import;
pub mod perft;
pub mod play;
pub mod referee;
