//! Cases to fly: the platform's own, and generated ones.

pub mod case;
pub mod known;
pub mod landforms;
pub mod terrain;
