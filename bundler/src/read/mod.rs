//! Reads each file of a crate, without what a bundle doesn't need, and inlines module files.

pub mod docs;
pub mod edition;
pub mod load;
pub mod modules;
pub mod refusals;
pub mod source;
pub mod strip;
