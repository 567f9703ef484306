//! Oware: a network over the seeds of each hole.

pub mod position;

use bots::oware::eval::Holes;
use bots::oware::net::{Net, Weights, BYTES, SECOND, UNITS, WORDS};
use bots::oware::{Board, GrandSlam};
use coppice::Rng;

use super::minimax::Minimax;
use crate::model::sparse::Sparse;
use crate::self_play::Slips;
use position::{BotInputs, Sides};

/// Oware.
#[derive(Debug, Clone, Copy, Default)]
pub struct Oware;

impl Minimax for Oware {
    type Game = Board;
    type Position = Sides;
    type Hand = Holes;
    type Net = Net;
    type Model = Sparse<BotInputs, WORDS, UNITS, SECOND, 0>;

    const NAME: &'static str = "oware";
    const GAMES: u64 = 8_000;
    const ROUNDS: u32 = 4;
    const ROUND_GAMES: u64 = 8_000;
    const WEIGHTS: &'static str = "bots/oware/weights.bin";
    const BYTES: &'static [u8] = BYTES;
    const NODES: u64 = 1_000;
    const HAND: (Holes, f32) = (Holes, 500.0);
    const SLIPS: Slips = Slips { opening: 16, early: 10, early_one_in: 4, one_in: 20, aside_one_in: 4 };

    fn start(_: &mut Rng) -> Board {
        Board::new(GrandSlam::CapturesNothing)
    }

    fn position(board: &Board, _: &mut Rng) -> Sides {
        Sides::of(board)
    }

    fn net(packed: &[u8]) -> Net {
        Net(Weights::decode(packed))
    }

    fn model(seed: u64) -> Self::Model {
        Sparse::new(seed)
    }

    fn output(model: &Self::Model, board: &Board) -> f32 {
        model.output(&Sides::of(board))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subjects::minimax::laws;

    #[test]
    fn the_bot_estimates_as_the_model_that_it_was_packed_from() {
        laws::packed_weights_are_the_model(&Oware);
    }

    #[test]
    fn games_depend_on_the_seed_only() {
        laws::games_depend_on_the_seed_only(&Oware, 4);
    }
}
