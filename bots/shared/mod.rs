//! Code that several contests share.

#[cfg(not(bundled))]
pub mod alpha_beta_own;
#[cfg(not(bundled))]
pub mod exploration;
pub mod grid;
pub mod sowing;
