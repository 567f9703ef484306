//! The submitted search: best-first minimax over a small network.

use coppice::search::{BestFirst, BestFirstOptions};

use super::board::Board;
use super::net::Net;

/// Size of the bot's tree in bytes.
pub const BYTES: usize = 64 << 20;

contest::tunables! {
    /// Tunable parameters.
    pub struct Numbers {
        /// Exploration weight.
        exploration: f32 = 0.1 in 0.01..=1.0,
        /// The estimate that counts as three quarters of a win. Above the 1,024 of [`Net`](super::net::Net): so it explores more.
        scale: f32 = 3000.0 in 20.0..=20000.0,
    }
}

/// The submitted search, with a tree of `memory` bytes.
pub fn search(numbers: &Numbers, memory: usize) -> BestFirst<Board, Net> {
    let Numbers { exploration, scale } = *numbers;
    let options = BestFirstOptions { memory, exploration, scale, average: true, keep_tree: true };
    BestFirst::new(Net::trained(), options)
}
