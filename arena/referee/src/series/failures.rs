//! Finds bots that keep failing in their first games.

use std::collections::BTreeMap;

use crate::game::fault::FaultReport;
use crate::record::GameRecord;
use crate::series::Series;
use crate::series::SeriesError;

/// This many failures of one bot ...
const MOST_FAILURES: u32 = 3;

/// Failed first games that stop a run: the bot is broken, and its games say nothing about its strength.
const FIRST_GAMES: u32 = 10;

/// The number of failures of each bot in its first games.
#[derive(Debug, Clone, Default)]
pub struct Failures {
    by_bot: BTreeMap<String, Count>,
}

#[derive(Debug, Clone, Default)]
struct Count {
    games: u32,
    failures: u32,
    last: Option<(u32, FaultReport)>,
}

impl Failures {
    /// Counts a game.
    pub fn add(&mut self, record: &GameRecord) {
        for (seat, bot) in record.bots.iter().enumerate() {
            let count = self.by_bot.entry(bot.name.clone()).or_default();
            count.games += 1;
            let fault = record.faults.iter().find(|fault| fault.seat == seat);
            if let Some(fault) = fault.filter(|_| count.games <= FIRST_GAMES) {
                count.failures += 1;
                count.last = Some((record.game, fault.clone()));
            }
        }
    }

    /// Drops what is known of a bot.
    pub fn forget(&mut self, name: &str) {
        self.by_bot.remove(name);
    }

    /// Checks that no bot keeps failing.
    ///
    /// # Errors
    /// The first bot that does.
    pub fn check(&self, series: &Series<'_>) -> Result<(), SeriesError> {
        let failing = self.by_bot.iter().find(|(_, count)| count.failures >= MOST_FAILURES);
        let Some((name, Count { games, failures, last: Some((game, fault)) })) = failing else {
            return Ok(());
        };
        let command = (0..series.bots.len()).map(|bot| series.bot_record(bot));
        let command = command.filter(|bot| bot.name == *name).map(|bot| bot.command).collect::<String>();
        Err(SeriesError::KeepsFailing {
            bot: name.clone(),
            contest: series.host.name().to_owned(),
            command: shell_words::quote(&command).into_owned(),
            failures: *failures,
            games: (*games).min(FIRST_GAMES),
            game: *game,
            fault: fault.to_string(),
        })
    }
}
