//! A run of games that is stored in a file and can be resumed.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::record::games::{GamesError, GamesFile};
use crate::record::GameRecord;
use crate::report::progress::Progress;
use crate::report::standings;
use crate::report::summary::{Summary, Tally};
use crate::series::failures::Failures;
use crate::series::machines::{Machines, Noises};
use crate::series::shard::Shard;
use crate::series::SeriesError;
use crate::series::{GameDigest, Series};
use crate::text::note;
use coppice_stats::rating::Meetings;
use coppice_stats::Grouping;

/// Maximum number of faults printed; the others are in the file.
const MOST_EXPLAINED: u32 = 10;

/// How a run is executed; this doesn't influence the games.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The file of games.
    pub file: PathBuf,
    /// The folder of the dialogues, if they are stored.
    pub log_dir: Option<PathBuf>,
    /// The part of the plan that is played here.
    pub shard: Shard,
    /// Don't stop when a bot keeps failing.
    pub keep_going: bool,
}

/// A run of games.
pub struct Tournament<'a> {
    series: Series<'a>,
    settings: Settings,
    file: GamesFile,
    names: Vec<String>,
    games: BTreeMap<u32, GameDigest>,
    failures: Failures,
    explained: u32,
    noise: Noises,
}

impl<'a> Tournament<'a> {
    /// Reads the finished games, or creates a new file.
    ///
    /// # Errors
    /// If the file can't be used, holds games of another run or a game that contradicts the rules, or shows a bot
    /// that keeps failing.
    pub fn open(mut series: Series<'a>, settings: Settings) -> Result<Self, SeriesError> {
        let (file, found) = GamesFile::open(&settings.file)?;
        if found.cut_bytes > 0 {
            note(format_args!(
                "{}: the last line was cut off ({} bytes) and is dropped; its game will be played again",
                file.path().display(),
                found.cut_bytes
            ));
        }
        let mut failures = Failures::default();
        let names = series.names();
        let mut games = BTreeMap::new();
        let foreign = |difference| GamesError::Foreign { path: file.path().to_owned(), difference };
        series.go_on(&found.records).map_err(foreign)?;
        for mut record in found.records {
            series.rescore(&mut record);
            series.belongs(&record).map_err(foreign)?;
            if let Some(contradiction) = series.contradiction(&record)? {
                let (path, game) = (file.path().to_owned(), record.game);
                return Err(GamesError::Contradiction { path, game, contradiction }.into());
            }
            failures.add(&record);
            games.entry(record.game).or_insert_with(|| GameDigest::of(&record, &names));
        }
        let tournament =
            Self { series, settings, file, names, games, failures, explained: 0, noise: Noises::default() };
        tournament.check_failures()?;
        Ok(tournament)
    }

    /// Has the missing games of 1 to `last` played, and calls `watch` with all games after each; after a `Break`,
    /// no further game begins.
    ///
    /// # Errors
    /// If a game can't be played or stored, a bot keeps failing, or the program was interrupted. All games that
    /// ended before are stored.
    pub fn play(
        &mut self,
        last: u32,
        machines: &mut dyn Machines,
        progress: &mut Progress,
        mut watch: impl FnMut(&Games, &mut Progress) -> ControlFlow<()>,
    ) -> Result<(), SeriesError> {
        let planned = self.planned(last);
        let Self { series, settings, file, names, games, failures, explained, noise } = self;
        let is_mine = |game: &u32| settings.shard.contains(series.fixture(*game).group);
        let missing = (1..=last).filter(is_mine).filter(|game| !games.contains_key(game));
        let missing = missing.collect::<Vec<_>>();
        if missing.len() < planned {
            let (kept, path) = (planned - missing.len(), file.path().display());
            let noun = series.host.noun();
            note(format_args!("{kept} of {planned} {noun} are in {path} already"));
            settings.log_dir.as_ref().map_or(Ok(()), |folder| write_missing(folder, file, last))?;
        }
        progress.count(series.host.noun());
        progress.begin(planned - missing.len(), planned);
        if watch(&Games { all: games, last }, progress).is_break() {
            return Ok(());
        }
        let log_dir = settings.log_dir.as_ref().filter(|_| !machines.writes_dialogues());
        let played = machines.play(series, &missing, &mut |finished| {
            log_dir.map_or(Ok(()), |folder| finished.write(folder))?;
            let record = finished.record;
            file.append(&record)?;
            for fault in &record.faults {
                *explained += 1;
                match (*explained).cmp(&MOST_EXPLAINED) {
                    Ordering::Less if series.host.is_heuristic() => {
                        progress.say(fault.of_case(record.seed));
                    }
                    Ordering::Less => progress.say(format_args!("game {}, {fault}", record.game)),
                    Ordering::Equal => {
                        progress.say(format_args!("further faults are in {}", file.path().display()));
                    }
                    Ordering::Greater => {}
                }
            }
            failures.add(&record);
            games.insert(record.game, GameDigest::of(&record, names));
            progress.advance();
            if !settings.keep_going {
                failures.check(series)?;
            }
            Ok(watch(&Games { all: games, last }, progress))
        });
        *noise = machines.noise();
        played
    }

