//! For referees, consoles and tuners only: left out of bundles.

pub mod bench;
pub mod contest;
mod drawing;
pub mod solver;
mod text;
