//! Othello: patterns, learnt from games of alpha-beta against itself.

mod model;
pub mod play;
pub mod position;
pub mod solver;

use anyhow::Result;
use bots::reversi::eval::patterns::nets::{Values, UNITS};
use bots::reversi::eval::patterns::{KNOTS, PACKED};
use bots::reversi::eval::{Patterns, Positional};
use bots::reversi::Board;
use coppice::search::{AlphaBeta, AlphaBetaOptions};
use coppice::{Evaluation, Game, Rng, Search};

use super::{Subject, Weights};
use crate::data::Sample;
use crate::model::generated::Generated;
use model::PatternTables;
use play::{SelfPlay, NODES, SOLVE};
use position::Discs;

/// Othello.
#[derive(Debug, Clone, Copy, Default)]
pub struct Reversi;

/// What plays a shard's games.
pub enum Player {
    /// With the patterns that the bot has.
    Patterns(Box<SelfPlay<Patterns>>),
    /// With the fitted features, before there are patterns.
    Positional(Box<SelfPlay<Positional>>),
}

/// Bytes of the table of a search that weights are compared with.
const TABLE: usize = 4 << 20;

fn alpha_beta(evaluation: impl Evaluation<Board> + 'static) -> Box<dyn Search<Board>> {
    Box::new(AlphaBeta::new(evaluation, TABLE, AlphaBetaOptions::default()))
}

impl Subject for Reversi {
    type Game = Board;
    type Position = Discs;
    type Player = Player;
    type Model = Generated<PatternTables, UNITS, KNOTS>;

    const NAME: &'static str = "reversi";
    const WEIGHTS: &'static str = "bots/reversi/eval/patterns/weights.bin";

    fn settings(&self) -> String {
        format!("alpha-beta with {NODES} nodes a move, solved from {SOLVE} empty cells")
    }

    fn weights(&self) -> &'static [u8] {
        PACKED
    }

    fn player(&self) -> Player {
        if self.weights().is_empty() {
            Player::Positional(Box::new(SelfPlay::new(Positional::new())))
        } else {
            Player::Patterns(Box::new(SelfPlay::new(Patterns::trained())))
        }
    }

    fn play(&self, player: &mut Player, rng: &mut Rng, samples: &mut Vec<Sample<Discs>>) {
        match player {
            Player::Patterns(player) => player.game(rng, samples),
            Player::Positional(player) => player.game(rng, samples),
        }
    }

    fn model(&self, seed: u64) -> Self::Model {
        Generated::new(PatternTables::default(), seed)
    }

    fn search(&self, weights: Weights<'_, Self::Model>) -> Result<Box<dyn Search<Board>>> {
        Ok(match weights {
            Weights::Before if self.weights().is_empty() => alpha_beta(Positional::new()),
            Weights::Before => alpha_beta(Patterns::trained()),
            Weights::Packed(bytes) => alpha_beta(Patterns::expand(&Values::generate(bytes))),
            Weights::Learnt(model) => alpha_beta(Patterns::expand(&values(model))),
        })
    }

    fn opening(&self, rng: &mut Rng) -> Board {
        let mut board = Board::START;
        for _ in 0..8 {
            board.random_move(rng).into_iter().for_each(|cell| board.play(cell));
        }
        board
    }
}

/// A model's values, as learnt.
fn values(model: &Generated<PatternTables, UNITS, KNOTS>) -> Values {
    let numbers = model.numbers();
    Values { rows: model.values().collect(), numbers: std::array::from_fn(|i| numbers[i]) }
}
