//! For referees, consoles and tuners only: left out of bundles.

pub mod contest;
pub mod drawing;
pub mod maps;
pub mod rules;
pub mod serial;
pub mod trees;
pub mod watched;
