//! For referees, consoles and tuners only: left out of bundles.

pub mod contest;
mod drawing;
pub mod five_rules;
pub mod original;
pub mod solver;
mod text;
