//! Proves that a bundle is the same program, and replays recorded input.

pub mod dialogue;
pub mod layout;
pub mod original;
pub mod proof;
pub mod replay;
pub mod session;
