//! Mars Lander: one craft to be landed on the flat of a rugged ground with as much fuel left as can be.

#[cfg(not(bundled))]
pub mod case;
#[cfg(not(bundled))]
pub mod cases;
#[cfg(not(bundled))]
pub mod drawing;
pub mod flight;
pub mod ground;
pub mod protocol;
#[cfg(not(bundled))]
pub mod referee;
#[cfg(not(bundled))]
pub mod terrain;
