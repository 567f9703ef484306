//! Games of boop. of the bot against itself, with labels.

use bots::boop::heuristic::Published;
use bots::boop::net::Net;
use bots::boop::Board;
use coppice::search::{BestFirst, BestFirstOptions};
use coppice::{Budget, Rng, Search};

use super::position::Pieces;
use super::Learnt;
use crate::judge::{self, THREE_QUARTERS};
use crate::sample::Sample;
use crate::self_play::{value, Slips};
use crate::subjects::symmetry::SYMMETRIES;

/// Nodes that a move is searched with.
pub const NODES: u64 = 1_500;
/// Points of the published heuristic that count as three quarters of a win.
pub const HAND: f32 = 50.0;
/// Departures from the best moves.
const SLIPS: Slips = Slips { opening: 12, early: 10, early_one_in: 4, one_in: 20, aside_one_in: 2 };

/// The evaluations of the bot.
pub type Judge = judge::Judge<Board, Published, Net, Learnt>;

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
            let (mut samples, mut player) =
                (Vec::new(), SelfPlay::new(Judge::Hand(Published, THREE_QUARTERS / HAND)));
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
