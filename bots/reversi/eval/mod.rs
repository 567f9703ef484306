//! Three evaluations: learnt patterns, fitted positional features, and material.

pub mod features;
mod material;
pub mod patterns;
mod positional;
mod ranks;
pub mod weights;

pub use features::spread;
pub use material::Material;
pub use patterns::Patterns;
pub use positional::{shares, Positional};
