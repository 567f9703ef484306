//! Two evaluations: fitted positional features, and material.

pub mod features;
mod material;
mod positional;
pub mod weights;

pub use material::Material;
pub use positional::{shares, Positional};
