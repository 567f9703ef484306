//! Game searches in a static node pool.

pub mod bits;
pub mod cpu;
pub mod game;
pub mod input;
pub mod list;
pub mod perft;
pub mod rng;

pub use game::{Game, Payoff, Player};
pub use list::{List, Moves};
pub use perft::perft;
pub use rng::Rng;
