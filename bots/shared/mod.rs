//! Code that several contests share.

pub mod grid;
pub mod sowing;
