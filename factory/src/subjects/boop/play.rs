//! Games of boop. of the bot against itself, with labels.

use bots::boop::heuristic::Published;
use bots::boop::net::{Net, THREE_QUARTERS};
use bots::boop::Board;
use coppice::search::{BestFirst, BestFirstOptions};
use coppice::{Budget, Evaluation, Rng, Score, Search};

use super::position::Pieces;
use super::Learnt;
use crate::sample::Sample;
use crate::self_play::{value, Slips};
use crate::subjects::symmetry::SYMMETRIES;

/// Nodes that a move is searched with.
pub const NODES: u64 = 1_500;
/// What counts as three quarters of a win in the published heuristic's points.
const HAND: f32 = 50.0;
/// How games depart from the best moves.
const SLIPS: Slips = Slips { opening: 12, early: 10, early_one_in: 4, one_in: 20, aside_one_in: 2 };

/// An evaluation, in points of which [`THREE_QUARTERS`] are three quarters of a win.
#[derive(Debug, Clone)]
pub enum Judge {
    /// The published heuristic: the bot without learnt weights.
    Hand,
    /// Packed weights.
    Net(Box<Net>),
    /// Weights as learnt, in floating point.
    Learnt(Box<Learnt>),
}

impl Evaluation<Board> for Judge {
    #[inline(always)]
    fn evaluate(&self, board: &Board) -> Score {
        match self {
            Judge::Hand => {
                let points = Published.evaluate(board).value() as f32 * (THREE_QUARTERS / HAND);
                Score::estimate(points as i32)
            }
            Judge::Net(net) => net.evaluate(board),
            Judge::Learnt(model) => {
                Score::estimate((THREE_QUARTERS * model.output(&Pieces::of(board, 0))) as i32)
            }
        }
    }
}

/// The bot's search with this evaluation.
pub fn search(judge: Judge) -> BestFirst<Board, Judge> {
    let options = BestFirstOptions { memory: 4 << 20, scale: THREE_QUARTERS, ..BestFirstOptions::default() };
    BestFirst::new(judge, options)
}

/// The search that plays.
pub struct SelfPlay {
    search: BestFirst<Board, Judge>,
}

impl SelfPlay {
    /// A player with this evaluation.
    pub fn new(judge: Judge) -> SelfPlay {
        SelfPlay { search: search(judge) }
    }

    /// Plays one game. Positions are stored turned at random: the network doesn't know the board's symmetries.
    pub fn game(&mut self, rng: &mut Rng, samples: &mut Vec<Sample<Pieces>>) {
        SLIPS.game(Board::START, rng, samples, |board, rng, samples| {
            self.search.clear();
            let report = self.search.search(board, Budget::nodes(NODES));
            let position = Pieces::of(board, rng.below(SYMMETRIES as u32) as usize);
            let (score, exact) = (value(report.score, THREE_QUARTERS), report.solved);
            samples.push(Sample { position, score, result: None, exact });
            report.best
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_depend_on_the_seed_only_and_end_as_they_are_labelled() {
        let play = || {
            let (mut samples, mut player) = (Vec::new(), SelfPlay::new(Judge::Hand));
            (0..6).for_each(|seed| player.game(&mut Rng::new(seed), &mut samples));
            samples
        };
        let samples = play();
        assert_eq!(samples, play());
        assert!(samples.len() > 100, "{} samples", samples.len());
        // A player who sees a win takes it; one who can only lose, loses.
        let exact = samples.iter().filter(|sample| sample.exact);
        let played: Vec<_> = exact.filter_map(|sample| Some((sample.score, sample.result?))).collect();
        assert!(played.len() > 3 && played.iter().all(|(score, result)| score == result), "{played:?}");
    }
}
