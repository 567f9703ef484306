//! The submitted bot: best-first minimax over the evaluation by patterns.

use coppice::search::{BestFirst, BestFirstOptions};

use super::board::Board;
use super::pattern::tables::{Tables, SCALE};

contest::tunables! {
    /// Tunable parameters.
    pub struct Numbers {
        /// The constant C of UCB1, for averages in 0 to 1.
        exploration: f32 = 0.1 in 0.005..=1.0,
        /// The factor on exploration of a move that gives the opponent a free choice of board.
        free_exploration: f32 = 0.5 in 0.0..=1.0,
    }
}

/// Size of the bot's tree in bytes, in addition to about 45 million bytes of tables.
pub const BYTES: usize = 256 << 20;

/// The search with these parameters and a tree of `bytes` bytes.
pub fn search(numbers: &Numbers, bytes: usize) -> BestFirst<Board, Tables> {
    let mut tables = Tables::trained();
    tables.free_exploration = numbers.free_exploration;
    BestFirst::new(tables, options(numbers, bytes))
}

/// The options of a search with a tree of `memory` bytes.
pub fn options(numbers: &Numbers, memory: usize) -> BestFirstOptions {
    let exploration = numbers.exploration;
    BestFirstOptions { memory, exploration, scale: SCALE, average: true, keep_tree: true }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uttt::pattern::FREE;

    #[test]
    fn tables_by_themselves_explore_as_the_bot_does() {
        assert_eq!(Numbers::default().free_exploration, FREE);
    }
}
