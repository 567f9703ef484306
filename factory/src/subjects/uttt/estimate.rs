//! The evaluation with packed weights, as in the bot, or with weights as learnt, in floating point.

use bots::uttt::pattern::interest;
use bots::uttt::pattern::tables::{Tables, SCALE};
use bots::uttt::strategy::Numbers;
use bots::uttt::{Board, Cell};
use coppice::{Evaluation, Score};

use super::network::Network;
use super::position::Boards;

/// An evaluation.
#[derive(Debug, Clone)]
pub enum Estimate {
    /// Packed weights.
    Packed(Box<Tables>),
    /// Weights as learnt.
    Learnt(Box<Network>),
}

impl Evaluation<Board> for Estimate {
    #[inline(always)]
    fn evaluate(&self, board: &Board) -> Score {
        match self {
            Estimate::Packed(tables) => tables.evaluate(board),
            Estimate::Learnt(network) => {
                Score::estimate((SCALE * network.output(&Boards::new(board))) as i32)
            }
        }
    }

    #[inline(always)]
    fn interest(&self, _: &Board, next: &Board) -> f32 {
        interest(next, Numbers::default().free_exploration)
    }

    #[inline(always)]
    fn below(&self, board: &Board) -> impl Fn(Cell, &Board) -> Score {
        let packed = match self {
            Estimate::Packed(tables) => Some(tables.below(board)),
            Estimate::Learnt(_) => None,
        };
        move |cell, next| packed.as_ref().map_or_else(|| self.evaluate(next), |below| below(cell, next))
    }
}
