//! The submitted search: best-first minimax over the paper's heuristic.

use coppice::search::{BestFirst, BestFirstOptions};

use super::board::Board;
use super::heuristic::Published;

/// Size of the bot's tree in bytes.
pub const BYTES: usize = 256 << 20;

contest::tunables! {
    /// Tunable parameters.
    pub struct Numbers {
        /// Exploration weight.
        exploration: f32 = 0.1 in 0.01..=1.0,
        /// The estimate that counts as three quarters of a win.
        scale: f32 = 50.0 in 5.0..=500.0,
    }
}

/// The submitted search, with a tree of `pool_bytes` bytes.
pub fn search(numbers: &Numbers, pool_bytes: usize) -> BestFirst<Board, Published> {
    let Numbers { exploration, scale } = *numbers;
    let options = BestFirstOptions { exploration, scale, ..BestFirstOptions::default() };
    BestFirst::new(Published, pool_bytes, options)
}
