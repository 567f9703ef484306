//! The games of a pool: which are played next, and their results.
//!
//! Groups of games (an opening from every seat) are planned in batches. The line-ups of a batch follow from the results of
//! all batches before it and from the bots that take part when it is planned, so a run that is interrupted and resumed
//! plays the same games as one that isn't. Games are numbered as in any run: group `g` has the games from `g * size + 1`.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

use super::{BuildError, Member, Pool, PoolError};
use coppice_referee::game::fault::Ending;
use coppice_referee::record::games::{GamesError, GamesFile, Mismatch};
use coppice_referee::record::{BotRecord, GameRecord, RunRecord};
use coppice_referee::report::progress::Progress;
use coppice_referee::report::standings::{add_tables, Played};
use coppice_referee::series::entrant::Entrant;
use coppice_referee::series::failures::{Failing, Failures};
use coppice_referee::series::SeriesError;
use coppice_referee::series::{runner, Finished, Fixture, Series};
use coppice_referee::text::note;
use coppice_stats::rating::{Design, Meetings, Ratings};

/// Groups of games that are planned together: enough to keep sixteen processors busy with games of two, and few enough
/// for a newcomer's first results to choose its next opponents.
pub(crate) const BATCH: u32 = 8;

/// The folder in that of the pool for the games after which bots were parked.
const PARKED: &str = "parked";

/// How the games are played; this doesn't influence them.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    /// The number of concurrent games.
    pub jobs: usize,
    /// The folder of the dialogues, if they are stored.
    pub log_dir: Option<PathBuf>,
    /// Don't park bots that keep failing.
    pub keep_going: bool,
}

impl Settings {
    /// The folder of the dialogues, or that of the last games of parked bots.
    fn logs(&self, pool: &Pool) -> PathBuf {
        self.log_dir.clone().unwrap_or_else(|| pool.folder().join(PARKED))
    }
}

/// When to stop.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Until {
    /// After this number of further games, rounded up to whole groups.
    pub games: Option<u32>,
    /// At this time; games that have begun are finished.
    pub time: Option<Instant>,
}

/// The games of a pool.
pub(crate) struct League<'a> {
    series: Series<'a>,
    pool: Pool,
    file: GamesFile,
    groups: BTreeMap<u32, Group>,
    endings: Vec<BTreeMap<Ending, u32>>,
    failures: Failures,
    games: u32,
    normal: u32,
}

/// The finished games of one group.
#[derive(Debug, Clone, Default)]
struct Group {
    /// By their order in the group.
    tables: BTreeMap<u32, Vec<Played>>,
}

/// The series of a pool's games: its bots, and line-ups of the size of a game (two bots, where each plays alone).
///
/// # Errors
/// If a bot's command line can't be read.
pub(crate) fn entrants(pool: &Pool) -> Result<Vec<Entrant>, PoolError> {
    let entrant = |bot: &Member| {
        let line = pool.line_of(bot)?;
        Ok(Entrant { name: Some(bot.name.clone()), line, hash: bot.hash.clone() })
    };
    pool.bots().iter().map(entrant).collect()
}

/// How a game ended for the bot on a seat.
fn ending_of(record: &GameRecord, seat: usize) -> Ending {
    let fault = record.faults.iter().find(|fault| fault.seat == seat);
    fault.map_or(Ending::Normal, |fault| fault.ending)
}

impl<'a> League<'a> {
    /// Reads the games of a pool. `series` has the pool's bots, in its order.
    ///
    /// # Errors
    /// If the file can't be used, or holds a game of another contest, plan or build.
    pub(crate) fn open(pool: &Pool, series: Series<'a>) -> Result<Self, SeriesError> {
        let size = series.host.seats().max(2);
        let series = Series { lineups: vec![(0..size).collect()], ..series };
        let (file, found) = GamesFile::open(&pool.games_file())?;
        if found.cut_bytes > 0 {
            note(format_args!(
                "{}: the last line was cut off ({} bytes) and is dropped; its game will be played again",
                file.path().display(),
                found.cut_bytes
            ));
        }
        let bots = pool.bots().len();
        let mut league = Self {
            series,
            pool: pool.clone(),
            file,
            groups: BTreeMap::new(),
            endings: vec![BTreeMap::new(); bots],
            failures: Failures::default(),
            games: 0,
            normal: 0,
        };
        let run = league.series.run_record();
        for record in &found.records {
            league.read(record, &run)?;
        }
        Ok(league)
    }

