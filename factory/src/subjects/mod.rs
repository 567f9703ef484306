//! The games that the factory makes weights for.

pub mod connect_four;
pub mod reversi;
pub mod uttt;
