//! One module a subcommand: its arguments and what it does.

pub mod bench;
pub mod contests;
pub mod perft;
pub mod play;
