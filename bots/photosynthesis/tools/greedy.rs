//! A player that looks one action ahead for points: to measure against.

use coppice::search::{JointReport, JointSearch};
use coppice::{Budget, Player, Rng};

use super::thrifty::report;
use crate::photosynthesis::board::{Action, Board};
use crate::photosynthesis::protocol::legal;

/// Completes the tree that pays most; otherwise any action.
#[derive(Debug, Clone)]
pub struct Greedy(Rng);

impl Greedy {
    /// A player whose random numbers follow from `seed`.
    pub fn new(seed: u64) -> Greedy {
        Greedy(Rng::new(seed))
    }
}

impl JointSearch<Board> for Greedy {
    fn search(&mut self, board: &Board, player: Player, _: Budget) -> JointReport<Board> {
        let list = legal(board, player);
        let prize = |action: &Action| match action {
            Action::Complete(cell) => board.prize(*cell),
            _ => 0,
        };
        let most = list.iter().map(prize).max().unwrap_or(0);
        let best: Vec<Action> = list.iter().copied().filter(|action| prize(action) == most).collect();
        let action = (!best.is_empty()).then(|| best[self.0.below(best.len() as u32) as usize]);
        report(board, player, action)
    }
}
