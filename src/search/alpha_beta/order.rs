//! The order of moves: killers, history, and the evaluation's ranks.

use super::{AlphaBeta, HISTORY};
use crate::evaluation::Evaluation;
use crate::game::Game;

impl<G: Game, E: Evaluation<G>, S> AlphaBeta<G, E, S> {
    /// Sort keys of a position's moves. False if the deadline passed.
    #[inline(always)]
    pub(super) fn rank_all(
        &mut self,
        game: &G,
        moves: &[G::Move],
        ranks: &mut [i32],
        ply: u32,
        first: Option<u16>,
    ) -> bool {
        if self.meter.announce(moves.len()) {
            return self.rank_carefully(game, moves, ranks, ply, first);
        }
        self.rank(game, moves, ranks, ply, first);
        true
    }

    #[inline(never)]
    fn rank_carefully(
        &mut self,
        game: &G,
        moves: &[G::Move],
        ranks: &mut [i32],
        ply: u32,
        first: Option<u16>,
    ) -> bool {
        for (m, rank) in moves.chunks(1).zip(ranks.chunks_mut(1)) {
            if !self.meter.step() {
                return false;
            }
            self.rank(game, m, rank, ply, first);
        }
        true
    }

    /// Sort keys: the table's move, killers, then history and the evaluation's own rank.
    #[inline(always)]
    fn rank(&self, game: &G, moves: &[G::Move], ranks: &mut [i32], ply: u32, first: Option<u16>) {
        let killers = self.killers[ply as usize];
        let history = &self.history[game.to_move().index() & 1];
        for (rank, &m) in ranks.iter_mut().zip(moves) {
            let code = G::move_index(m);
            *rank = if self.options.sorting { self.evaluation.rank(game, m) } else { 0 };
            if self.options.history {
                *rank += history[usize::from(code) % HISTORY];
            }
            if self.options.killers {
                if killers[0] == Some(m) {
                    *rank += 1 << 29;
                } else if killers[1] == Some(m) {
                    *rank += 1 << 28;
                }
            }
            if first == Some(code) {
                *rank = i32::MAX;
            }
        }
    }

    /// Rewards the move that caused a cutoff, and penalises those that were tried before it.
    #[inline(always)]
    pub(super) fn reward(&mut self, game: &G, moves: &[G::Move], cut: usize, depth: u32, ply: u32) {
        let m = moves[cut];
        if self.options.killers {
            let killers = &mut self.killers[ply as usize];
            if killers[0] != Some(m) {
                *killers = [Some(m), killers[0]];
            }
        }
        if self.options.history {
            let history = &mut self.history[game.to_move().index() & 1];
            // The cube, not the square: 3 % less time for reversi, 17 % for ultimate tic-tac-toe.
            let bonus = (depth * depth * depth).min(1000) as i32;
            let mut add = |m: G::Move, bonus: i32| {
                // History gravity: counters stay within ±2^14 and decay slowly.
                let counter = &mut history[usize::from(G::move_index(m)) % HISTORY];
                *counter += bonus - *counter * bonus.abs() / (1 << 14);
            };
            add(m, bonus);
            for &earlier in &moves[..cut] {
                add(earlier, -bonus);
            }
        }
    }
}
