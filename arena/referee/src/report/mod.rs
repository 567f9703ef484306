//! Reports on the games of a run: the summary of two bots, the table of several, the live line of progress.

pub mod cases;
pub mod progress;
pub mod ranges;
pub mod standings;
pub mod summary;
