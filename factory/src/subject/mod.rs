//! The interface between the factory and a game: how it plays itself, and what a position looks like to a model.
//!
//! A game implements [`Subject`] once. The features that its model reads are those of the bot, called from here: a
//! feature is written in one place, `bots/<contest>`.

pub mod reversi;

use coppice::{Game, Rng, Search};

use crate::data::{Record, Sample};
use crate::model::Model;

/// A game that the factory makes weights for.
pub trait Subject: Sync {
    /// The game's rules.
    type Game: Game + Sync;
    /// A stored position.
    type Position: Record;
    /// What plays the games: a search with its tables, made anew for each shard.
    type Player;
    /// What learns.
    type Model: Model<Position = Self::Position>;

    /// The name on the command line and of the games' folder.
    const NAME: &'static str;
    /// The file of weights in the repository.
    const WEIGHTS: &'static str;

    /// What decides how games are played and labelled, in words: games of other settings are another generation.
    fn settings(&self) -> String;

    /// The packed weights that the bot is compiled with; empty if its evaluation has none yet.
    fn weights(&self) -> &'static [u8];

    /// What plays a shard's games.
    fn player(&self) -> Self::Player;

    /// Plays a game and adds its labelled positions to `samples`. All chance comes from `rng`.
    fn play(&self, player: &mut Self::Player, rng: &mut Rng, samples: &mut Vec<Sample<Self::Position>>);

    /// The model before learning.
    fn model(&self, seed: u64) -> Self::Model;

    /// The search that weights are compared with.
    ///
    /// # Errors
    /// If these are not packed weights.
    fn search(&self, weights: Weights<'_, Self::Model>) -> anyhow::Result<Box<dyn Search<Self::Game>>>;

    /// The start of a game that compares weights, after a random opening.
    fn opening(&self, rng: &mut Rng) -> Self::Game;
}

/// Weights to play with.
#[derive(Debug, Clone, Copy)]
pub enum Weights<'a, M> {
    /// Those that the bot was compiled with, or the evaluation that it had before it had weights.
    Before,
    /// Packed weights.
    Packed(&'a [u8]),
    /// A model's, as learnt, without rounding.
    Learnt(&'a M),
}
