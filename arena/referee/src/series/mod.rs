//! The plan of a run of games: the seat of each bot and the seed of each game. It is fixed before the first game, so
//! that a run can be resumed, repeated and distributed among machines.

mod credible;
pub mod entrant;
mod error;
pub mod failures;
pub mod fixture;
mod game_digest;
pub mod host;
pub mod machines;
pub mod openings;
mod play;
pub mod runner;
pub mod seeds;
pub mod shard;
pub mod tournament;
mod variety;

use std::fmt::Display;
use std::path::PathBuf;
use std::time::Duration;

use contest::{Allowance, Limits};

use crate::record::games::Mismatch;
use crate::record::{BotRecord, GameRecord, RefereeRecord, RunRecord, Seating};
use crate::series::entrant::Entrant;
use crate::series::host::Host;
use crate::series::openings::Openings;
use crate::series::seeds::Seeds;
use crate::text::{millis, note};
use coppice_stats::{Grouping, Scoring};

pub use error::SeriesError;
pub use fixture::{derived_seed, Fixture};
pub use game_digest::GameDigest;
pub use play::Finished;

/// The plan of a run: bots, line-ups, limits, seed and openings.
pub struct Series<'a> {
    /// The host of the games.
    pub host: Host<'a>,
    /// The bots of the command line.
    pub bots: Vec<Entrant>,
    /// The line-ups, as indices into `bots`; games go round them. A line-up has one bot per seat, or, in
    /// contests with a single seat, all bots that are compared on the same seed.
    pub lineups: Vec<Vec<usize>>,
    /// The time limits.
    pub limits: Limits,
    /// Resource limits of a bot for a whole game.
    pub allowance: Allowance,
    /// Time added to each limit.
    pub grace: Duration,
    /// The seed from which all games' seeds are derived.
    pub seed: u64,
    /// The seeds of the groups, in place of derived ones.
    pub seeds: Option<Seeds>,
    /// Whether old games' scores become relative to the scores that are the best known now. A test's verdict stays.
    pub rescores: bool,
    /// The openings.
    pub openings: Openings,
    /// The seats of the bots in the games of a group.
    pub seating: Seating,
    /// How scores are compared.
    pub scoring: Scoring,
    /// Where an external referee's files are kept, if they are.
    pub files: Option<PathBuf>,
    /// Whether the bots' dialogues are recorded where an external referee starts the bots, even without a place to keep them.
    pub records: bool,
}

impl<'a> Series<'a> {
    /// All bots in one line-up, at the contest's limits, without openings, from seed 1.
    pub fn new(host: impl Into<Host<'a>>, bots: Vec<Entrant>) -> Self {
        let host = host.into();
        let lineups = vec![(0..bots.len()).collect()];
        Self {
            host,
            bots,
            lineups,
            limits: host.limits(),
            allowance: host.allowance(),
            grace: Duration::ZERO,
            seed: 1,
            seeds: None,
            rescores: true,
            openings: Openings::default(),
            seating: Seating::default(),
            scoring: Scoring::default(),
            files: None,
            records: false,
        }
    }

    /// How the games form samples.
    pub fn grouping(&self) -> Grouping {
        let alone = self.host.seats() == 1 && self.bots.len() > 1;
        Grouping { size: self.group_size(), alone, scoring: self.scoring }
    }

    /// The record of a bot.
    pub fn bot_record(&self, bot: usize) -> BotRecord {
        let Entrant { line, hash, .. } = &self.bots[bot];
        BotRecord { name: self.name_of(bot), command: line.to_string(), hash: hash.clone() }
    }

    /// The name of a bot: its own, or a letter.
    pub fn name_of(&self, bot: usize) -> String {
        self.bots.get(bot).and_then(|entrant| entrant.name.clone()).unwrap_or_else(|| bot_name(bot))
    }

    /// The bots' names.
    pub fn names(&self) -> Vec<String> {
        (0..self.bots.len()).map(|bot| self.name_of(bot)).collect()
    }

    /// The record of the run.
    pub fn run_record(&self) -> RunRecord {
        RunRecord {
            // Named seeds don't follow from it.
            seed: if self.seeds.is_some() { 0 } else { self.seed },
            openings: self.openings.to_string(),
            first_ms: millis(self.limits.first + self.grace),
            later_ms: millis(self.limits.later + self.grace),
            cpu_limit_ms: self.allowance.cpu.map(millis),
            memory_limit_bytes: self.allowance.memory_bytes,
            referee: match self.host {
                Host::Contest(_) => None,
                Host::Referee(referee) => {
                    let hash = entrant::hash_of(&referee.line().files());
                    Some(RefereeRecord { command: referee.identity(), hash })
                }
            },
            seating: (self.seating == Seating::All).then_some(Seating::All),
            scoring: self.scoring,
        }
    }

