//! Compares games in kept machines with the same games in plain ones, by what the bots are sent.

use std::sync::atomic::Ordering;
use std::sync::PoisonError;

use super::kept::JvmPool;
use super::recordings::Difference;
use super::referee::{Attempt, Machine, PlayOptions};
use super::sample::Sample;
use super::{ExternalReferee, Game, Order, Reason, RefereeError, SeedOption};

/// A game in a kept machine, compared with a plain machine's.
enum Compared {
    Same,
    /// The bots are sent something else in the kept machine.
    Differs(Difference),
    /// They are sent something else in another plain machine as well.
    Unrepeatable,
}

impl ExternalReferee {
    /// If the game is in the sample, plays it in a fresh and in a kept JVM and compares the bots' input. The first
    /// game decides whether machines are kept. Returns the plain machine's game; `None` if it isn't compared.
    ///
    /// # Errors
    /// If the referee fails; if a later game differs, since the kept games before it can't be trusted then.
    pub(super) fn compare(
        &self,
        order: &Order<'_>,
        dialect: SeedOption,
    ) -> Result<Option<Game>, RefereeError> {
        let Some(kept) = self.kept.as_ref().filter(|_| self.settings.checks_bots) else { return Ok(None) };
        let plain = PlayOptions { dialect, machine: Machine::Plain, records: true };
        // While the first game is compared, the others wait.
        let mut sample = self.sample.lock().unwrap_or_else(PoisonError::into_inner);
        if !kept.is_possible() {
            return Ok(None);
        }
        let Some(known) = sample.as_mut() else {
            let (game, is_compared) = self.compare_first(kept, order, plain)?;
            *sample = is_compared.then(|| Sample::new(order.seed));
            return Ok(Some(game));
        };
        if !known.takes_next() {
            return Ok(None);
        }
        drop(sample);
        self.compare_later(kept, order, plain)
    }

    /// Plays the first game in a plain machine. Then one kept machine plays it, a game of another seed, and the first one
    /// again, so that two of the three have another game before them. If the bots are sent something else there, the run's
    /// machines are plain. Returns the plain machine's game, and whether it could be compared.
    fn compare_first(
        &self,
        kept: &JvmPool,
        order: &Order<'_>,
        plain: PlayOptions,
    ) -> Result<(Game, bool), RefereeError> {
        let game = self.twice(order, plain)?;
        let again = Order { keep_as: None, ..order.clone() };
        let other = Order { seed: order.other_seed, ..again.clone() };
        let other_game = Attempt::checked(self.attempt(&other, plain)?).ok();
        let mut pairs = vec![(&again, &game), (&again, &game)];
        if let Some(game) = &other_game {
            pairs.insert(1, (&other, game));
        }
        let is_compared = self.compare_all(kept, &pairs, plain)?;
        Ok((self.without_dialogues(order, game), is_compared))
    }

    /// Plays these games of plain machines in kept ones, up to the first difference; `false` if one fails there.
    fn compare_all(
        &self,
        kept: &JvmPool,
        games: &[(&Order<'_>, &Attempt)],
        plain: PlayOptions,
    ) -> Result<bool, RefereeError> {
        for &(order, game) in games {
            let Ok(game_of_kept) = self.in_kept(order, plain)? else {
                // The next game is compared.
                kept.only_alone();
                return Ok(false);
            };
            match self.compared(order, plain, game, &game_of_kept)? {
                Compared::Same => {}
                Compared::Differs(difference) => {
                    self.is_plain.store(true, Ordering::SeqCst);
                    kept.differs(order.game, &self.seed_text(order.seed), &difference);
                    break;
                }
                Compared::Unrepeatable => break,
            }
        }
        Ok(true)
    }

    /// Plays a later game in a kept machine and in a plain one.
    fn compare_later(
        &self,
        kept: &JvmPool,
        order: &Order<'_>,
        plain: PlayOptions,
    ) -> Result<Option<Game>, RefereeError> {
        let again = Order { keep_as: None, ..order.clone() };
        // One that fails is played like any other, and again alone.
        let Ok(game_of_kept) = self.in_kept(&again, plain)? else { return Ok(None) };
        let game = self.twice(order, plain)?;
        match self.compared(&again, plain, &game, &game_of_kept)? {
            Compared::Differs(difference) if kept.is_possible() => Err(RefereeError::KeptDiffers {
                game: order.game,
                seed: self.seed_text(order.seed),
                difference: Box::new(difference),
            }),
            _ => Ok(Some(self.without_dialogues(order, game))),
        }
    }

    fn in_kept(
        &self,
        order: &Order<'_>,
        plain: PlayOptions,
    ) -> Result<Result<Attempt, Reason>, RefereeError> {
        Ok(Attempt::checked(self.attempt(order, PlayOptions { machine: Machine::Kept, ..plain })?))
    }

    /// Compares two games of an order; after a difference, also with another plain machine's, whether it can be repeated at
    /// all.
    fn compared(
        &self,
        order: &Order<'_>,
        plain: PlayOptions,
        game: &Attempt,
        kept: &Attempt,
    ) -> Result<Compared, RefereeError> {
        let Some(difference) = game.recordings.difference(&kept.recordings) else {
            return Ok(Compared::Same);
        };
        let again = Attempt::checked(self.attempt(order, plain)?);
        let Some(without) = again.ok().and_then(|again| game.recordings.difference(&again.recordings)) else {
            return Ok(Compared::Differs(difference));
        };
        if !self.has_told_of_chance.swap(true, Ordering::SeqCst) {
            crate::text::note(format_args!(
                "game {}, played twice in machines of its own, isn't the same: {without}; so the games of this referee \
                 can't be repeated, and it can't be checked that --keep-jvm changes none",
                order.game
            ));
        }
        Ok(Compared::Unrepeatable)
    }

    /// A game that was recorded only to be compared has no dialogues, as the others have none.
    fn without_dialogues(&self, order: &Order<'_>, played: Attempt) -> Game {
        match order.records {
            true => played.into_game(),
            false => played.game,
        }
    }
}
