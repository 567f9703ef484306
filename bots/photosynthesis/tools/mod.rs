//! For referees, consoles and tuners only: left out of bundles.

pub mod contest;
pub mod drawing;
pub mod greedy;
pub mod map;
pub mod serial;
pub mod thrifty;
