//! Games of connect four of the bot against itself, with labels.

use connect_four::lines::Lines;
use connect_four::net::Net;
use connect_four::ConnectFour;
use coppice::search::{AlphaBeta, AlphaBetaOptions};
use coppice::{Budget, Rng, Search};

use crate::position::Discs;
use crate::Learnt;
use factory::judge::{self, Scaled, THREE_QUARTERS};
use factory::sample::Sample;
use factory::self_play::{value, Slips};

/// Nodes that a move is searched with.
pub const NODES: u64 = 4_000;
/// Bytes of the search's table.
pub const TABLE: usize = 1 << 20;
/// Points of the evaluation by hand that count as three quarters of a win: about the median over positions of games that
/// one of the players wins.
pub const HAND: f32 = 32.0;
/// Departures from the best moves.
const SLIPS: Slips = Slips { opening: 20, early: 12, early_one_in: 4, one_in: 16, aside_one_in: 1 };

/// The evaluations of the bot.
pub type Judge = judge::Judge<ConnectFour, Scaled<Lines>, Net, Learnt>;

/// The stored form of a position.
pub fn discs(game: &ConnectFour) -> Discs {
    let (own, other) = game.discs();
    Discs { own, other }
}

/// The search that plays.
pub struct SelfPlay {
    search: AlphaBeta<ConnectFour, Judge>,
}

impl SelfPlay {
    /// A player with this evaluation.
    pub fn new(judge: Judge) -> SelfPlay {
        SelfPlay {
            search: AlphaBeta::new(judge, AlphaBetaOptions { memory: TABLE, ..AlphaBetaOptions::default() }),
        }
    }

    /// Plays one game.
    pub fn game(&mut self, rng: &mut Rng, samples: &mut Vec<Sample<Discs>>) {
        self.search.clear();
        SLIPS.game(ConnectFour::START, rng, samples, |game, _, samples| {
            let report = self.search.search(game, Budget::nodes(NODES));
            let (score, exact) = (value(report.score, THREE_QUARTERS), report.solved);
            samples.push(Sample { position: discs(game), score, result: None, exact });
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
                (Vec::new(), SelfPlay::new(Judge::Hand(Scaled::new(Lines, HAND))));
            (0..20).for_each(|seed| player.game(&mut Rng::new(seed), &mut samples));
            samples
        };
        let samples = play();
        assert_eq!(samples, play());
        assert!(samples.len() > 200, "{} samples", samples.len());
        let exact: Vec<_> = samples.iter().filter(|sample| sample.exact).collect();
        assert!(exact.iter().all(|sample| [-1.0, 0.0, 1.0].contains(&sample.score)));
        // A player who sees a win takes it; one who can only lose, loses.
        let played: Vec<_> = exact.iter().filter_map(|sample| Some((sample.score, sample.result?))).collect();
        assert!(played.len() > 8 && played.iter().all(|(score, result)| score == result), "{played:?}");
        let both = |result| samples.iter().any(|sample| sample.result == Some(result));
        assert!(both(1.0) && both(-1.0));
    }
}
