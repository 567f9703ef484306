//! The interface between the factory and a game: how it plays itself, and what a position looks like to a model.
//!
//! A game implements [`Subject`] once. The features that its model reads are those of the bot, called from here: a
//! feature is written in one place, `bots/<contest>`.

use coppice::search::JointSearch;
use coppice::{Joint, Rng};

use crate::model::Model;
use crate::recipe::{Recipe, Stage};
use crate::sample::{Record, Sample};

/// A game that the factory makes weights for.
pub trait Subject: Sync {
    /// The game's rules, for two players. A game in turns is [`Turns`](coppice::Turns) of its rules.
    type Game: Joint + Sync;
    /// A stored position.
    type Position: Record;
    /// What plays the games: a search with its tables, made anew for each shard.
    type Player;
    /// An evaluation that the bot can play with.
    type Evaluation: Sync;
    /// What learns.
    type Model: Model<Position = Self::Position>;

    /// The name on the command line and of the games' folder.
    const NAME: &'static str;
    /// The games of a generation, unless the command line says otherwise.
    const GAMES: u64 = 40_000;
    /// Default number of rounds after the first.
    const ROUNDS: u32 = 0;
    /// The games of each of these rounds.
    const ROUND_GAMES: u64 = 10_000;
    /// In rounds, the percentage of games against the weights of the round before.
    const RIVALS: u32 = 0;
    /// The file of weights in the repository.
    const WEIGHTS: &'static str;

    /// What decides how games are played and labelled, in words: games of other settings are another generation.
    fn settings(&self) -> String;

    /// The packed weights that the bot is compiled with. An empty file is a beginning: an evaluation that knows nothing.
    fn weights(&self) -> &'static [u8];

    /// What plays a shard's games.
    ///
    /// # Errors
    /// If these are no packed weights.
    fn player(&self, players: Players<'_>) -> anyhow::Result<Self::Player>;

    /// Plays a game and adds its labelled positions to `samples`. All chance comes from `rng`.
    fn play(&self, player: &mut Self::Player, rng: &mut Rng, samples: &mut Vec<Sample<Self::Position>>);

    /// How to learn, unless the command line says otherwise.
    fn recipe(&self) -> Recipe;

    /// How weights go on learning: in rounds, and with `--from`.
    fn again(&self) -> Stage {
        self.recipe().stages.last().copied().unwrap_or_default()
    }

    /// The model before learning.
    fn model(&self, seed: u64) -> Self::Model;

    /// The evaluation with these weights.
    ///
    /// # Errors
    /// If these are no packed weights.
    fn evaluation(&self, weights: Weights<'_, Self::Model>) -> anyhow::Result<Self::Evaluation>;

    /// The search that evaluations are compared with, one for each player; `seed` is for searches that draw. That of a game in turns
    /// is [`Alternating`](crate::alternating::Alternating).
    fn search(&self, evaluation: &Self::Evaluation, seed: u64) -> Box<dyn JointSearch<Self::Game>>;

    /// The start of a game that compares weights, after a random opening. Chance has nothing to decide there.
    fn opening(&self, rng: &mut Rng) -> Self::Game;
}

/// Who plays a generation's games: packed weights.
#[derive(Debug, Clone, Copy)]
pub struct Players<'a> {
    /// The weights that play, and whose searches label positions.
    pub weights: &'a [u8],
    /// The weights that they meet in [`Subject::RIVALS`] percent of the games; there, each player labels its own turns.
    pub rival: Option<&'a [u8]>,
}

/// Weights to play with.
#[derive(Debug, Clone, Copy)]
pub enum Weights<'a, M> {
    /// Packed weights.
    Packed(&'a [u8]),
    /// A model's, as learnt, without rounding.
    Learnt(&'a M),
}
