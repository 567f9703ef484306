//! Finds bots that keep failing.

use std::collections::BTreeMap;
use std::fmt;

use crate::game::fault::FaultReport;
use crate::record::GameRecord;
use crate::series::host::Host;
use crate::series::Series;
use crate::series::SeriesError;
use crate::text::words;

/// Fewer failures of one bot may be chance, or a busy machine.
const LEAST_FAILURES: u32 = 3;

/// Games after which [`LEAST_FAILURES`] no longer suffice and [`SHARE`] counts. The games of a broken bot don't measure its
/// strength.
const FIRST_GAMES: u32 = 10;

/// One game in this many may fail.
const SHARE: u32 = 3;

/// The games and failures of each bot.
#[derive(Debug, Clone, Default)]
pub struct Failures {
    by_bot: BTreeMap<String, Count>,
}

#[derive(Debug, Clone, Default)]
struct Count {
    games: u32,
    failures: u32,
    failing: Option<Failing>,
}

/// A bot that keeps failing, when that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failing {
    /// The number of failures.
    pub failures: u32,
    /// The number of games played.
    pub games: u32,
    /// The number of the last failed game.
    pub game: u32,
    /// The game's seed, if the bot played alone.
    pub seed: Option<u64>,
    /// The fault in that game.
    pub fault: FaultReport,
}

impl Failures {
    /// Counts a game.
    pub fn add(&mut self, record: &GameRecord) {
        for (seat, bot) in record.bots.iter().enumerate() {
            let Count { games, failures, failing } = self.by_bot.entry(bot.name.clone()).or_default();
            *games += 1;
            let Some(fault) = record.faults.iter().find(|fault| fault.seat == seat) else { continue };
            *failures += 1;
            let is_often =
                *failures >= LEAST_FAILURES && (*games <= FIRST_GAMES || *failures * SHARE > *games);
            if failing.is_none() && is_often {
                let (failures, games, fault) = (*failures, *games, fault.clone());
                let seed = (record.bots.len() == 1).then_some(record.seed);
                *failing = Some(Failing { failures, games, game: record.game, seed, fault });
            }
        }
    }

    /// Drops what is known of a bot.
    pub fn forget(&mut self, name: &str) {
        self.by_bot.remove(name);
    }

    /// Why a bot is said to keep failing; `None` if it doesn't.
    pub fn of(&self, name: &str) -> Option<&Failing> {
        self.by_bot.get(name)?.failing.as_ref()
    }

    /// Checks that no bot keeps failing.
    ///
    /// # Errors
    /// The first bot that does.
    pub fn check(&self, series: &Series<'_>) -> Result<(), SeriesError> {
        let mut bots = (0..series.bots.len()).map(|bot| series.bot_record(bot));
        let Some((bot, failing)) = bots.find_map(|bot| self.of(&bot.name).cloned().map(|found| (bot, found)))
        else {
            return Ok(());
        };
        Err(SeriesError::KeepsFailing {
            bot: bot.name,
            advice: match series.host {
                Host::Contest(contest) => {
                    format!("run `arena check {} {}` to test it", contest.name(), words::quote(&bot.command))
                }
                Host::Referee(_) => format!("its command is `{}`", bot.command),
            },
            failing: Box::new(failing),
        })
    }
}

impl fmt::Display for Failing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { failures, games, game, seed, .. } = self;
        write!(f, "failed in {failures} of its first {games} games, the last time ")?;
        match seed {
            Some(seed) => write!(f, "with seed {seed}"),
            None => write!(f, "in game {game}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::game::fault::{Ending, Verdict};
    use crate::record::example;

    use super::*;

    /// The number of the game with which B is found to keep failing, if it fails in these of its games.
    fn found(fails: impl Fn(u32) -> bool) -> Option<u32> {
        let mut failures = Failures::default();
        for game in 1..=100 {
            let mut record = example(game);
            let seat = record.bots.iter().position(|bot| bot.name == "B").unwrap();
            let verdict = Verdict::new(Ending::Crash, "one line", "nothing");
            let fault = FaultReport::of("B".to_owned(), seat, 2, verdict, String::new());
            record.faults = if fails(game) { vec![fault] } else { Vec::new() };
            failures.add(&record);
        }
        assert_eq!(failures.of("A"), None);
        failures.of("B").map(|failing| failing.game)
    }

    #[test]
    fn three_of_the_first_ten_games_or_later_more_than_a_third_are_too_many() {
        assert_eq!(found(|_| true), Some(3));
        assert_eq!(found(|game| [2, 6, 10].contains(&game)), Some(10));
        assert_eq!(found(|game| [2, 6, 11].contains(&game)), None);
        assert_eq!(found(|game| game % 4 == 0), None);
        assert_eq!(found(|game| game > 10), Some(16));
    }
}
