//! Plays a uniformly random legal move: the weakest baseline.

use crate::clock::Budget;
use crate::game::Game;
use crate::rng::Rng;
use crate::score::Score;
use crate::search::report::{Report, Search};

/// Makes any legal move, each with the same probability, and looks at no position.
#[derive(Debug, Clone)]
pub struct Random {
    rng: Rng,
}

impl Random {
    /// A player whose moves follow from `seed`.
    pub fn new(seed: u64) -> Random {
        Random { rng: Rng::new(seed) }
    }
}

impl<G: Game> Search<G> for Random {
    fn search(&mut self, game: &G, _budget: Budget) -> Report<G::Move> {
        let best = game.random_move(&mut self.rng);
        let score = match best {
            Some(_) => Score::DRAW,
            None => Score::ended(game.payoff(game.to_move())),
        };
        Report { best, score, nodes: 0, depth: 0, solved: best.is_none(), restarted: false }
    }
}
