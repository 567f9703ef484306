//! Oware (Abapa): rules, evaluation, both sides of the protocol, contest.

pub mod board;
pub mod eval;
pub mod net;
pub mod platform;
pub mod protocol;
mod sown;
pub mod strategy;
#[cfg(not(bundled))]
pub mod tools;

#[cfg(test)]
mod tests;

pub use board::{Board, GrandSlam};
