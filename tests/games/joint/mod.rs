//! Small games with simultaneous moves and with chance, which an oracle solves.

mod deal;
mod goofspiel;
mod oshi_zumo;
mod pig;
mod race;
mod random;
mod squad;
mod throw;
mod tron;

pub use deal::{Deal, Gains};
pub use goofspiel::Goofspiel;
pub use oshi_zumo::OshiZumo;
pub use pig::Pig;
pub use race::Race;
pub use random::RandomJoint;
pub use squad::Squad;
pub use throw::Throw;
pub use tron::Tron;

/// A hash of a few numbers.
fn mixed(numbers: impl IntoIterator<Item = u64>) -> u64 {
    numbers.into_iter().fold(1, |all, number| coppice::rng::mix(all ^ number.wrapping_add(0x9e37)))
}

/// A hash of a state of at most eight bytes.
fn mixed_bytes(bytes: [u8; 8]) -> u64 {
    coppice::rng::mix(u64::from_le_bytes(bytes) ^ coppice::rng::SPLIT_MIX_STEP)
}
