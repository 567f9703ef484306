//! Command lines that make no sense.

use std::borrow::Cow;
use std::path::PathBuf;

use crate::command::host::MOST_PLAYERS;
use crate::failure::Failure;
use coppice_referee::contests::with_seats;
use coppice_referee::replay::source::Source;
use coppice_referee::series::host::Host;

/// A command line that parses and makes no sense.
#[derive(Debug, thiserror::Error)]
pub enum Misuse {
    /// Too few or too many bots.
    #[error(
        "a game of {contest} has {seats} bot{}, but {given} command line{} given; put quotes around each",
        if *.seats == "1" { "" } else { "s" }, if *.given == 1 { " was" } else { "s were" }
    )]
    WrongBots {
        /// The contest.
        contest: String,
        /// Seats of a game: `2`, or `2, 3 or 4`.
        seats: String,
        /// The bots on the command line.
        given: usize,
    },
    /// Too few bots to rate.
    #[error("rating {contest} needs at least {needed} bots, but {given} command line{} given; put quotes around each",
            if *.given == 1 { " was" } else { "s were" })]
    TooFewBots {
        /// The contest.
        contest: String,
        /// The fewest.
        needed: usize,
        /// The bots on the command line.
        given: usize,
    },
    /// More games than can be counted.
    #[error("{games} games for each of {lineups} line-ups are too many to count: give a smaller -n")]
    TooManyGames {
        /// Games for each.
        games: u32,
        /// The number of line-ups.
        lineups: usize,
    },
    /// The bots are given in two ways.
    #[error("give the bots either one after the other or as -p1, -p2, ..., not both")]
    BotsTwice,
    /// An external referee can't play against searches of this program.
    #[error(
        "an external referee starts its bots itself: give programs in place of in: searches; if its protocol is that of a \
         contest here, 'arena as-bot CONTEST in:SEARCH' is one"
    )]
    SearchesOutside,
    /// People can't play through an external referee, nor in runs.
    #[error("a human plays contests of this program, with `arena play CONTEST human BOT`; an external referee starts its bots itself")]
    PeopleOutside,
    /// Options that an external referee can't follow.
    #[error("{options} are for contests of this program; an external referee has its own (--referee-arg)")]
    Outside {
        /// The options.
        options: &'static str,
    },
    /// Openings of two kinds.
    #[error("--opening-file has its own openings: leave --openings and --balance out")]
    OpeningsTwice,
    /// The number of games is not a multiple of the group size.
    #[error("{games} games are not a whole number of groups: each opening is played {size} times, so give -n {more}")]
    NotWholeGroups {
        /// The requested number.
        games: u32,
        /// Games per opening.
        size: u32,
        /// The next multiple of `size`.
        more: u32,
    },
    /// More games are asked for than there are seeds.
    #[error("{games} games need more seeds: each is played once a bot, and those that are named make {most} games (--seeds)")]
    TooFewSeeds {
        /// The requested number.
        games: u32,
        /// The games that the seeds make.
        most: u32,
    },
    /// The game's parameters (`-d`) can't be parsed.
    #[error("-d {word}: expected words NAME=VALUE, with whole numbers for seed and opening, as in seed=7")]
    Data {
        /// The invalid word.
        word: String,
    },
}

impl Misuse {
    /// The number of bots is neither that of the seats nor that of a variant's.
    pub(crate) fn wrong_bots(host: Host<'_>, seats: usize, given: usize) -> Self {
        let has_seats =
            |&n: &usize| n == seats || host.contest().is_some_and(|contest| with_seats(contest, n).is_some());
        let mut seats =
            (1..=MOST_PLAYERS.into()).filter(has_seats).map(|n| n.to_string()).collect::<Vec<_>>();
        let last = seats.pop().unwrap_or_default();
        let seats = if seats.is_empty() { last } else { format!("{} or {last}", seats.join(", ")) };
        Self::WrongBots { contest: host.name().to_owned(), seats, given }
    }
}

/// The value of an option that can't be parsed; the sentence says what was expected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct InvalidValue(Cow<'static, str>);

impl From<&'static str> for InvalidValue {
    fn from(expected: &'static str) -> Self {
        Self(expected.into())
    }
}

impl From<String> for InvalidValue {
    fn from(expected: String) -> Self {
        Self(expected.into())
    }
}

/// Files and folders without a game.
#[derive(Debug, thiserror::Error)]
#[error("no games found in {}: give bot logs, game records, replays or folders that contain them", .0.join(", "))]
pub(crate) struct NoGames(Vec<String>);

impl NoGames {
    /// None in these.
    pub(crate) fn in_files(files: &[PathBuf]) -> Self {
        Self(files.iter().map(|path| path.display().to_string()).collect())
    }
}

/// No game has one of these numbers.
#[derive(Debug, thiserror::Error)]
#[error("no game {asked}: {there}")]
pub(crate) struct NoSuchGame {
    asked: String,
    there: String,
}

impl NoSuchGame {
    /// None of `games` has one of these numbers.
    pub(crate) fn new(asked: &[u64], games: &[Source]) -> Self {
        let asked = asked.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
        let numbers = || games.iter().filter_map(|game| game.fields.game);
        let there = match (numbers().min(), numbers().max()) {
            (Some(first), Some(last)) if first == last => format!("the files have game {first} only"),
            (Some(first), Some(last)) => {
                format!("the files have {} games, numbered from {first} to {last}", numbers().count())
            }
            _ => format!("the games of the files have no numbers; leave --game out ({} games)", games.len()),
        };
        Self { asked, there }
    }
}

impl From<Misuse> for Failure {
    fn from(error: Misuse) -> Self {
        Self::usage(error)
    }
}
