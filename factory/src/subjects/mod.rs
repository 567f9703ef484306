//! The games of this workspace's bots that the factory makes weights for.

pub mod boop;
pub mod mancala;
pub mod minimax;
pub mod oware;
pub mod reversi;
pub mod symmetry;
pub mod uttt;