    /// The number of games of 1 to `last` that are played here.
    pub fn planned(&self, last: u32) -> usize {
        let is_mine = |game: &u32| self.settings.shard.contains(self.series.fixture(*game).group);
        (1..=last).filter(is_mine).count()
    }

    /// The games up to `last`.
    pub fn games(&self, last: u32) -> Games<'_> {
        Games { all: &self.games, last }
    }

    /// The summary of the games up to `last`, from the file.
    ///
    /// # Errors
    /// If it can't be read.
    pub fn summary(&self, last: u32) -> Result<Summary, SeriesError> {
        let bots = (0..self.series.bots.len()).map(|bot| self.series.bot_record(bot));
        let mut tally = Tally::new(self.series.host.name(), bots, self.series.grouping());
        let mut seen = BTreeSet::new();
        self.file.each(|mut record: GameRecord| {
            self.series.rescore(&mut record);
            if record.game <= last && seen.insert(record.game) {
                tally.add(&record, &self.series.fixture(record.game).seating);
            }
            Ok::<_, GamesError>(())
        })?;
        Ok(Summary { noise: self.noise.here, machines: self.noise.others.clone(), ..tally.summary() })
    }

    /// A note if openings are shorter than requested: a contest plays fewer random plies where the game would end, and
    /// the rest of such a game may be meaningless.
    pub fn short_openings(&self, last: u32) -> Option<String> {
        let (games, asked) = (self.games(last), self.series.openings.plies());
        let (game, plies) = games.short_opening(asked)?;
        let contest = self.series.host.name();
        let short = format!(
            "openings of {asked} plies were asked for, but game {game}'s has {plies}: {contest} allows no more"
        );
        let (over, count) = (games.over_at_once(), games.count());
        Some(match over {
            0 => short,
            _ => format!(
                "{short}; {over} of {count} games were over before each bot had moved, so they say nothing of the \
                 players"
            ),
        })
    }

    /// The plan.
    pub fn series(&self) -> &Series<'a> {
        &self.series
    }

    /// The folder of the dialogues, if they are stored.
    pub fn log_dir(&self) -> Option<&Path> {
        self.settings.log_dir.as_deref()
    }

    /// The file of games.
    pub fn file(&self) -> &Path {
        self.file.path()
    }

    fn check_failures(&self) -> Result<(), SeriesError> {
        if self.settings.keep_going {
            return Ok(());
        }
        self.failures.check(&self.series)
    }
}

/// Writes the records of games that were played before without this folder: their dialogues are lost.
fn write_missing(folder: &Path, file: &GamesFile, last: u32) -> Result<(), SeriesError> {
    let mut count = 0;
    file.each(|record| {
        if record.game > last || folder.join(format!("{}.json", record.game)).exists() {
            return Ok(());
        }
        count += 1;
        let written = record.write(folder, &[], &[]);
        written.map_err(|source| SeriesError::LogDir { path: folder.to_owned(), source })
    })?;
    if count > 0 {
        note(format_args!(
            "{count} of them were played without a folder for logs: {} gets their records, but what bots said is lost \
             (another --dir plays them again)",
            folder.display()
        ));
    }
    Ok(())
}

