//! The host of a run's games.

use contest::{Allowance, Contest, Limits};
use std::time::Duration;

use crate::external::ExternalReferee;
use crate::record::GameRecord;

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
            Self::Referee(referee) => {
                let limit = referee.case_limit().unwrap_or(Duration::ZERO);
                Limits { first: limit, later: limit }
            }
        }
    }

    /// Whether the contest is a heuristic one, whose seeds are numbers of inputs.
    pub fn is_heuristic(&self) -> bool {
        matches!(self, Self::Referee(referee) if referee.case_limit().is_some())
    }

    /// The plural of the word for a bot's or several bots' meeting.
    pub fn noun(&self) -> &'static str {
        if self.is_heuristic() {
            "cases"
        } else {
            "games"
        }
    }

    /// Notes the best known score of a game's seed in its record, if scores are relative to it.
    pub fn rescore(&self, record: &mut GameRecord) {
        if let Self::Referee(referee) = self {
            referee.best_known().into_iter().for_each(|best| best.rescore(record));
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
