//! The rule-based player: after its move its area is as large as possible. The opponent to measure against.

use coppice::search::Greedy;
use coppice::{Evaluation, Game, Player, Score};

use super::area::Areas;
use super::board::Board;

/// The number of free cells that a player reaches first, less the mean of the others'.
#[derive(Debug, Clone, Copy, Default)]
pub struct Area;

impl<const N: usize> Evaluation<Board<N>> for Area {
    fn evaluate(&self, board: &Board<N>) -> Score {
        self.evaluate_for(board, board.to_move())
    }

    fn evaluate_for(&self, board: &Board<N>, player: Player) -> Score {
        let areas = Areas::new(board);
        let own = areas.of[player.index()].count() as i32;
        let all: i32 = areas.of.iter().map(|area| area.count() as i32).sum();
        let others = board.alive() as i32 - 1;
        Score::estimate(own * others - (all - own))
    }
}

/// One ply of [`Area`]; ties are broken at random.
pub fn search(seed: u64) -> Greedy<Area> {
    Greedy::new(Area, seed)
}
