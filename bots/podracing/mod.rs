//! Mad Pod Racing: two teams of two pods race through checkpoints, all moving at the same time.

pub mod contact;
pub mod game;
pub mod plans;
pub mod player;
pub mod pod;
pub mod protocol;
pub mod race;
pub mod steering;
#[cfg(not(bundled))]
pub mod tools;
pub mod track;
pub mod tracked;
