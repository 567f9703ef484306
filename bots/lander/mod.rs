//! Mars Lander: one craft to be landed on the flat of a rugged ground with as much fuel left as can be.

pub mod flight;
pub mod ground;
pub mod protocol;
