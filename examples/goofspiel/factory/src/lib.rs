//! Goofspiel, the example of simultaneous moves: a network over cards and the lead, learnt from games of regret matching against
//! itself.

pub mod position;

use anyhow::Result;
use coppice::search::{Estimated, JointSearch, Regret, RegretOptions};
use coppice::Rng;
use goofspiel::net::{Net, Weights as Numbers, BYTES, SECOND, UNITS, WORDS};
use goofspiel::outlook::Outlook;

use factory::judge;
use factory::model::sparse::Sparse;
use factory::recipe::{Recipe, Stage};
use factory::sample::Sample;
use factory::self_play::{both, random_turns, Slips};
use factory::subject::{Players, Subject, Weights};
use position::{BotInputs, Seen};

/// Iterations of each player's search in a turn of the games to learn from.
pub const NODES: u64 = 200;
/// Bytes of a search's tree.
const TREE: usize = 1 << 20;
/// Departures from the moves that the search chooses.
const SLIPS: Slips = Slips { opening: 8, early: 4, early_one_in: 4, one_in: 12, aside_one_in: 2 };

/// Goofspiel.
#[derive(Debug, Clone, Copy, Default)]
pub struct Goofspiel;

/// The network while it learns.
pub type Learnt = Sparse<BotInputs, WORDS, UNITS, SECOND, 0>;

/// The estimates of the bot.
pub type Judge = judge::Judge<goofspiel::Goofspiel, Outlook, Net, Learnt>;

/// The bot's search. It has no playouts, but an estimate where the tree ends. It answers with a move drawn from its mixed
/// strategy.
fn search(judge: &Judge, seed: u64) -> Regret<goofspiel::Goofspiel, Estimated<Judge>> {
    let playout = Estimated { estimate: judge.clone(), turns: 0 };
    Regret::with_playout(playout, RegretOptions { memory: TREE, seed, ..RegretOptions::default() })
}

/// The model's output for the first player: what it says for both players counts half each, as in the bot.
fn output(model: &Learnt, game: &goofspiel::Goofspiel) -> f32 {
    (model.output(&Seen(*game)) - model.output(&Seen(game.mirrored()))) / 2.0
}

impl Subject for Goofspiel {
    type Game = goofspiel::Goofspiel;
    type Position = Seen;
    type Player = Judge;
    type Evaluation = Judge;
    type Model = Learnt;

    const NAME: &'static str = "goofspiel";
    const GAMES: u64 = 20_000;
    const WEIGHTS: &'static str = "examples/goofspiel/src/weights.bin";

    fn settings(&self) -> String {
        format!("regret matching with {NODES} iterations for each player's move")
    }

    fn weights(&self) -> &'static [u8] {
        BYTES
    }

    fn player(&self, players: Players<'_>) -> Result<Judge> {
        self.evaluation(Weights::Packed(players.weights))
    }

    /// Positions are in the first player's view; half of them are then stored as the second player sees them.
    fn play(&self, judge: &mut Judge, rng: &mut Rng, samples: &mut Vec<Sample<Seen>>) {
        let mut search = search(judge, rng.next_u64());
        let first = samples.len();
        SLIPS.joint_game(Self::Game::START, rng, samples, |game, _, samples| {
            let (score, choices) = both(&mut search, game, NODES);
            samples.push(Sample { position: Seen(*game), score, result: None, exact: false });
            choices
        });
        for sample in &mut samples[first..] {
            if rng.below(2) == 0 {
                *sample = sample.mirrored(Seen(sample.position.0.mirrored()));
            }
        }
    }

    fn recipe(&self) -> Recipe {
        Recipe::of_values(Stage { epochs: 16, batch: 1_024, rate: 0.005, share: 0.5, aside: 1 })
    }

    fn model(&self, seed: u64) -> Learnt {
        Sparse::new(seed)
    }

    /// No weights are the evaluation by hand.
    fn evaluation(&self, weights: Weights<'_, Learnt>) -> Result<Judge> {
        let net = |bytes: &[u8]| Net(Numbers::decode(bytes));
        Judge::new(weights, &self.model(0), Outlook, net, output)
    }

    fn search(&self, judge: &Judge, seed: u64) -> Box<dyn JointSearch<Self::Game>> {
        Box::new(search(judge, seed))
    }

    fn opening(&self, rng: &mut Rng) -> Self::Game {
        random_turns(Self::Game::START, 0, rng)
    }
}

