//! boop.: a network over pieces and pairs of neighbours.

pub mod position;

use bots::boop::heuristic::Published;
use bots::boop::net::{Net, Weights, BYTES, SECOND, UNITS, WORDS};
use bots::boop::Board;
use coppice::Rng;

use super::minimax::Minimax;
use super::symmetry::SYMMETRIES;
use crate::model::sparse::Sparse;
use crate::self_play::Slips;
use position::{BotInputs, Pieces};

/// boop.
#[derive(Debug, Clone, Copy, Default)]
pub struct Boop;

impl Minimax for Boop {
    type Game = Board;
    type Position = Pieces;
    type Hand = Published;
    type Net = Net;
    type Model = Sparse<BotInputs, WORDS, UNITS, SECOND, 0>;

    const NAME: &'static str = "boop";
    const GAMES: u64 = 20_000;
    const ROUNDS: u32 = 2;
    const ROUND_GAMES: u64 = 10_000;
    const WEIGHTS: &'static str = "bots/boop/weights.bin";
    const BYTES: &'static [u8] = BYTES;
    const NODES: u64 = 1_500;
    const HAND: (Published, f32) = (Published, 50.0);
    const SLIPS: Slips = Slips { opening: 12, early: 10, early_one_in: 4, one_in: 20, aside_one_in: 2 };

    fn start(_: &mut Rng) -> Board {
        Board::START
    }

    fn position(board: &Board, rng: &mut Rng) -> Pieces {
        Pieces::of(board, rng.below(SYMMETRIES as u32) as usize)
    }

    fn net(packed: &[u8]) -> Net {
        Net(Weights::decode(packed))
    }

    fn model(seed: u64) -> Self::Model {
        Sparse::new(seed)
    }

    fn output(model: &Self::Model, board: &Board) -> f32 {
        model.output(&Pieces::of(board, 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subjects::minimax::laws;

    #[test]
    fn the_bot_estimates_as_the_model_that_it_was_packed_from() {
        laws::packed_weights_are_the_model(&Boop);
    }

    #[test]
    fn games_depend_on_the_seed_only_and_end_as_they_are_labelled() {
        let samples = laws::games_depend_on_the_seed_only(&Boop, 6);
        // A player who sees a win takes it; one who can only lose, loses.
        let exact = samples.iter().filter(|sample| sample.exact);
        let played: Vec<_> = exact.filter_map(|sample| Some((sample.score, sample.result?))).collect();
        assert!(played.len() > 3 && played.iter().all(|(score, result)| score == result), "{played:?}");
    }
}
