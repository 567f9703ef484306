//! Code that several contests share.

#[cfg(not(bundled))]
pub mod alpha_beta_own;
pub mod grid;
pub mod sowing;