/// The finished games of a run.
#[derive(Debug, Clone, Copy)]
pub struct Games<'a> {
    all: &'a BTreeMap<u32, GameDigest>,
    last: u32,
}

impl<'a> Games<'a> {
    /// The games of `all` up to `last`.
    pub fn new(all: &'a BTreeMap<u32, GameDigest>, last: u32) -> Self {
        Self { all, last }
    }

    /// Bot A's sample in a group of games, a score from 0 to 1 or a lead; `None` if a game is missing.
    ///
    /// With one bot per game, its points are compared with those of the others.
    pub fn sample_of_group(&self, group: u32, grouping: Grouping) -> Option<f64> {
        let size = grouping.size;
        let games = (group * size + 1..=(group + 1) * size).map(|game| self.get(game));
        let games = games.collect::<Option<Vec<_>>>()?;
        if grouping.alone {
            let points = |game: &&GameDigest| game.points().next().unwrap_or(0);
            let (mine, others): (Vec<_>, Vec<_>) = games.iter().partition(|game| game.seat_of(0) == Some(0));
            let mine = mine.first().map(points)?;
            let known = games.first().and_then(|game| game.best);
            return Some(grouping.sample(mine, others.iter().map(points), known));
        }
        let score = |game: &GameDigest| {
            let seat = game.seat_of(0)?;
            let others = game.points().enumerate().filter(|&(other, _)| other != seat);
            Some(grouping.sample(game.points().nth(seat)?, others.map(|(_, points)| points), None))
        };
        let scores = games.into_iter().map(score).collect::<Option<Vec<_>>>()?;
        Some(scores.iter().sum::<f64>() / scores.len() as f64)
    }

    /// A group's opening, and its games by their bots and moves; `None` if one is missing or its moves aren't known.
    pub fn moves_of_group(&self, group: u32, grouping: Grouping) -> Option<(u64, Vec<u64>)> {
        let mut games = group * grouping.size + 1..=(group + 1) * grouping.size;
        let opening = self.get(*games.start())?.opening();
        Some((
            opening,
            games.try_fold(Vec::new(), |mut all, game| {
                all.push(self.get(game)?.moves()?);
                Some(all)
            })?,
        ))
    }

    /// The games in the order of the plan.
    pub fn iter(&self) -> impl Iterator<Item = &'a GameDigest> {
        self.all.range(..=self.last).map(|(_, game)| game)
    }

    /// Game number `game`.
    pub fn get(&self, game: u32) -> Option<&'a GameDigest> {
        self.all.get(&game).filter(|_| game <= self.last)
    }

    /// The number of games.
    pub fn count(&self) -> usize {
        self.iter().count()
    }

    /// The first game whose opening has fewer plies than `asked`, and how many.
    pub fn short_opening(&self, asked: u32) -> Option<(u32, u32)> {
        let mut all = self.all.range(..=self.last).map(|(&number, game)| (number, game.opening_plies));
        all.find(|&(_, plies)| plies < asked)
    }

    /// The number of games that were over before each bot had moved, without a fault.
    pub fn over_at_once(&self) -> usize {
        self.iter().filter(|game| game.is_over_at_once).count()
    }

    /// The number of games that repeat another with the same bots on the same seats, move by move.
    /// Games of an external referee have no moves to compare.
    pub fn repeats(&self) -> usize {
        let mut seen = BTreeSet::new();
        self.iter().filter_map(GameDigest::moves).filter(|&moves| !seen.insert(moves)).count()
    }

    /// The bots' meetings, a group of games at a time.
    pub fn meetings(&self, bots: usize, seats: usize) -> Meetings {
        standings::meetings(bots, seats, self.iter().map(|game| (game.group, game.played())))
    }
}
