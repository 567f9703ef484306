//! The text made smaller without changing the program.
//!
//! [`pieces`] is what every step looks at: tokens, and what lies between them. [`layout`] makes a text that people read.

pub mod layout;
pub mod pieces;

pub use layout::readable;
