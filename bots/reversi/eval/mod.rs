//! What a position is worth, in two ways.

pub mod features;
mod material;
mod positional;
pub mod weights;

pub use material::Material;
pub use positional::{shares, Positional};
