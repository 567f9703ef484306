//! For referees, consoles and tuners only: left out of bundles.

pub mod contest;
mod drawing;
pub mod quiet;
