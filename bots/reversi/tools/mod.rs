//! What only referees, consoles and tuners need: left out of bundles.

pub mod bench;
pub mod contest;
mod drawing;
pub mod solver;
mod text;
