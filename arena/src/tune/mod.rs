//! Tuning runs: what the methods of [`coppice_stats::tuning`] propose is played, stored and resumed.
//!
//! ```text
//!   search     a run derived from its plan: the pairs to be played, their results
//!   log        the run's file
//!   ask        asks a bot for its parameters
//! ```

pub(crate) mod ask;
pub(crate) mod log;
pub(crate) mod search;
