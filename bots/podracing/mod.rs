//! Mad Pod Racing: two teams of two pods race through checkpoints, all moving at the same time.

pub mod contact;
#[cfg(not(bundled))]
pub mod drawing;
pub mod game;
#[cfg(not(bundled))]
pub mod maps;
pub mod plans;
pub mod player;
pub mod pod;
pub mod protocol;
pub mod race;
#[cfg(not(bundled))]
pub mod referee;
#[cfg(not(bundled))]
pub mod rules;
#[cfg(not(bundled))]
pub mod serial;
pub mod steering;
pub mod track;
pub mod tracked;
#[cfg(not(bundled))]
pub mod trees;
