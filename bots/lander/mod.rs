//! Mars Lander: land a craft on the flat part of rugged ground with as much fuel left as possible.

pub mod bot;
pub mod miniframe;
pub mod physics;
pub mod solver;
#[cfg(not(bundled))]
pub mod tools;
