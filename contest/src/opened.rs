//! A contest whose games begin with an opening that is known from a recorded game.

use crate::bench::BenchResult;
use crate::contest::{Allowance, Contest, Limits, Setup};
use crate::notation::Unreadable;
use crate::referee::{IllegalMove, Referee};
use crate::session::Searches;

/// Another contest's games from an opening. Games without recorded moves, such as those of searches, start before it.
pub struct Opened {
    contest: Box<dyn Contest>,
    opening: Vec<String>,
}

impl Opened {
    /// Games of `contest` that begin with these moves, written as in [`Referee::moves`].
    ///
    /// # Errors
    /// If a move isn't legal. The message lists the legal ones.
    pub fn new(contest: Box<dyn Contest>, opening: Vec<String>) -> Result<Opened, IllegalMove> {
        let opened = Opened { contest, opening };
        let setup = Setup { seed: 0, opening_plies: 0, limits: opened.limits() };
        let mut game = opened.contest.new_game(setup);
        opened.opening.iter().try_for_each(|text| game.open(text))?;
        Ok(opened)
    }
}

impl Contest for Opened {
    fn name(&self) -> &str {
        self.contest.name()
    }

    fn seats(&self) -> usize {
        self.contest.seats()
    }

    fn limits(&self) -> Limits {
        self.contest.limits()
    }

    /// The opening takes the place of random plies.
    fn new_game(&self, setup: Setup) -> Box<dyn Referee> {
        let mut game = self.contest.new_game(Setup { opening_plies: 0, ..setup });
        let opened = self.opening.iter().try_for_each(|text| game.open(text));
        opened.expect("the opening was legal before");
        game
    }

    fn allowance(&self) -> Allowance {
        self.contest.allowance()
    }

    fn variants(&self) -> Option<&'static str> {
        self.contest.variants()
    }

    fn variant(&self, words: &str) -> Result<Box<dyn Contest>, Unreadable> {
        self.contest.variant(words)
    }

    fn bench(&self) -> Vec<BenchResult> {
        self.contest.bench()
    }

    fn searches(&self) -> Option<Box<dyn Searches>> {
        self.contest.searches()
    }
}
