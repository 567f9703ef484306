//! The evaluation: areas, their edges, and the longest paths in them.

use std::cell::Cell as Remembered;

use coppice::{Evaluation, Game, Player, Score};

use super::area::{best_chain, Areas, Chamber};
use super::board::Board;

contest::tunables! {
    /// The weights of [`Estimate`].
    pub struct Numbers {
        /// The worth of a cell that the player reaches first.
        cell: i32 = 55 in 0..=400,
        /// The worth of a pair of neighbours among these cells: open areas are better than winding ones.
        edge: i32 = 194 in 0..=400,
        /// 1: of an area the best chain of chambers counts. 0: all of it.
        chambers: u32 = 1 in 0..=1,
    }
}

/// Estimates a position by the players' areas. The unit is a few hundredths of a cell.
///
/// A player's value is the worth of its area less the mean of its remaining opponents' areas. In an area that no
/// opponent can enter, the longest path counts.
#[derive(Debug, Clone, Default)]
pub struct Estimate {
    numbers: Numbers,
    /// The hash and the values of the position that was evaluated last: a search asks for one player after the other.
    last: Remembered<(u64, [i32; 4])>,
}

/// The worth of a cell in an area of one's own, in which only its number of cells decides: more than in a contested one.
const OWN_CELL: i32 = 1000;

impl Estimate {
    /// The evaluation with these weights.
    pub fn new(numbers: Numbers) -> Estimate {
        Estimate { numbers, last: Remembered::default() }
    }

    /// The value of a position that is not over to each player.
    #[inline(always)]
    pub fn values<const N: usize>(&self, board: &Board<N>) -> [i32; 4] {
        let hash = board.hash();
        let (last, values) = self.last.get();
        if last == hash {
            return values;
        }
        let values = self.compute(board);
        self.last.set((hash, values));
        values
    }

    /// How far the player to move is ahead of the best of its remaining opponents: above 0 it lasts longest, if nothing else
    /// happens. Which opponent is last doesn't matter to it, unlike to [`Estimate::values`].
    pub fn lead<const N: usize>(&self, board: &Board<N>) -> Score {
        let (worth, me) = (self.worth(board), board.to_move());
        let others = board.in_turn().filter(|&player| player != me).map(|player| worth[player.index()]);
        Score::estimate(worth[me.index()] - others.max().unwrap_or(0))
    }

    #[inline(always)]
    fn compute<const N: usize>(&self, board: &Board<N>) -> [i32; 4] {
        let worth = self.worth(board);
        let (sum, others) = (worth.iter().sum::<i32>(), board.alive() as i32 - 1);
        let mut values = [0; 4];
        for player in board.players() {
            let (value, own) = (&mut values[player.index()], worth[player.index()]);
            *value =
                if board.is_in(player) { own - (sum - own) / others.max(1) } else { lost(board, player) };
        }
        values
    }

    /// What each remaining player's area is worth.
    #[inline(always)]
    fn worth<const N: usize>(&self, board: &Board<N>) -> [i32; 4] {
        let areas = Areas::new(board);
        let is_apart = board.in_turn().all(|player| areas.is_alone(board, player.index()));
        let mut worth = [0; 4];
        for player in board.in_turn() {
            let area = &areas.of[player.index()];
            let Numbers { cell, edge, chambers } = self.numbers;
            worth[player.index()] = if is_apart {
                OWN_CELL * best_chain(board.head(player), area, true, Chamber::longest_path) as i32
            } else if chambers > 0 {
                let worth = |chamber: &Chamber, _: usize| {
                    let [even, odd] = chamber.cells.map(i32::from);
                    (cell * (even + odd) + edge * i32::from(chamber.degrees) / 2) as u32
                };
                best_chain(board.head(player), area, true, worth) as i32
            } else {
                cell * area.count() as i32 + edge * area.edges() as i32
            };
        }
        if is_apart {
            // Of two equal paths that of the player who moves later lasts longer.
            board
                .in_turn()
                .zip(0..)
                .for_each(|(player, later)| worth[player.index()] += later * OWN_CELL / 4);
        }
        worth
    }
}

/// The value of a player who is out: below all others, more for each player who went out before, then for each ply.
fn lost<const N: usize>(board: &Board<N>, player: Player) -> i32 {
    100_000 * board.outlasted(player) as i32 + board.out_after(player) as i32 - Score::MAX_ESTIMATE
}

impl<const N: usize> Evaluation<Board<N>> for Estimate {
    #[inline(always)]
    fn evaluate(&self, board: &Board<N>) -> Score {
        self.evaluate_for(board, board.to_move())
    }

    #[inline(always)]
    fn evaluate_for(&self, board: &Board<N>, player: Player) -> Score {
        Score::estimate(self.values(board)[player.index()])
    }

    #[inline(always)]
    fn ended_for(&self, board: &Board<N>, player: Player) -> Score {
        if N > 2 && !board.is_in(player) {
            Score::estimate(lost(board, player))
        } else {
            Score::ended(board.payoff(player))
        }
    }
}