    /// Adds a game of the file.
    fn read(&mut self, record: &GameRecord, run: &RunRecord) -> Result<(), SeriesError> {
        let path = self.file.path().to_owned();
        let fixture = self
            .fixture_of(record, run)
            .map_err(|difference| GamesError::Foreign { path: path.clone(), difference })?;
        if let Some(contradiction) = self.series.contradiction_in(&fixture, record)? {
            return Err(GamesError::Contradiction { path, game: record.game, contradiction }.into());
        }
        self.add(record, &fixture.seating);
        self.failures.add(record);
        for &bot in &fixture.seating {
            let Member { name, forgiven, .. } = &self.pool.bots()[bot];
            if self.endings[bot].values().sum::<u32>() == *forgiven {
                self.failures.forget(name);
            }
        }
        Ok(())
    }

    /// The pool, with the bots that were parked meanwhile.
    pub(crate) fn pool(&self) -> &Pool {
        &self.pool
    }

    /// Checks the bots that play, builds what is missing, and parks those that can't be built.
    ///
    /// # Errors
    /// If a bot's files have changed, its compiler is missing, or after an interrupt.
    pub(crate) fn prepare(&mut self, progress: &Progress) -> Result<(), PoolError> {
        for bot in
            (0..self.pool.bots().len()).filter(|&bot| self.pool.bots()[bot].plays()).collect::<Vec<_>>()
        {
            match self.pool.prepare(&self.pool.bots()[bot]) {
                Err(PoolError::Build { error: error @ BuildError::Failed { .. }, .. }) => {
                    self.park(bot, "it can't be built", error, progress);
                }
                prepared => prepared?,
            }
        }
        Ok(())
    }

    /// Parks the bots that keep failing.
    fn park_failing(&mut self, settings: &Settings, progress: &Progress) {
        for bot in 0..self.pool.bots().len() {
            let member = &self.pool.bots()[bot];
            let failing = self.failures.of(&member.name).filter(|_| !settings.keep_going && member.plays());
            let Some(failing) = failing.cloned() else { continue };
            let Failing { game, fault, .. } = &failing;
            let reason = format!("{failing}{}: {}", fault.place(), fault.ending);
            let log = settings.logs(&self.pool).join(format!("{game}.p{}.log", fault.seat));
            let log = if log.is_file() { format!("\nlog: {}", log.display()) } else { String::new() };
            self.park(bot, &reason, format_args!("{fault}{log}"), progress);
        }
    }

    /// Parks a bot, here and in the pool's file: it plays no new games.
    fn park(&mut self, bot: usize, reason: &str, details: impl Display, progress: &Progress) {
        let name = self.pool.bots()[bot].name.clone();
        progress
            .say(format_args!("parked: {name}, {reason}\n{details}\n{}", self.pool.advice_for_parked(&name)));
        let parked = self.pool.park(&name, reason);
        let written = Pool::change(self.pool.folder(), |pool| pool.park(&name, reason));
        if let Err(error) = parked.and(written) {
            progress.say(format_args!("note: {name} is parked in this run only: {error}"));
        }
    }

    /// The fixture of a recorded game.
    ///
    /// # Errors
    /// The first difference to the games of this pool.
    fn fixture_of(&self, record: &GameRecord, run: &RunRecord) -> Result<Fixture, Mismatch> {
        let (game, contest) = (record.game, self.series.host.name());
        if record.contest != contest {
            return Err(Mismatch(format!("game {game} is of {}, not of {contest}", record.contest)));
        }
        if record.run != *run {
            let text = |run: &RunRecord| serde_json::to_string(run).unwrap_or_default();
            let difference =
                format!("game {game} was played as {} there, {} here", text(&record.run), text(run));
            return Err(Mismatch(difference));
        }
        let place = |bot: &BotRecord| {
            let known = self.series.bots.iter().position(|known| known.name.as_ref() == Some(&bot.name));
            let place = known
                .ok_or_else(|| Mismatch(format!("game {game} has a bot {} that the pool lacks", bot.name)))?;
            match self.series.bots[place].hash == bot.hash {
                true => Ok(place),
                false => Err(Mismatch(format!("bot {} of game {game} was another build", bot.name))),
            }
        };
        let seating = record.bots.iter().map(place).collect::<Result<Vec<_>, _>>()?;
        let group = game.saturating_sub(1) / self.series.group_size();
        let planned = self.series.fixtures_of(group, &seating);
        let seed = planned.first().map_or(0, |fixture| fixture.seed);
        let fits = seating.len() == self.series.host.seats() && record.scores.len() == seating.len();
        match (record.group, record.seed) == (group, seed) && fits && game > 0 {
            true => Ok(Fixture { game, group, seed, seating }),
            false => Err(Mismatch(format!("game {game} has another seed, group or number of seats there"))),
        }
    }

