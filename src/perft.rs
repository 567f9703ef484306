//! Counting move sequences: the test that rules are right, and how fast they are.

use crate::cpu::{self, Cpu, Task};
use crate::game::Game;
use crate::list::Moves;

/// What a game that ends before the depth counts for: published tables differ in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Nothing: only sequences of the full length count.
    Dropped,
    /// One, as if its players went on passing: so are Othello's published counts.
    Counted,
}

/// The number of move sequences of `depth` moves from `game`; a pass is a move.
pub fn perft<G: Game>(game: &G, depth: u32, ended: Ended) -> u64 {
    cpu::dispatch(Perft { game, depth, ended })
}

struct Perft<'a, G> {
    game: &'a G,
    depth: u32,
    ended: Ended,
}

impl<G: Game> Perft<'_, G> {
    #[inline(always)]
    fn count(&self, moves: usize) -> u64 {
        moves as u64 + u64::from(moves == 0 && self.ended == Ended::Counted)
    }
}

impl<G: Game> Task for Perft<'_, G> {
    type Output = u64;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        match self.depth {
            0 => 1,
            1 => self.count(self.game.count_moves()),
            depth => {
                let mut list = G::Moves::default();
                self.game.moves(&mut list);
                let mut leaves = self.count(0) * u64::from(list.as_slice().is_empty());
                for &m in list.as_slice() {
                    let next = self.game.after(m);
                    leaves += if depth == 2 {
                        self.count(next.count_moves())
                    } else {
                        cpu.call(Perft { game: &next, depth: depth - 1, ended: self.ended })
                    };
                }
                leaves
            }
        }
    }
}
