//! Othello: patterns, learnt from games of alpha-beta against itself.

mod model;
pub mod play;
pub mod position;
pub mod solver;

use anyhow::{bail, Result};
use bots::reversi::eval::patterns::nets::{Values, UNITS};
use bots::reversi::eval::patterns::{KNOTS, PACKED};
use bots::reversi::eval::Patterns;
use bots::reversi::Board;
use coppice::search::{AlphaBeta, AlphaBetaOptions, JointSearch};
use coppice::{Rng, Turns};

use crate::alternating::Alternating;
use crate::model::generated::Generated;
use crate::recipe::{Recipe, Stage};
use crate::sample::Sample;
use crate::self_play::random_turns;
use crate::subject::{Players, Subject, Weights};
use model::PatternTables;
use play::{SelfPlay, NODES, SOLVE};
use position::Discs;

/// Othello.
#[derive(Debug, Clone, Copy, Default)]
pub struct Reversi;

/// Bytes of the table of a search that weights are compared with.
const TABLE: usize = 4 << 20;

impl Subject for Reversi {
    type Game = Turns<Board>;
    type Position = Discs;
    type Player = SelfPlay<Patterns>;
    type Evaluation = Patterns;
    type Model = Generated<PatternTables, UNITS, KNOTS>;

    const NAME: &'static str = "reversi";
    const WEIGHTS: &'static str = "bots/reversi/eval/patterns/weights.bin";

    fn settings(&self) -> String {
        format!("alpha-beta with {NODES} nodes a move, solved from {SOLVE} empty cells")
    }

    fn weights(&self) -> &'static [u8] {
        PACKED
    }

    fn player(&self, players: Players<'_>) -> Result<SelfPlay<Patterns>> {
        Ok(SelfPlay::new(self.evaluation(Weights::Packed(players.weights))?))
    }

    fn play(&self, player: &mut SelfPlay<Patterns>, rng: &mut Rng, samples: &mut Vec<Sample<Discs>>) {
        player.game(rng, samples);
    }

    fn recipe(&self) -> Recipe {
        Recipe {
            from: None,
            stages: vec![Stage { epochs: 6, batch: 2_048, rate: 0.003, share: 0.7, aside: 1 }],
            scale: None,
            widest: 64.0,
            generations: 2,
            latest: None,
            seed: 1,
        }
    }

    fn model(&self, seed: u64) -> Self::Model {
        Generated::new(PatternTables::default(), seed)
    }

    fn evaluation(&self, weights: Weights<'_, Self::Model>) -> Result<Patterns> {
        Ok(match weights {
            Weights::Packed(bytes) if bytes.is_empty() || bytes.len() == PACKED.len() => {
                Patterns::expand(&Values::generate(bytes))
            }
            Weights::Packed(bytes) => {
                bail!("expected {} bytes, one a weight, found {}", PACKED.len(), bytes.len())
            }
            Weights::Learnt(model) => Patterns::expand(&values(model)),
        })
    }

    fn search(&self, patterns: &Patterns, _: u64) -> Box<dyn JointSearch<Turns<Board>>> {
        let options = AlphaBetaOptions { memory: TABLE, ..AlphaBetaOptions::default() };
        Box::new(Alternating(AlphaBeta::new(patterns.clone(), options)))
    }

    fn opening(&self, rng: &mut Rng) -> Turns<Board> {
        random_turns(Turns(Board::START), 8, rng)
    }
}

/// A model's values, as learnt.
fn values(model: &Generated<PatternTables, UNITS, KNOTS>) -> Values {
    let numbers = model.numbers();
    Values { rows: model.values().collect(), numbers: std::array::from_fn(|i| numbers[i]) }
}

#[cfg(test)]
mod tests {
    use coppice::{Evaluation, Player};

    use super::*;
    use crate::model::Model;
    use crate::sample::Record;

    fn board(discs: &Discs) -> Board {
        Board::new(discs.own, discs.opponent, Player::FIRST)
    }

    fn samples(games: u64) -> Vec<Sample<Discs>> {
        let players = Players { weights: PACKED, rival: None };
        let (mut player, mut samples) = (Reversi.player(players).unwrap(), Vec::new());
        (0..games).for_each(|game| Reversi.play(&mut player, &mut Rng::new(game), &mut samples));
        samples
    }

    #[test]
    fn games_are_labelled_as_they_end() {
        let samples = samples(6);
        let mut solver = solver::Solver::new();
        let (mut exact, mut aside) = (0, 0);
        for sample in &samples {
            let Sample { position, score, result, .. } = *sample;
            assert_ne!(board(&position).mobility(), 0, "a move is to be made");
            aside += u32::from(result.is_none());
            if sample.exact && board(&position).empty().count_ones() <= 10 {
                exact += 1;
                assert_eq!(solver.solve(position.own, position.opponent, 0) as f32, score);
                assert_eq!(result.unwrap_or(score), score, "best play keeps what is certain");
            }
        }
        assert!(exact > 30 && aside > 30, "{exact} exact and {aside} aside of {}", samples.len());
    }

    #[test]
    fn the_bots_evaluation_is_that_of_the_model_with_its_weights() {
        let model = Reversi.model(1).unpacked(PACKED).unwrap();
        let patterns = Patterns::trained();
        let positions: Vec<Discs> = samples(4).iter().map(|sample| sample.position.canonical()).collect();
        let inputs = model.inputs(&positions, 1);
        for (i, position) in positions.iter().enumerate() {
            let (model, bot) = (model.estimate(&inputs, i), patterns.evaluate(&board(position)).value());
            // Each of 46 rows is cut to 1/512 of a disc.
            assert!((100.0 * model - bot as f32).abs() < 12.0, "{model} {bot}");
        }
        assert_eq!(model.pack(), PACKED);
    }
}
