//! Counting move sequences: the test that rules are right, and how fast they are.

use crate::cpu::{self, Cpu, Task};
use crate::game::Game;
use crate::list::Moves;

/// The number of move sequences of exactly `depth` moves from `game`. A game that ends earlier is
/// not counted; a pass is a move.
pub fn perft<G: Game>(game: &G, depth: u32) -> u64 {
    cpu::dispatch(Perft { game, depth })
}

struct Perft<'a, G> {
    game: &'a G,
    depth: u32,
}

impl<G: Game> Task for Perft<'_, G> {
    type Output = u64;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        match self.depth {
            0 => 1,
            1 => self.game.count_moves() as u64,
            depth => {
                let mut list = G::Moves::default();
                self.game.moves(&mut list);
                let mut count = 0;
                for &m in list.as_slice() {
                    let next = self.game.after(m);
                    count += if depth == 2 {
                        next.count_moves() as u64
                    } else {
                        cpu.call(Perft { game: &next, depth: depth - 1 })
                    };
                }
                count
            }
        }
    }
}
