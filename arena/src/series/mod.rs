//! The plan of a run of games: the seat of each bot and the seed of each game. It is fixed before the first game, so
//! that a run can be resumed, repeated and distributed among machines.

mod credible;
pub mod entrant;
pub mod failures;
pub mod host;
pub mod openings;
pub mod runner;
pub mod shard;
pub mod tournament;

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::PathBuf;
use std::time::Duration;

use contest::{Allowance, Contest, Limits, Referee, Setup};
use coppice::rng::{split_mix, SPLIT_MIX_STEP};

use crate::bot::data::BotData;
use crate::bot::Bot;
use crate::error::ArenaError;
use crate::external::{self, ExternalReferee};
use crate::game::fault::{last_lines, Ending, FaultReport};
use crate::game::in_process::{self, InProcess};
use crate::game::log::Log;
use crate::game::{self, GameError, Played, Player};
use crate::process::{self, Process};
use crate::record::{BotRecord, GameRecord, RefereeRecord, RunRecord, Seating};
use crate::series::entrant::Entrant;
use crate::series::host::Host;
use crate::series::openings::Openings;
use crate::stats::{Grouping, Scoring};
use crate::text::millis;

/// The plan of a run: bots, line-ups, limits, seed and openings.
pub struct Series<'a> {
    /// What plays the games.
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
    /// The openings.
    pub openings: Openings,
    /// The seats of the bots in the games of a group.
    pub seating: Seating,
    /// How scores are compared.
    pub scoring: Scoring,
    /// Where an external referee's files are kept, if they are.
    pub files: Option<PathBuf>,
}

/// One game of a series before it is played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fixture {
    /// The game's number, from 1.
    pub game: u32,
    /// Games with the same opening and the same bots share a group, from 0: a pair, if there are two seats.
    pub group: u32,
    /// The contest's seed for this game.
    pub seed: u64,
    /// The index of the bot on each seat.
    pub seating: Vec<usize>,
}

