//! Rules: counts that are known, slow twins that are obviously right, and what holds for every game.

mod boop;
mod connect_four;
mod freckers;
mod laws;
mod mancala;
mod tictactoe;
mod uttt;

use coppice::{perft, Ended, Game};

/// Perft from depth 1 on; games that end earlier aren't counted again.
fn assert_perft<G: Game>(start: &G, counts: &[u64]) {
    for (depth, &count) in (1..).zip(counts) {
        assert_eq!(perft(start, depth, Ended::Dropped), count, "depth {depth}");
    }
}
