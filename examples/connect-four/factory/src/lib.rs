//! Connect four, the example: a network over discs, threats and pairs, learnt from games of alpha-beta against itself.

pub mod play;
pub mod position;

use anyhow::Result;
use connect_four::lines::Lines;
use connect_four::net::{Net, Weights as Numbers, BYTES, SECOND, UNITS, WORDS};
use coppice::search::{AlphaBeta, AlphaBetaOptions, JointSearch};
use coppice::{Rng, Turns};

use factory::alternating::Alternating;
use factory::judge::Scaled;
use factory::model::sparse::Sparse;
use factory::recipe::{Recipe, Stage};
use factory::sample::Sample;
use factory::self_play::random_turns;
use factory::subject::{Players, Subject, Weights};
use play::{discs, Judge, SelfPlay, HAND, NODES, TABLE};
use position::{BotInputs, Discs};

/// Connect four.
#[derive(Debug, Clone, Copy, Default)]
pub struct ConnectFour;

/// The network while it learns.
pub type Learnt = Sparse<BotInputs, WORDS, UNITS, SECOND, 0>;

impl Subject for ConnectFour {
    type Game = Turns<connect_four::ConnectFour>;
    type Position = Discs;
    type Player = SelfPlay;
    type Evaluation = Judge;
    type Model = Learnt;

    const NAME: &'static str = "connect-four";
    const GAMES: u64 = 30_000;
    const WEIGHTS: &'static str = "examples/connect-four/src/weights.bin";

    fn settings(&self) -> String {
        format!("alpha-beta with {NODES} nodes a move")
    }

    fn weights(&self) -> &'static [u8] {
        BYTES
    }

    fn player(&self, players: Players<'_>) -> Result<SelfPlay> {
        Ok(SelfPlay::new(self.evaluation(Weights::Packed(players.weights))?))
    }

    fn play(&self, player: &mut SelfPlay, rng: &mut Rng, samples: &mut Vec<Sample<Discs>>) {
        player.game(rng, samples);
    }

    fn recipe(&self) -> Recipe {
        Recipe::of_values(Stage { epochs: 20, batch: 4_096, rate: 0.005, share: 0.5, aside: 1 })
    }

    fn model(&self, seed: u64) -> Learnt {
        Sparse::new(seed)
    }

    /// No weights are the evaluation by hand.
    fn evaluation(&self, weights: Weights<'_, Learnt>) -> Result<Judge> {
        let net = |bytes: &[u8]| Net(Numbers::decode(bytes));
        Judge::new(weights, &self.model(0), Scaled::new(Lines, HAND), net, |model, game| {
            model.output(&discs(game))
        })
    }

    fn search(&self, judge: &Judge, _: u64) -> Box<dyn JointSearch<Self::Game>> {
        let options = AlphaBetaOptions { memory: TABLE, ..AlphaBetaOptions::default() };
        Box::new(Alternating(AlphaBeta::new(judge.clone(), options)))
    }

    fn opening(&self, rng: &mut Rng) -> Self::Game {
        random_turns(Turns(connect_four::ConnectFour::START), 4, rng)
    }
}

#[cfg(test)]
mod tests {
    use coppice::{Evaluation, Game};

    use super::*;
    use factory::model::Model;

    #[test]
    fn the_bot_estimates_as_the_model_that_it_was_packed_from() {
        let model = ConnectFour.model(7);
        let packed = model.pack();
        assert_eq!(model.unpacked(&packed).unwrap().pack(), packed);
        let net = ConnectFour.evaluation(Weights::Packed(&packed)).unwrap();
        let float = ConnectFour.evaluation(Weights::Learnt(&model.unpacked(&packed).unwrap())).unwrap();
        let (mut rng, mut game) = (Rng::new(3), connect_four::ConnectFour::START);
        let mut largest = 0;
        while let Some(column) = game.random_move(&mut rng) {
            let [net, float] = [&net, &float].map(|judge| judge.evaluate(&game).value());
            // Each of 16 units is cut to 1/128.
            assert!((net - float).abs() < 8, "{net} {float} in {:?}", discs(&game));
            largest = largest.max(net.abs());
            game.play(column);
        }
        assert!(largest > 100, "{largest}");
        let error = ConnectFour.evaluation(Weights::Packed(b"no weights")).unwrap_err().to_string();
        assert!(error.contains("found 10 bytes of another form"), "{error}");
    }
}
