//! The games that the factory makes weights for.

pub mod boop;
pub mod connect_four;
pub mod reversi;
pub mod self_play;
pub mod symmetry;
pub mod uttt;