    fn add(&mut self, record: &GameRecord, seating: &[usize]) {
        let order = (record.game - 1) % self.series.group_size();
        let players = seating.iter().zip(record.points()).enumerate();
        let table = players.map(|(seat, (&bot, points))| Played { bot, seat, points }).collect();
        if self.groups.entry(record.group).or_default().tables.insert(order, table).is_some() {
            return;
        }
        self.games += 1;
        self.normal += u32::from(record.ending == Ending::Normal);
        for (seat, &bot) in seating.iter().enumerate() {
            *self.endings[bot].entry(ending_of(record, seat)).or_default() += 1;
        }
    }

    /// Takes a game out of the results.
    pub(crate) fn leave_out(&mut self, record: &GameRecord) {
        let size = self.series.group_size();
        let Some(index) = record.game.checked_sub(1) else { return };
        let group = self.groups.get_mut(&(index / size));
        let Some(table) = group.and_then(|group| group.tables.remove(&(index % size))) else { return };
        self.games -= 1;
        self.normal -= u32::from(record.ending == Ending::Normal);
        for played in table {
            let count = self.endings[played.bot].entry(ending_of(record, played.seat)).or_default();
            *count = count.saturating_sub(1);
        }
    }

    /// The meetings of all games.
    pub(crate) fn meetings(&self) -> Meetings {
        self.meetings_before(u32::MAX)
    }

    fn meetings_before(&self, end: u32) -> Meetings {
        let mut meetings = Meetings::new(self.series.bots.len(), self.series.host.seats());
        for group in self.groups.range(..end).map(|(_, group)| group) {
            add_tables(group.tables.values().cloned().collect(), &mut meetings);
        }
        meetings
    }

    /// The number of games, and of those that ended normally.
    pub(crate) fn games(&self) -> (u32, u32) {
        (self.games, self.normal)
    }

    /// The endings of a bot's games.
    pub(crate) fn endings(&self, bot: usize) -> &BTreeMap<Ending, u32> {
        &self.endings[bot]
    }

    /// The missing games of the first batch that isn't complete. Games of a bot that was removed are left out.
    fn batch(&self) -> Vec<Fixture> {
        let last = self.groups.keys().next_back().copied();
        // All batches up to the last one with a game may have holes.
        for batch in 0..=last.map_or(0, |last| last / BATCH + 1) {
            let missing = self.missing_of(batch);
            if !missing.is_empty() {
                return missing;
            }
        }
        Vec::new()
    }

    fn missing_of(&self, batch: u32) -> Vec<Fixture> {
        let groups = batch * BATCH..(batch + 1) * BATCH;
        let size = self.series.group_size();
        let is_whole = |group: u32| self.groups.get(&group).is_some_and(|g| g.tables.len() == size as usize);
        if groups.clone().all(is_whole) {
            return Vec::new();
        }
        let plays = |bot: usize| self.pool.bots()[bot].plays();
        let active = (0..self.pool.bots().len()).filter(|&bot| plays(bot)).collect::<Vec<_>>();
        let ratings = Ratings::of(&self.meetings_before(groups.start));
        let mut design = Design::new(&ratings, &active);
        let mut missing = Vec::new();
        for group in groups {
            let lineup = match self.lineup_of(group) {
                Some(lineup) => {
                    design.expect(&lineup, size);
                    lineup
                }
                None => match design.next(self.series.host.seats().max(2), size) {
                    Some(lineup) => lineup,
                    None => break,
                },
            };
            if !lineup.iter().all(|&bot| plays(bot)) {
                continue;
            }
            let played = self.groups.get(&group);
            // Where bots play alone, the first game of a group doesn't name the other bot.
            let differs =
                |order: u32, table: &[Played]| lineup.get(order as usize) != table.first().map(|p| &p.bot);
            let alone = self.series.host.seats() == 1;
            if alone && played.is_some_and(|group| group.tables.iter().any(|(&o, table)| differs(o, table))) {
                continue;
            }
            let has = |order: u32| played.is_some_and(|group| group.tables.contains_key(&order));
            let all = self.series.fixtures_of(group, &lineup).into_iter().zip(0..);
            missing.extend(all.filter(|(_, order)| !has(*order)).map(|(fixture, _)| fixture));
        }
        missing
    }

