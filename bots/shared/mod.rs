//! What several contests share.

pub mod grid;
pub mod sowing;
