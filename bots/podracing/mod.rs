//! Mad Pod Racing: two teams of two pods race through checkpoints, all moving at the same time.

pub mod contact;
#[cfg(not(bundled))]
pub mod drawing;
#[cfg(not(bundled))]
pub mod maps;
pub mod pod;
pub mod protocol;
pub mod race;
#[cfg(not(bundled))]
pub mod referee;
pub mod track;
