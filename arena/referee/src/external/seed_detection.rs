//! The first game of a run: it finds out how the referee takes the seed.

use super::referee::{Machine, PlayOptions};
use super::{ExternalReferee, Game, Order, Reason, RefereeError, SeedOption};

impl ExternalReferee {
    /// Plays the first game, and finds out with it how the referee takes the seed: it must repeat the one it got.
    pub(super) fn detect(&self, order: &Order<'_>) -> Result<(SeedOption, Game), RefereeError> {
        let attempt = |dialect: SeedOption| {
            self.attempt(order, PlayOptions { dialect, machine: Machine::Own, records: order.records })
        };
        let first = attempt(SeedOption::D)?;
        let first = match first {
            Ok(played) if played.has_repeated == Some(true) => {
                return Ok((SeedOption::D, played.into_game()))
            }
            Ok(played) if played.has_repeated.is_none() => {
                crate::text::note(
                    "the referee prints no seed=N after the scores, so it can't be checked that it uses the seeds it is \
                     given; if two games with the same --seed differ, see --seed-as",
                );
                return Ok((SeedOption::D, played.into_game()));
            }
            Ok(_) => None,
            Err(reason) => Some(reason),
        };
        match (attempt(SeedOption::Seed)?, first) {
            (Ok(played), _) if played.has_repeated == Some(true) => {
                Ok((SeedOption::Seed, played.into_game()))
            }
            // Another option made it work.
            (Ok(played), Some(_)) if played.has_repeated.is_none() => {
                Ok((SeedOption::Seed, played.into_game()))
            }
            (_, Some(reason)) => Err(self.failed(order, reason)),
            (_, None) => Err(self.failed(order, Reason::IgnoresSeeds)),
        }
    }
}
