//! Ranks moves in a random order drawn from a seed.

use crate::evaluation::Evaluation;
use crate::game::{Game, Player};
use crate::rng::mix;
use crate::score::Score;

/// An evaluation that ranks the moves of each position at random and leaves the rest to another: a
/// depth-first search that is cut short then misses different moves with each seed, and not always
/// those that are listed last.
///
/// The order follows from the position and the seed alone.
#[derive(Debug, Clone, Copy)]
pub struct Shuffled<E> {
    /// The evaluation of positions.
    pub evaluation: E,
    /// Another seed gives other orders.
    pub seed: u64,
}

impl<G: Game, E: Evaluation<G>> Evaluation<G> for Shuffled<E> {
    #[inline(always)]
    fn evaluate(&self, game: &G) -> Score {
        self.evaluation.evaluate(game)
    }

    #[inline(always)]
    fn ended(&self, game: &G) -> Score {
        self.evaluation.ended(game)
    }

    #[inline(always)]
    fn evaluate_for(&self, game: &G, player: Player) -> Score {
        self.evaluation.evaluate_for(game, player)
    }

    #[inline(always)]
    fn ended_for(&self, game: &G, player: Player) -> Score {
        self.evaluation.ended_for(game, player)
    }

    /// Twenty random bits: two moves in a million rank the same, and the history heuristic has almost no
    /// influence.
    #[inline(always)]
    fn rank(&self, game: &G, m: G::Move) -> i32 {
        (mix(game.hash() ^ mix(self.seed << 16 | u64::from(G::move_index(m)))) >> 44) as i32
    }
}
