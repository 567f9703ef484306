//! The race written as a [`Game`], a ply for each pod: what a search for games in turns makes of it, to measure against.
//!
//! The others see the own orders before they choose, which they don't in the race.

use coppice::rng::mix;
use coppice::search::{AlphaBeta, AlphaBetaOptions, Evaluated, Mcts, MctsOptions};
use coppice::{
    Budget, Choices, Estimate, Evaluation, Game, Joint, List, Payoff, Player, Report, Score, Search,
};

use contest::session::LineTree;

use super::watched::Watched;
use crate::podracing::plans::Plans;
use crate::podracing::player::{half, Choice, Pilot};
use crate::podracing::pod::{Power, Steer};
use crate::podracing::protocol::write_answer;
use crate::podracing::race::{team, Race, PODS};

/// A race in which the pods choose one after the other; the turn is played once all have.
#[derive(Debug, Clone, PartialEq)]
pub struct Serial {
    race: Race,
    chosen: Choices<Steer>,
    /// The number of pods that have chosen.
    count: u8,
}

impl Game for Serial {
    type Move = Steer;
    type Moves = List<Steer, 8>;

    fn to_move(&self) -> Player {
        Player::new(team(usize::from(self.count)) as u8)
    }

    fn moves(&self, list: &mut List<Steer, 8>) {
        Joint::moves(&self.race, Player::new(self.count), list);
    }

    fn play(&mut self, steer: Steer) {
        self.chosen.set(Player::new(self.count), steer);
        self.count += 1;
        if usize::from(self.count) == PODS {
            Joint::play(&mut self.race, &self.chosen);
            (self.chosen, self.count) = (Choices::NONE, 0);
        }
    }

    fn payoff(&self, player: Player) -> Payoff {
        Joint::payoff(&self.race, Player::new(2 * player.index() as u8))
    }

    fn hash(&self) -> u64 {
        let chosen = (0..self.count).filter_map(|i| self.chosen.of(Player::new(i)));
        chosen.fold(Joint::hash(&self.race), |hash, steer| {
            mix(hash ^ u64::from(Serial::move_index(steer)) << 8)
        })
    }

    fn move_index(steer: Steer) -> u16 {
        let power = match steer.power {
            Power::Thrust(thrust) => u16::from(thrust),
            Power::Shield => 254,
            Power::Boost => 255,
        };
        power << 8 | u16::from(steer.turn as u8)
    }
}

/// [`Plans`] as an evaluation. A turn that has begun is judged as if it hadn't.
#[derive(Debug, Clone)]
pub struct Judge(pub Plans);

impl Evaluation<Serial> for Judge {
    fn evaluate(&self, game: &Serial) -> Score {
        let unit = Player::new(2 * game.to_move().index() as u8);
        let other = Player::new(2 - unit.index() as u8);
        let value = self.0.estimate(&game.race, unit) - self.0.estimate(&game.race, other);
        Score::estimate((value / 2.0) as i32)
    }
}

/// A pilot that searches the serialised race.
pub struct Serialised<S> {
    search: S,
}

impl<S> Serialised<S> {
    fn new(search: S) -> Serialised<S> {
        Serialised { search }
    }
}

impl<S: Search<Serial>> Pilot for Serialised<S> {
    fn choose(&mut self, race: &Race, budget: Budget) -> Choice {
        let mut game = Serial { race: race.clone(), chosen: Choices::NONE, count: 0 };
        // Half of the budget for each pod; the tree is kept in between.
        let mut think = |game: &Serial, budget| -> Report<Steer> { self.search.search(game, budget) };
        let first = think(&game, half(budget));
        let steer = first.best.unwrap_or_default();
        game.play(steer);
        let second = think(&game, budget.and_nodes(budget.max_nodes() / 2));
        let steers = [steer, second.best.unwrap_or_default()];
        Choice::new(
            race,
            steers,
            first.score.value().into(),
            first.nodes + second.nodes,
            first.depth / PODS as u32,
        )
    }
}

impl<S: Search<Serial>> Watched for Serialised<S> {
    /// The second pod's tree: moves are the answers with the first pod's choice. The first pod's, if time was too short for
    /// the second's: moves are the answers with none of the second pod.
    fn tree(&self) -> Option<LineTree> {
        let answer = |game: &Serial, steer| {
            let steers = match game.chosen.of(Player::FIRST) {
                Some(first) => [first, steer],
                None => [steer, Steer::default()],
            };
            write_answer([0, 1].map(|i| game.race.pods[i].order(steers[i])))
        };
        Some(LineTree::of(self.search.tree()?, answer))
    }
}

/// Alpha-beta with the usual options, and a table of `bytes` bytes.
pub fn alpha_beta(plans: Plans, bytes: usize) -> Serialised<AlphaBeta<Serial, Judge>> {
    Serialised::new(AlphaBeta::new(
        Judge(plans),
        AlphaBetaOptions { memory: bytes, ..AlphaBetaOptions::default() },
    ))
}

/// Monte Carlo tree search with the usual options in `bytes` bytes; playouts are cut off after eight turns.
pub fn mcts(plans: Plans, bytes: usize, seed: u64) -> Serialised<Mcts<Serial, Evaluated<Judge>>> {
    let policy = Evaluated { evaluation: Judge(plans), plies: 8 * PODS as u32, scale: 2000 };
    Serialised::new(Mcts::with_policy(policy, MctsOptions { memory: bytes, seed, ..MctsOptions::default() }))
}