/// A finished game.
#[derive(Debug, Clone)]
pub struct Finished {
    /// The record.
    pub record: GameRecord,
    /// The dialogues, by seat.
    pub dialogues: Vec<Log>,
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
            openings: Openings::default(),
            seating: Seating::default(),
            scoring: Scoring::default(),
            files: None,
        }
    }

    /// The number of games that share an opening: one for each rotation of the seats (or each order of the bots), or,
    /// with a single seat, for each bot.
    pub fn group_size(&self) -> u32 {
        let bots = self.lineups.first().map_or(1, Vec::len).max(1) as u32;
        match self.seating {
            Seating::All if self.host.seats() > 1 => (1..=bots).product(),
            _ => bots,
        }
    }

    /// How the games form samples.
    pub fn grouping(&self) -> Grouping {
        let alone = self.host.seats() == 1 && self.bots.len() > 1;
        Grouping { size: self.group_size(), alone, scoring: self.scoring }
    }

    /// Game number `game`, from 1. The line-ups take turns, a group at a time; all of them get an opening before
    /// the next is drawn.
    pub fn fixture(&self, game: u32) -> Fixture {
        let index = game.saturating_sub(1);
        let group = index / self.group_size();
        let order = (index % self.group_size()) as usize;
        let lineups = self.lineups.len().max(1) as u32;
        let lineup = self.lineups.get((group % lineups) as usize).map_or(&[][..], Vec::as_slice);
        let seed = derived_seed(self.seed, group / lineups);
        Fixture { game, group, seed, seating: self.seating_of(lineup, order) }
    }

    /// The games of group number `group`, if these bots meet in it and each group has a seed of its own.
    pub fn fixtures_of(&self, group: u32, lineup: &[usize]) -> Vec<Fixture> {
        let (first, seed) = (group * self.group_size() + 1, derived_seed(self.seed, group));
        let fixture = |order: u32| {
            let seating = self.seating_of(lineup, order as usize);
            Fixture { game: first + order, group, seed, seating }
        };
        (0..self.group_size()).map(fixture).collect()
    }

    /// The bot on each seat in game number `order` of a group.
    fn seating_of(&self, lineup: &[usize], order: usize) -> Vec<usize> {
        let seats = if self.host.seats() == 1 { 1 } else { lineup.len() };
        match self.seating {
            Seating::All if seats > 1 => permutation(lineup, order),
            _ => (0..seats).map(|seat| lineup[(seat + order) % lineup.len()]).collect(),
        }
    }

    /// Plays a game with new processes, or without any between searches of this program.
    ///
    /// # Errors
    /// If a bot can't be started, there is no such search, the program was interrupted, the contest misbehaves, or an
    /// external referee fails.
    pub fn play(&self, fixture: &Fixture) -> Result<Finished, ArenaError> {
        let contest = match self.host {
            Host::Contest(contest) => contest,
            Host::Referee(referee) => return self.play_outside(referee, fixture),
        };
        if let Some(searches) = self.searches(fixture)? {
            let referee = self.begin(contest, fixture)?;
            let seats = searches.iter().collect::<Vec<_>>();
            let played = in_process::play(contest, &seats, &referee.moves(), fixture.seed)?;
            return played.map(|played| self.finished(fixture, played)).ok_or(GameError::Interrupted.into());
        }
        let players = fixture.seating.iter().map(|&bot| self.start(bot)).collect::<Result<_, _>>()?;
        self.referee(contest, fixture, players)
    }

    /// Has an external referee play a game.
    fn play_outside(&self, referee: &ExternalReferee, fixture: &Fixture) -> Result<Finished, ArenaError> {
        // Of a bot that isn't there, the referee would say only that it failed, or fail itself.
        for &bot in &fixture.seating {
            if let Some(problem) = self.bots[bot].line.problem() {
                let (name, command) = (self.name_of(bot), self.bots[bot].line.to_string());
                return Err(ArenaError::Program { bot: name, command, problem });
            }
        }
        let game = referee.play(&external::Order {
            game: fixture.game,
            seed: fixture.seed,
            bots: fixture.seating.iter().map(|&bot| &self.bots[bot].line).collect(),
            keep_as: self.files.as_ref().map(|folder| folder.join(format!("{}.referee.json", fixture.game))),
        })?;
        let seats = fixture.seating.len();
        let failed = (0..seats).filter(|&seat| game.failed[seat]);
        let stderr = |seat: usize| game.stderr.get(seat).map_or("", String::as_str);
        let faults = failed.map(|seat| FaultReport {
            bot: self.name_of(fixture.seating[seat]),
            seat,
            turn: 0,
            ending: Ending::Failed,
            expected: "a game to its end".to_owned(),
            received: match game.words.as_str() {
                "" => format!("a score of {} from the referee", game.scores[seat]),
                words => format!("a score of {}; the referee says: {words}", game.scores[seat]),
            },
            stderr: last_lines(stderr(seat)),
        });
        let faults = faults.collect();
        let external::Dialogues { logs, times, turns } = game.dialogues;
        let played = Played {
            opening: String::new(),
            moves: String::new(),
            scores: game.scores,
            faults,
            times: if times.is_empty() { vec![Vec::new(); seats] } else { times },
            dialogues: logs,
            usage: Vec::new(),
            data: game.data,
        };
        let mut finished = self.finished(fixture, played);
        finished.record.attributes = game.attributes;
        finished.record.seed_text = Some(referee.seed_text(fixture.seed));
        finished.record.turns = turns;
        Ok(finished)
    }

    /// The `in:` searches of a game; `None` if it is played by processes.
    fn searches(&self, fixture: &Fixture) -> Result<Option<Vec<InProcess>>, ArenaError> {
        let lines = fixture.seating.iter().map(|&bot| self.bots[bot].line.to_string());
        Ok(in_process::all(&lines.collect::<Vec<_>>())?)
    }

    /// Plays a game between these players, one per seat.
    ///
    /// # Errors
    /// If the program was interrupted or the contest misbehaves.
    pub fn referee(
        &self,
        contest: &dyn Contest,
        fixture: &Fixture,
        mut players: Vec<Player>,
    ) -> Result<Finished, ArenaError> {
        let mut referee = self.begin(contest, fixture)?;
        let played = game::play(referee.as_mut(), &mut players, self.limits, self.grace)?;
        Ok(self.finished(fixture, played))
    }

    /// The record and dialogues of a game.
    fn finished(&self, fixture: &Fixture, played: Played) -> Finished {
        let bots = fixture.seating.iter().map(|&bot| self.bot_record(bot)).collect();
        let times_ms = played.times.iter().map(|times| times.iter().map(|&t| millis(t)).collect());
        let record = GameRecord {
            game: fixture.game,
            group: fixture.group,
            run: self.run_record(),
            contest: self.host.name().to_owned(),
            seed: fixture.seed,
            ending: played.ending(),
            times_ms: times_ms.collect(),
            opening: played.opening,
            bots,
            moves: played.moves,
            scores: played.scores,
            faults: played.faults,
            usage: played.usage,
            data: non_empty(played.data),
            attributes: BTreeMap::new(),
            seed_text: None,
            turns: Vec::new(),
        };
        Finished { record, dialogues: played.dialogues }
    }

    fn start(&self, bot: usize) -> Result<Player, ArenaError> {
        let process = Process::start_within(&self.bots[bot].line, self.allowance).map_err(|source| {
            ArenaError::Start {
                bot: self.name_of(bot),
                command: self.bots[bot].line.to_string(),
                folder: std::env::current_dir().unwrap_or_else(|_| ".".into()),
                source,
            }
        })?;
        if process::interrupted() {
            return Err(GameError::Interrupted.into());
        }
        Ok(Player { name: self.name_of(bot), bot: Box::new(process) as Box<dyn Bot> })
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

    /// The record of the run.
    pub fn run_record(&self) -> RunRecord {
        RunRecord {
            seed: self.seed,
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

    /// Checks that a recorded game is one of this plan.
    ///
    /// # Errors
    /// The first difference.
    pub fn belongs(&self, record: &GameRecord) -> Result<(), String> {
        let contest = self.host.name();
        if record.contest != contest {
            return Err(format!("game {} is of {}, not of {contest}", record.game, record.contest));
        }
        let (theirs, ours) = (&record.run, &self.run_record());
        let differs = |what: &str, theirs: &dyn Display, ours: &dyn Display| {
            Err(format!("{what} {theirs} there, {ours} here"))
        };
        if theirs.seed != ours.seed {
            return differs("the seed is", &theirs.seed, &ours.seed);
        }
        if theirs.referee != ours.referee {
            let text = |run: &RunRecord| run.referee.as_ref().map_or("none".to_owned(), ToString::to_string);
            return differs("the external referee is", &text(theirs), &text(ours));
        }
        if (theirs.seating, theirs.scoring) != (ours.seating, ours.scoring) {
            return Err("the seats (--seats) or the comparison of scores differ".to_owned());
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
        let fixture = self.fixture(record.game);
        let seats = fixture.seating.iter().map(|&bot| self.bot_record(bot)).collect::<Vec<_>>();
        for (theirs, ours) in record.bots.iter().zip(&seats) {
            if (&theirs.name, &theirs.command) != (&ours.name, &ours.command) {
                let bot = |bot: &BotRecord| format!("{} (`{}`)", bot.name, bot.command);
                return differs(&format!("in game {} there plays", record.game), &bot(theirs), &bot(ours));
            }
            if theirs.hash != ours.hash {
                let hash = |bot: &BotRecord| bot.hash.clone().unwrap_or_else(|| "unknown".to_owned());
                let what = format!("bot {} (`{}`) has been built anew: its hash is", ours.name, ours.command);
                return differs(&what, &hash(theirs), &hash(ours));
            }
        }
        match (record.group, record.seed, record.bots.len()) == (fixture.group, fixture.seed, seats.len()) {
            true => Ok(()),
            false => Err(format!("game {} has another seed or other line-ups there", record.game)),
        }
    }

    /// The game with its opening played.
    fn begin(&self, contest: &dyn Contest, fixture: &Fixture) -> Result<Box<dyn Referee>, ArenaError> {
        let setup = Setup { seed: fixture.seed, opening_plies: 0, limits: self.limits };
        self.openings.begin(contest, setup, fixture.group / self.lineups.len().max(1) as u32)
    }
}

/// Order number `number` of `items`, in lexicographic order by their places.
fn permutation(items: &[usize], mut number: usize) -> Vec<usize> {
    let mut left = items.to_vec();
    let orders = |count: usize| (1..=count).product::<usize>();
    let mut taken = Vec::new();
    while !left.is_empty() {
        let each = orders(left.len() - 1);
        taken.push(left.remove(number / each % left.len()));
        number %= each;
    }
    taken
}

/// The bots' data; empty if no bot has written any.
fn non_empty(data: Vec<BotData>) -> Vec<BotData> {
    if data.iter().all(BotData::is_empty) {
        Vec::new()
    } else {
        data
    }
}

/// A, B, C, … in the order of the command line.
pub fn bot_name(bot: usize) -> String {
    let letter = u8::try_from(bot).ok().filter(|&i| i < 26).map(|i| char::from(b'A' + i));
    letter.map_or_else(|| format!("bot{}", bot + 1), String::from)
}

/// The seed of a group of games: SplitMix64's output number `group` from the state `seed`.
pub fn derived_seed(seed: u64, group: u32) -> u64 {
    let mut state = seed.wrapping_add(SPLIT_MIX_STEP.wrapping_mul(u64::from(group)));
    split_mix(&mut state)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_those_of_splitmix64() {
        // The first outputs of Vigna's reference implementation from state 0.
        assert_eq!(derived_seed(0, 0), 0xe220_a839_7b1d_cdaf);
        assert_eq!(derived_seed(0, 1), 0x6e78_9e6a_a1b9_65f4);
    }

    #[test]
    fn all_orders_differ() {
        let orders = (0..24).map(|number| permutation(&[3, 5, 7, 9], number)).collect::<Vec<_>>();
        assert_eq!((orders[0].as_slice(), orders[23].as_slice()), (&[3, 5, 7, 9][..], &[9, 7, 5, 3][..]));
        assert!(orders.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn bots_have_letters_as_long_as_there_are() {
        assert_eq!((bot_name(1), bot_name(26)), ("B".to_owned(), "bot27".to_owned()));
    }
}
