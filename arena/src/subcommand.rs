//! Parts of the arena's own subcommands, for the subcommands that a program adds.

pub use crate::atomic::{can_write, write as write_atomically};
pub use crate::command::allowance::AllowanceArgs;
pub use crate::command::limits::LimitArgs;
pub use crate::command::options::default_jobs;
pub use crate::process::interrupted;
pub use crate::report::progress::Progress;
pub use crate::text::{millis, readable, xml};
