//! Oware (Abapa): rules, evaluation, both sides of the protocol, contest.

pub mod board;
#[cfg(not(bundled))]
pub mod contest;
pub mod eval;
pub mod platform;
pub mod protocol;
mod sown;
pub mod strategy;

#[cfg(test)]
mod tests;

pub use board::{Board, GrandSlam};
