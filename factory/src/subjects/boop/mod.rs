//! boop.: a network over pieces and pairs of neighbours, learnt from games of best-first minimax against itself.

pub mod play;
pub mod position;

use anyhow::Result;
use bots::boop::heuristic::Published;
use bots::boop::net::{Net, Weights as Numbers, BYTES, SECOND, UNITS, WORDS};
use bots::boop::Board;
use coppice::{Game, Rng, Search};

use crate::model::sparse::Sparse;
use crate::recipe::{Recipe, Stage};
use crate::sample::Sample;
use crate::subject::{Players, Subject, Weights};
use play::{search, Judge, SelfPlay, HAND, NODES};
use position::{BotInputs, Pieces};

/// boop.
#[derive(Debug, Clone, Copy, Default)]
pub struct Boop;

/// The network while it learns.
pub type Learnt = Sparse<BotInputs, WORDS, UNITS, SECOND, 0>;

impl Subject for Boop {
    type Game = Board;
    type Position = Pieces;
    type Player = SelfPlay;
    type Evaluation = Judge;
    type Model = Learnt;

    const NAME: &'static str = "boop";
    const GAMES: u64 = 20_000;
    const ROUNDS: u32 = 2;
    const ROUND_GAMES: u64 = 10_000;
    const WEIGHTS: &'static str = "bots/boop/weights.bin";

    fn settings(&self) -> String {
        format!("best-first minimax with {NODES} nodes a move")
    }

    fn weights(&self) -> &'static [u8] {
        BYTES
    }

    fn player(&self, players: Players<'_>) -> Result<SelfPlay> {
        Ok(SelfPlay::new(self.evaluation(Weights::Packed(players.weights))?))
    }

    fn play(&self, player: &mut SelfPlay, rng: &mut Rng, samples: &mut Vec<Sample<Pieces>>) {
        player.game(rng, samples);
    }

    /// Points are values from -1 to 1.
    fn recipe(&self) -> Recipe {
        Recipe {
            from: None,
            stages: vec![Stage { epochs: 16, batch: 4_096, rate: 0.005, share: 0.5, aside: 1 }],
            scale: None,
            widest: 1.0,
            generations: 2,
            latest: None,
            seed: 1,
        }
    }

    fn again(&self) -> Stage {
        Stage { epochs: 10, batch: 4_096, rate: 0.002, share: 0.5, aside: 1 }
    }

    fn model(&self, seed: u64) -> Learnt {
        Sparse::new(seed)
    }

    /// No weights are the published heuristic.
    fn evaluation(&self, weights: Weights<'_, Learnt>) -> Result<Judge> {
        let net = |bytes: &[u8]| Net(Numbers::decode(bytes));
        Judge::new(weights, &self.model(0), (Published, HAND), net, |model, board| {
            model.output(&Pieces::of(board, 0))
        })
    }

    fn search(&self, judge: &Judge) -> Box<dyn Search<Board>> {
        Box::new(search(judge.clone()))
    }

    fn opening(&self, rng: &mut Rng) -> Board {
        let mut board = Board::START;
        for _ in 0..4 {
            board.random_move(rng).into_iter().for_each(|turn| board.play(turn));
        }
        board
    }
}

#[cfg(test)]
mod tests {
    use coppice::Evaluation;

    use super::*;
    use crate::model::Model;

    #[test]
    fn the_bot_estimates_as_the_model_that_it_was_packed_from() {
        let model = Boop.model(7);
        let packed = model.pack();
        assert_eq!(model.unpacked(&packed).unwrap().pack(), packed);
        let net = Boop.evaluation(Weights::Packed(&packed)).unwrap();
        let float = Boop.evaluation(Weights::Learnt(&model.unpacked(&packed).unwrap())).unwrap();
        let (mut rng, mut board) = (Rng::new(3), Board::START);
        let mut largest = 0;
        while let Some(turn) = board.random_move(&mut rng) {
            let [net, float] = [&net, &float].map(|judge| judge.evaluate(&board).value());
            // Each of 16 units is cut to 1/128.
            assert!((net - float).abs() < 10, "{net} {float} in {board:?}");
            largest = largest.max(net.abs());
            board.play(turn);
        }
        assert!(largest > 100, "{largest}");
    }
}