    /// The line-up of a group that has begun; `None` if it hasn't, or if its games don't tell.
    fn lineup_of(&self, group: u32) -> Option<Vec<usize>> {
        let tables = &self.groups.get(&group)?.tables;
        let (order, table) = tables.iter().next()?;
        if self.series.host.seats() == 1 {
            let is_whole = tables.len() == self.series.group_size() as usize;
            return is_whole.then(|| tables.values().flatten().map(|played| played.bot).collect());
        }
        let seated = table.iter().map(|played| played.bot).collect::<Vec<_>>();
        let seats = seated.len();
        let first = self.series.fixtures_of(group, &(0..seats).collect::<Vec<_>>());
        let places = &first.get(*order as usize)?.seating;
        let mut lineup = vec![0; seats];
        places.iter().zip(&seated).for_each(|(&place, &bot)| lineup[place] = bot);
        Some(lineup)
    }

    /// Plays games, a batch after the other; `watch` gets the pool and the ratings before each. A bot that keeps failing is
    /// parked, and the rest of its batch is planned again without it.
    ///
    /// # Errors
    /// If a game can't be played or stored, or the program was interrupted. All games that ended before are stored.
    pub(crate) fn play(
        &mut self,
        until: Until,
        settings: &Settings,
        progress: &mut Progress,
        mut watch: impl FnMut(&Pool, &Ratings, &mut Progress),
    ) -> Result<u32, SeriesError> {
        let (size, before) = (self.series.group_size(), self.games);
        let is_late = || until.time.is_some_and(|time| Instant::now() >= time);
        let wanted = until.games.map(|games| games.div_ceil(size).saturating_mul(size));
        if let Some(wanted) = wanted {
            progress.begin(0, wanted as usize);
        }
        loop {
            self.park_failing(settings, progress);
            let left = wanted.map_or(u32::MAX, |wanted| wanted.saturating_sub(self.games - before));
            let mut missing = self.batch();
            // A group that is begun is finished, so that there are as few halves as can be.
            missing.truncate(left as usize);
            if missing.is_empty() || is_late() {
                return Ok(self.games - before);
            }
            watch(&self.pool, &Ratings::of(&self.meetings()), progress);
            let mut finished = Vec::new();
            let Self { series, pool, file, failures, .. } = &mut *self;
            let played = runner::run(series, &missing, settings.jobs, |game: Finished| {
                failures.add(&game.record);
                let is_last = |bot: &BotRecord| {
                    !settings.keep_going && failures.of(&bot.name).is_some_and(|f| f.game == game.record.game)
                };
                let is_parked = game.record.bots.iter().any(is_last);
                let logs = settings.logs(pool);
                if is_parked {
                    let fail = |source| SeriesError::LogDir { path: logs.clone(), source };
                    fs::create_dir_all(&logs).map_err(fail)?;
                }
                if is_parked || settings.log_dir.is_some() {
                    game.write(&logs)?;
                }
                file.append(&game.record)?;
                progress.advance();
                finished.push(game.record);
                Ok(if is_parked || is_late() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            });
            let seatings =
                missing.iter().map(|fixture| (fixture.game, &fixture.seating)).collect::<BTreeMap<_, _>>();
            for record in &finished {
                if let Some(seating) = seatings.get(&record.game) {
                    self.add(record, seating);
                }
            }
            let Err(error) = played else { continue };
            let at_fault = error.bot_at_fault().and_then(|name| self.pool.place_of(name).ok());
            match at_fault.filter(|_| !settings.keep_going) {
                Some(bot) => self.park(bot, "it can't be started", error, progress),
                None => return Err(error),
            }
        }
    }
}
