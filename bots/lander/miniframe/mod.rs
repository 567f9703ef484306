//! MiniFrame's player: minimax with siblings pruning.

pub mod descent;
pub mod minimax;
