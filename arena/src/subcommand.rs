//! Parts of the arena's own subcommands, for the subcommands that a program adds.

pub use crate::command::allowance::AllowanceArgs;
pub use crate::command::limits::LimitArgs;
pub use crate::command::options::default_jobs;
pub use crate::command::run_notes::machine;
pub use coppice_referee::atomic::{can_write, write as write_atomically, FileError};
pub use coppice_referee::process::interrupted;
pub use coppice_referee::report::progress::Progress;
pub use coppice_referee::text::{millis, readable, xml};
