//! Tests the rules: known perft counts, slow and obviously correct versions, and laws of every game.

mod boop;
mod connect_four;
mod freckers;
mod laws;
mod mancala;
mod oware;
mod photosynthesis;
mod podracing;
mod tictactoe;
mod uttt;
mod wondev;

use coppice::{perft, Ended, Game};

/// Checks perft from depth 1 on; finished games aren't counted again at greater depth.
fn assert_perft<G: Game>(start: &G, counts: &[u64]) {
    for (depth, &count) in (1..).zip(counts) {
        assert_eq!(perft(start, depth, Ended::Dropped), count, "depth {depth}");
    }
}
