//! Perft: counts of move sequences, for checking rules against other implementations.

use coppice::{perft, Ended};

use crate::notation::{listed, Notation};

/// Counts the move sequences of a contest's rules.
pub trait Perft {
    /// The number of move sequences of `depth` plies from the start. Passes and games that end earlier are
    /// counted by the contest's convention.
    fn count(&self, depth: u32) -> u64;

    /// [`Perft::count`] per first move, in the order of move generation.
    fn divide(&self, depth: u32) -> Vec<(String, u64)>;
}

/// The counts of a [`Game`](coppice::Game) from a position.
#[derive(Debug, Clone, Copy)]
pub struct GamePerft<G> {
    /// The position.
    pub start: G,
    /// Whether games that end earlier are counted.
    pub ended: Ended,
}

impl<G: Notation> Perft for GamePerft<G> {
    fn count(&self, depth: u32) -> u64 {
        perft(&self.start, depth, self.ended)
    }

    fn divide(&self, depth: u32) -> Vec<(String, u64)> {
        let below = depth.saturating_sub(1);
        let count = |&m: &G::Move| (self.start.name(m), perft(&self.start.after(m), below, self.ended));
        listed(&self.start).iter().map(count).collect()
    }
}
