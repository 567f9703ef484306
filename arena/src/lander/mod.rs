//! Mars Lander beyond a game: which cases to fly, how little fuel a landing can take, flights told and drawn.

pub mod bound;
pub mod cases;
pub mod report;
pub mod summary;
pub mod svg;
pub mod trial;