    /// Notes the score that is the best known now in an old game, if it counts.
    fn rescore(&self, record: &mut GameRecord) {
        if self.rescores {
            self.host.rescore(record);
        }
    }

    /// The number of games that the named seeds suffice for.
    pub fn games_of_seeds(&self) -> Option<u32> {
        let seeds = self.seeds.as_ref()?.all().len();
        u32::try_from(seeds * self.lineups.len().max(1) * self.group_size() as usize).ok()
    }

    /// Goes on with a run: its seeds keep their places, and those of the plan that it lacks follow.
    ///
    /// # Errors
    /// If the run was interrupted with other seeds.
    pub(super) fn go_on(&mut self, games: &[GameRecord]) -> Result<(), Mismatch> {
        let Some(seeds) = &self.seeds else { return Ok(()) };
        let lineups = self.lineups.len().max(1) as u32;
        let played = games.iter().map(|record| (record.group / lineups, record.seed)).collect();
        let all = seeds.after(&played).ok_or_else(|| {
            Mismatch("it was interrupted with other seeds, and not all of them are among these".to_owned())
        })?;
        let more = all.all().len() - seeds.all().len();
        if more > 0 {
            note(format_args!("{more} more seeds were played in this run before, and count"));
        }
        self.seeds = Some(all);
        Ok(())
    }

    /// Checks that a recorded game is one of this plan.
    ///
    /// # Errors
    /// The first difference.
    pub fn belongs(&self, record: &GameRecord) -> Result<(), Mismatch> {
        let contest = self.host.name();
        if record.contest != contest {
            return Err(Mismatch(format!("game {} is of {}, not of {contest}", record.game, record.contest)));
        }
        let (theirs, ours) = (&record.run, &self.run_record());
        let differs = |what: &str, theirs: &dyn Display, ours: &dyn Display| {
            Err(Mismatch(format!("{what} {theirs} there, {ours} here")))
        };
        if theirs.seed != ours.seed {
            return differs("the seed is", &theirs.seed, &ours.seed);
        }
        if theirs.referee != ours.referee {
            let text = |run: &RunRecord| run.referee.as_ref().map_or("none".to_owned(), ToString::to_string);
            return differs("the external referee is", &text(theirs), &text(ours));
        }
        if (theirs.seating, theirs.scoring) != (ours.seating, ours.scoring) {
            return Err(Mismatch("the seats (--seats) or the comparison of scores differ".to_owned()));
        }
        if theirs.openings != ours.openings {
            return differs("games begin with", &theirs.openings, &ours.openings);
        }
        if theirs.allowed() != ours.allowed() {
            return differs("a bot may use", &theirs.allowed(), &ours.allowed());
        }
        if theirs.first_ms != ours.first_ms || theirs.later_ms != ours.later_ms {
            let limits = |run: &RunRecord| format!("{} and {} ms", run.first_ms, run.later_ms);
            return differs("the limits are", &limits(theirs), &limits(ours));
        }
        if let Host::Referee(referee) = self.host {
            referee.foreign_input(record).map_or(Ok(()), |change| Err(Mismatch(change)))?;
        }
        let fixture = self.fixture(record.game);
        let seats = fixture.seating.iter().map(|&bot| self.bot_record(bot)).collect::<Vec<_>>();
        for (theirs, ours) in record.bots.iter().zip(&seats) {
            if (&theirs.name, &theirs.command) != (&ours.name, &ours.command) {
                let bot = |bot: &BotRecord| format!("{} (`{}`)", bot.name, bot.command);
                let (game, theirs, ours) = (record.game, bot(theirs), bot(ours));
                return Err(Mismatch(format!(
                    "game {game} was recorded with {theirs}; this command has {ours} in that seat"
                )));
            }
            if theirs.hash != ours.hash {
                let hash = |bot: &BotRecord| bot.hash.clone().unwrap_or_else(|| "unknown".to_owned());
                let what = format!("bot {} (`{}`) has been rebuilt: its hash is", ours.name, ours.command);
                return differs(&what, &hash(theirs), &hash(ours));
            }
        }
        match (record.group, record.seed, record.bots.len()) == (fixture.group, fixture.seed, seats.len()) {
            true => Ok(()),
            false => Err(Mismatch(format!("game {} has another seed or other line-ups there", record.game))),
        }
    }
}

/// A, B, C, … in the order of the command line.
pub fn bot_name(bot: usize) -> String {
    let letter = u8::try_from(bot).ok().filter(|&i| i < 26).map(|i| char::from(b'A' + i));
    letter.map_or_else(|| format!("bot{}", bot + 1), String::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bots_have_letters_as_long_as_there_are() {
        assert_eq!((bot_name(1), bot_name(26)), ("B".to_owned(), "bot27".to_owned()));
    }
}
