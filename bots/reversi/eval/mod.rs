//! What a position is worth, in two ways.

mod material;
mod positional;

pub use material::Material;
pub use positional::Positional;
