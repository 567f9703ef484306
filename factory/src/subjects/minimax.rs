//! Learning from games of best-first minimax against itself, for any game whose bot is that search over a network.

use anyhow::Result;
use coppice::search::JointSearch;
use coppice::search::{BestFirst, BestFirstOptions};
use coppice::{Budget, Evaluation, Rng, Search, Turns};

use crate::alternating::{Alternating, GameInTurns};
use crate::judge::{self, Scaled, THREE_QUARTERS};
use crate::model::Model;
use crate::recipe::{Recipe, Stage};
use crate::sample::{Record, Sample};
use crate::self_play::{random_turns, value, Slips};
use crate::subject::{Players, Subject, Weights};

/// A game whose bot is best-first minimax over a network. It is a [`Subject`] by this.
pub trait Minimax: Sync {
    /// The game's rules.
    type Game: GameInTurns + Sync + 'static;
    /// A stored position.
    type Position: Record;
    /// The evaluation without learnt weights.
    type Hand: Evaluation<Self::Game> + Clone + Sync + 'static;
    /// The bot's evaluation.
    type Net: Evaluation<Self::Game> + Clone + Sync + 'static;
    /// The network while it learns.
    type Model: Model<Position = Self::Position> + 'static;

    /// The name on the command line.
    const NAME: &'static str;
    /// The games of the first generation.
    const GAMES: u64;
    /// Generations after the first.
    const ROUNDS: u32;
    /// The games of each of these.
    const ROUND_GAMES: u64;
    /// The bot's file of weights in the repository.
    const WEIGHTS: &'static str;
    /// The packed weights that the bot is compiled with.
    const BYTES: &'static [u8];
    /// Nodes that a move is searched with.
    const NODES: u64;
    /// The evaluation without learnt weights, and the points of it that count as three quarters of a win.
    const HAND: (Self::Hand, f32);
    /// Departures from the best moves.
    const SLIPS: Slips;

    /// The start of a game.
    fn start(rng: &mut Rng) -> Self::Game;

    /// The stored form of a position. A network that doesn't know the board's symmetries has it turned at random.
    fn position(game: &Self::Game, rng: &mut Rng) -> Self::Position;

    /// The bot's evaluation with these weights, which a model could read.
    fn net(packed: &[u8]) -> Self::Net;

    /// The model before learning.
    fn model(seed: u64) -> Self::Model;

    /// The model's output for a position.
    fn output(model: &Self::Model, game: &Self::Game) -> f32;
}

/// The evaluations of a game.
pub type Judge<M> = judge::Judge<
    <M as Minimax>::Game,
    Scaled<<M as Minimax>::Hand>,
    <M as Minimax>::Net,
    <M as Minimax>::Model,
>;

/// The bot's search.
pub type Player<M> = BestFirst<<M as Minimax>::Game, Judge<M>>;

fn search<M: Minimax>(judge: Judge<M>) -> Player<M> {
    let options = BestFirstOptions { memory: 4 << 20, scale: THREE_QUARTERS, ..BestFirstOptions::default() };
    BestFirst::new(judge, options)
}

impl<M: Minimax> Subject for M {
    type Game = Turns<M::Game>;
    type Position = M::Position;
    type Player = Player<M>;
    type Evaluation = Judge<M>;
    type Model = M::Model;

    const NAME: &'static str = M::NAME;
    const GAMES: u64 = M::GAMES;
    const ROUNDS: u32 = M::ROUNDS;
    const ROUND_GAMES: u64 = M::ROUND_GAMES;
    const WEIGHTS: &'static str = M::WEIGHTS;

    fn settings(&self) -> String {
        format!("best-first minimax with {} nodes a move", M::NODES)
    }

    fn weights(&self) -> &'static [u8] {
        M::BYTES
    }

    fn player(&self, players: Players<'_>) -> Result<Player<M>> {
        Ok(search::<M>(self.evaluation(Weights::Packed(players.weights))?))
    }

    fn play(&self, player: &mut Player<M>, rng: &mut Rng, samples: &mut Vec<Sample<M::Position>>) {
        let start = M::start(rng);
        M::SLIPS.game(start, rng, samples, |game, rng, samples| {
            player.clear();
            let report = player.search(game, Budget::nodes(M::NODES));
            let (score, exact) = (value(report.score, THREE_QUARTERS), report.solved);
            samples.push(Sample { position: M::position(game, rng), score, result: None, exact });
            report.best
        });
    }

    fn recipe(&self) -> Recipe {
        Recipe::of_values(Stage { epochs: 16, batch: 4_096, rate: 0.005, share: 0.5, aside: 1 })
    }

    fn again(&self) -> Stage {
        Stage { epochs: 10, batch: 4_096, rate: 0.002, share: 0.5, aside: 1 }
    }

    fn model(&self, seed: u64) -> M::Model {
        M::model(seed)
    }

    fn evaluation(&self, weights: Weights<'_, M::Model>) -> Result<Judge<M>> {
        let (hand, three_quarters) = M::HAND;
        Judge::<M>::new(weights, &M::model(0), Scaled::new(hand, three_quarters), M::net, M::output)
    }

    fn search(&self, judge: &Judge<M>, _: u64) -> Box<dyn JointSearch<Turns<M::Game>>> {
        Box::new(Alternating(search::<M>(judge.clone())))
    }

    fn opening(&self, rng: &mut Rng) -> Turns<M::Game> {
        random_turns(Turns(M::start(rng)), 4, rng)
    }
}

/// Checks of a game's learning.
#[cfg(test)]
pub mod laws {
    use coppice::Game;

    use super::*;

    /// Holds if the bot estimates as the model that its weights were packed from.
    pub fn packed_weights_are_the_model<M: Minimax>(subject: &M)
    where
        M::Game: std::fmt::Debug,
    {
        let model = M::model(7);
        let packed = model.pack();
        assert_eq!(model.unpacked(&packed).unwrap().pack(), packed);
        let net = subject.evaluation(Weights::Packed(&packed)).unwrap();
        let float = subject.evaluation(Weights::Learnt(&model.unpacked(&packed).unwrap())).unwrap();
        let mut rng = Rng::new(3);
        let mut game = M::start(&mut rng);
        let mut largest = 0;
        while let Some(m) = game.random_move(&mut rng) {
            let [net, float] = [&net, &float].map(|judge| judge.evaluate(&game).value());
            // Decided games are worth more than an output. Each of 16 units is cut to 1/128.
            let is_decided = net.abs() > 10 * THREE_QUARTERS as i32;
            assert!(is_decided || (net - float).abs() < 10, "{net} {float} in {game:?}");
            largest = if is_decided { largest } else { largest.max(net.abs()) };
            game.play(m);
        }
        assert!(largest > 100, "{largest}");
    }

    /// Holds if games depend on the seed only. Returns their samples.
    pub fn games_depend_on_the_seed_only<M: Minimax>(subject: &M, games: u64) -> Vec<Sample<M::Position>>
    where
        M::Position: std::fmt::Debug,
    {
        let play = || {
            let mut player = subject.player(Players { weights: &[], rival: None }).unwrap();
            let mut samples = Vec::new();
            (0..games).for_each(|seed| subject.play(&mut player, &mut Rng::new(seed), &mut samples));
            samples
        };
        let samples = play();
        assert_eq!(samples, play());
        assert!(samples.len() > 100, "{} samples", samples.len());
        assert!(samples.iter().any(|sample| sample.result.is_some_and(|result| result != 0.0)));
        samples
    }
}
