//! Tools for Mars Lander: cases, a lower bound on fuel, reports and drawings of flights.

pub mod bound;
pub mod cases;
pub mod report;
pub mod summary;
pub mod svg;
pub mod trial;
