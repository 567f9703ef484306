//! For referees, consoles and tuners only: left out of bundles.

pub mod contest;
pub mod pairs;
pub mod puzzle;
