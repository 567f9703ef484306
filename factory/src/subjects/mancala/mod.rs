//! Kalah: a network over the counters of each hole, for boards with six holes a side.

pub mod position;

use bots::mancala::eval::Holes;
use bots::mancala::net::{Net, Weights, BYTES, SECOND, UNITS, WORDS};
use bots::mancala::Board;
use coppice::Rng;

use super::minimax::Minimax;
use crate::model::sparse::Sparse;
use crate::self_play::Slips;
use position::{BotInputs, Sides};

/// Kalah.
#[derive(Debug, Clone, Copy, Default)]
pub struct Mancala;

impl Minimax for Mancala {
    type Game = Board;
    type Position = Sides;
    type Hand = Holes;
    type Net = Net;
    type Model = Sparse<BotInputs, WORDS, UNITS, SECOND, 0>;

    const NAME: &'static str = "mancala";
    const GAMES: u64 = 8_000;
    const ROUNDS: u32 = 4;
    const ROUND_GAMES: u64 = 8_000;
    const WEIGHTS: &'static str = "bots/mancala/weights.bin";
    const BYTES: &'static [u8] = BYTES;
    const NODES: u64 = 1_000;
    const HAND: (Holes, f32) = (Holes, 300.0);
    const SLIPS: Slips = Slips { opening: 12, early: 8, early_one_in: 4, one_in: 16, aside_one_in: 3 };

    /// Half of the games have the usual board, the others three to six counters a hole and either rule of capture.
    fn start(rng: &mut Rng) -> Board {
        match rng.below(2) {
            0 => Board::new(6, 4, false),
            _ => Board::new(6, 3 + rng.below(4), rng.below(2) == 1),
        }
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
        match Net::decided(board) {
            Some(points) => points as f32 / coppice::network::SCALE as f32,
            None => model.output(&Sides::of(board)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subjects::minimax::laws;

    #[test]
    fn the_bot_estimates_as_the_model_that_it_was_packed_from() {
        laws::packed_weights_are_the_model(&Mancala);
    }

    #[test]
    fn games_depend_on_the_seed_only() {
        laws::games_depend_on_the_seed_only(&Mancala, 8);
    }
}
