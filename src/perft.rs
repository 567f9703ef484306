//! Counts move sequences: tests and benchmarks a game's rules.

use crate::cpu::{self, Cpu, Task};
use crate::game::Game;

/// How a game that ends before the depth is counted: published tables differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Nothing: only sequences of the full length count.
    Dropped,
    /// One, as if its players continued to pass, as in Othello's published counts.
    Counted,
}

/// The number of move sequences of `depth` moves from `game`; a pass is a move.
pub fn perft<G: Game>(game: &G, depth: u32, ended: Ended) -> u64 {
    match ended {
        Ended::Dropped => cpu::dispatch(Perft::<G, 0> { game, depth }),
        Ended::Counted => cpu::dispatch(Perft::<G, 1> { game, depth }),
    }
}

/// A finished game counts `ENDED`.
struct Perft<'a, G, const ENDED: u64> {
    game: &'a G,
    depth: u32,
}

impl<G: Game, const ENDED: u64> Task for Perft<'_, G, ENDED> {
    type Output = u64;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        let count = |moves: usize| if ENDED > 0 && moves == 0 { ENDED } else { moves as u64 };
        match self.depth {
            0 => 1,
            1 => count(self.game.count_moves()),
            depth => {
                let mut list = G::Moves::default();
                self.game.moves(&mut list);
                let mut leaves = if list.is_empty() { ENDED } else { 0 };
                for &m in list.iter() {
                    let next = self.game.after(m);
                    leaves += if depth == 2 {
                        count(next.count_moves())
                    } else {
                        cpu.call(Perft::<G, ENDED> { game: &next, depth: depth - 1 })
                    };
                }
                leaves
            }
        }
    }
}
