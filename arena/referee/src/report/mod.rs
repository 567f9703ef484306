//! Reports on the games of a run: the summary of two bots, the table of several, mistakes by phase, the live line.

pub mod cases;
pub mod mistakes;
pub mod progress;
pub mod ranges;
pub mod standings;
pub mod summary;
