//! The physics of the craft and the ground.

pub mod flight;
pub mod ground;
