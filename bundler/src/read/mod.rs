//! Reads each file of a crate, without what a bundle doesn't need, and inlines module files.

pub mod crates;
pub mod derives;
pub mod docs;
pub mod edition;
pub mod expand;
pub mod feature_macros;
pub mod load;
pub mod macro_modules;
pub mod modules;
pub mod refusals;
pub mod site;
pub mod source;
pub mod stand_ins;
pub mod strip;