#[cfg(test)]
mod tests {
    use coppice::{Estimate, Player};
    use coppice_arena::{Sprt, SprtModel};
    use factory::model::Model;
    use factory::proof::{compare, Conditions};

    use super::*;

    #[test]
    fn the_bot_estimates_as_the_model_that_it_was_packed_from() {
        let model = Goofspiel.model(7);
        let packed = model.pack();
        assert_eq!(model.unpacked(&packed).unwrap().pack(), packed);
        let net = Goofspiel.evaluation(Weights::Packed(&packed)).unwrap();
        let float = Goofspiel.evaluation(Weights::Learnt(&model.unpacked(&packed).unwrap())).unwrap();
        let mut largest = 0.0f64;
        for turns in 0..9 {
            let game = random_turns(goofspiel::Goofspiel::START, turns, &mut Rng::new(turns.into()));
            for player in [Player::FIRST, Player::SECOND] {
                let [net, float] = [&net, &float].map(|judge| judge.estimate(&game, player));
                // Each of 16 units is cut to 1/128.
                assert!((net - float).abs() < 0.01, "{net} {float} in {game}");
                largest = largest.max(net.abs());
            }
        }
        assert!(largest > 0.05, "{largest}");
        let error = Goofspiel.evaluation(Weights::Packed(b"no weights")).unwrap_err().to_string();
        assert!(error.contains("found 10 bytes of another form"), "{error}");
    }

    #[test]
    fn games_depend_on_the_seed_only_and_are_labelled_in_both_views() {
        let play = || {
            let mut player = Goofspiel.player(Players { weights: &[], rival: None }).unwrap();
            let mut samples = Vec::new();
            (0..40).for_each(|seed| Goofspiel.play(&mut player, &mut Rng::new(seed), &mut samples));
            samples
        };
        let samples = play();
        assert_eq!(samples, play());
        assert!(samples.len() > 150, "{} samples", samples.len());
        // Who is far ahead is expected to win, and mostly does, in either view.
        for sign in [1.0, -1.0] {
            let ahead = |sample: &Sample<Seen>| sign * f32::from(sample.position.0.lead(Player::FIRST));
            let far: Vec<_> = samples.iter().filter(|sample| ahead(sample) > 12.0).collect();
            let results: Vec<_> = far.iter().filter_map(|sample| Some(sign * sample.result?)).collect();
            assert!(far.iter().filter(|sample| sign * sample.score > 0.0).count() * 10 > far.len() * 9);
            assert!(results.len() > 5 && results.iter().sum::<f32>() > 3.0, "{results:?}");
        }
    }

    #[test]
    fn a_proof_is_the_same_on_any_number_of_threads() {
        let hand = Goofspiel.evaluation(Weights::Packed(&[])).unwrap();
        let untrained = Goofspiel.evaluation(Weights::Packed(&Goofspiel.model(3).pack())).unwrap();
        let test = Sprt::new(0.0, 50.0, 0.05, 0.05, SprtModel::Normalised).unwrap();
        let proof = |threads| {
            let conditions = Conditions { nodes: 60, test, most: 30, seed: 2, threads };
            compare(&Goofspiel, &hand, &untrained, &conditions).unwrap()
        };
        let one = proof(1);
        assert_eq!(one, proof(3));
        assert!(one.pairs > 5 && one.score > 0.5, "{one:?}");
    }
}
