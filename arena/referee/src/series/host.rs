//! The host of a run's games.

use contest::{Allowance, Contest, Limits};
use std::time::Duration;

use crate::external::ExternalReferee;

/// The host of a run's games: a contest of this program, or a referee that is a program of its own.
#[derive(Clone, Copy)]
pub enum Host<'a> {
    /// A contest whose rules this program knows.
    Contest(&'a dyn Contest),
    /// A referee that starts the bots itself.
    Referee(&'a ExternalReferee),
}

impl<'a> Host<'a> {
    /// The contest's name.
    pub fn name(&self) -> &'a str {
        match self {
            Self::Contest(contest) => contest.name(),
            Self::Referee(referee) => referee.name(),
        }
    }

    /// The number of bots in a game.
    pub fn seats(&self) -> usize {
        match self {
            Self::Contest(contest) => contest.seats(),
            Self::Referee(referee) => referee.seats(),
        }
    }

    /// The default time limits; zero if they are the referee's own.
    pub fn limits(&self) -> Limits {
        match self {
            Self::Contest(contest) => contest.limits(),
            Self::Referee(_) => Limits { first: Duration::ZERO, later: Duration::ZERO },
        }
    }

    /// The resource limits of a bot.
    pub fn allowance(&self) -> Allowance {
        self.contest().map_or_else(Allowance::default, Contest::allowance)
    }

    /// The default number of random plies before each game.
    pub fn opening_plies(&self) -> u32 {
        self.contest().map_or(0, Contest::opening_plies)
    }

    /// The contest, if its rules are known.
    pub fn contest(&self) -> Option<&'a dyn Contest> {
        match self {
            Self::Contest(contest) => Some(*contest),
            Self::Referee(_) => None,
        }
    }
}

impl<'a> From<&'a dyn Contest> for Host<'a> {
    fn from(contest: &'a dyn Contest) -> Self {
        Self::Contest(contest)
    }
}

impl<'a, C: Contest> From<&'a C> for Host<'a> {
    fn from(contest: &'a C) -> Self {
        Self::Contest(contest)
    }
}

impl<'a> From<&'a ExternalReferee> for Host<'a> {
    fn from(referee: &'a ExternalReferee) -> Self {
        Self::Referee(referee)
    }
}
