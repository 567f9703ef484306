//! The first games of a run: they find out how the referee takes the seed, and whether it plays the same in a kept machine.

use std::sync::atomic::Ordering;
use std::sync::PoisonError;

use super::referee::{Attempt, How, Machine};
use super::{ExternalReferee, Game, Order, Reason, RefereeError, SeedOption};

/// The number of games in a kept machine that are compared with one in a plain machine. The second one is played by a
/// machine that isn't fresh any more.
const COMPARED_GAMES: u32 = 2;

impl ExternalReferee {
    /// Plays the first game, and finds out with it how the referee takes the seed: it must repeat the one it got.
    pub(super) fn detect(&self, order: &Order<'_>) -> Result<(SeedOption, Game), RefereeError> {
        let attempt = |dialect: SeedOption| {
            self.attempt(order, How { dialect, machine: Machine::Own, records: order.keep_as.is_some() })
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

    /// Plays the first game with kept machines in a plain one, and then in a kept one: if the bots are sent something else
    /// there, as by a referee that depends on the identity of objects, the run's machines are plain. Returns the plain
    /// machine's game; `None` if there is nothing to compare.
    pub(super) fn compare(
        &self,
        order: &Order<'_>,
        dialect: SeedOption,
    ) -> Result<Option<Game>, RefereeError> {
        let Some(kept) = self.kept.as_ref().filter(|_| self.settings.checks_bots) else { return Ok(None) };
        // The other games wait.
        let mut is_compared = self.is_compared.lock().unwrap_or_else(PoisonError::into_inner);
        if *is_compared || !kept.is_possible() {
            return Ok(None);
        }
        let plain = How { dialect, machine: Machine::Plain, records: true };
        let game = self.twice(order, plain)?;
        let again = Order { keep_as: None, ..order.clone() };
        for _ in 0..COMPARED_GAMES {
            let Ok(other) = Attempt::checked(self.attempt(&again, How { machine: Machine::Kept, ..plain })?)
            else {
                // The next game is compared.
                kept.only_alone();
                return Ok(Some(self.without_dialogues(order, game)));
            };
            let Some(difference) = game.recordings.difference(&other.recordings) else { continue };
            // Whether it can be repeated at all.
            let other = Attempt::checked(self.attempt(&again, plain)?);
            match other.ok().and_then(|other| game.recordings.difference(&other.recordings)) {
                None => {
                    self.is_plain.store(true, Ordering::SeqCst);
                    kept.differs(order.game, &difference);
                }
                Some(difference) => crate::text::note(format_args!(
                    "game {}, played twice in machines of its own, isn't the same: {difference}; so the games of this \
                     referee can't be repeated, and it can't be checked that --keep-jvm changes none",
                    order.game
                )),
            }
            break;
        }
        *is_compared = true;
        Ok(Some(self.without_dialogues(order, game)))
    }

    /// A game that was recorded only to be compared has no dialogues, as the others have none.
    fn without_dialogues(&self, order: &Order<'_>, played: Attempt) -> Game {
        match order.keep_as {
            Some(_) => played.into_game(),
            None => played.game,
        }
    }
}
