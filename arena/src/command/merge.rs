//! `arena merge`: joins the parts of a run that several machines have played.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use coppice_referee::atomic;
use coppice_referee::record::games::{self, GamesError, Mismatch};
use coppice_referee::record::{BotRecord, GameRecord, Seating};
use coppice_referee::report::summary::Tally;
use coppice_referee::series::shard::Shard;
use coppice_referee::series::tournament::Games;
use coppice_referee::series::GameDigest;
use coppice_referee::text::note;
use coppice_stats::Grouping;

use super::judge::Judge;
use super::matches;
use super::sprt::{Advice, SprtReport, TestOptions};
use crate::program::Outcome;

/// The arguments of `arena merge`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The parts: games.jsonl files, or folders that contain one
    #[arg(required = true, value_name = "FILE")]
    pub parts: Vec<PathBuf>,
    /// Write all games into this file, in the order of the plan; to resume the run, give --dir its folder
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Test the games as `arena sprt` does, with the options below
    #[arg(long)]
    pub sprt: bool,
    #[command(flatten)]
    test: TestOptions,
    /// Print the result as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Joins the parts and prints the result.
///
/// # Errors
/// If a part can't be read or is of another run, all parts are empty, or the output can't be written.
pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let test = args.test.test()?;
    let merged = Merged::read(&args.parts)?;
    if let Some(path) = &args.output {
        merged.write(path)?;
    }
    if let Some(text) = merged.missing() {
        note(text);
    }
    let last = merged.games.keys().next_back().copied().unwrap_or(0);
    let summary = merged.tally().summary();
    if !args.sprt {
        matches::print(&summary, args.json, out)?;
        return Ok(Outcome::Done);
    }
    let mut judge = Judge::new(Some(test), merged.grouping());
    let names = merged.bots.keys().cloned().collect::<Vec<_>>();
    let digest = |(&game, record): (&u32, &GameRecord)| (game, GameDigest::of(record, &names));
    judge.update(&Games::new(&merged.games.iter().map(digest).collect(), last));
    let more = "repeat each part's command with a larger -n, and merge again";
    let report = SprtReport::new(test, &judge, summary, Advice::general(more))?;
    report.print(args.json, out)?;
    Ok(report.outcome())
}

/// The largest number of parts that is tried, to name a missing one.
const MOST_PARTS: u32 = 1000;

/// The games of one run.
struct Merged {
    games: BTreeMap<u32, GameRecord>,
    /// The bots by name, as in the first games.
    bots: BTreeMap<String, BotRecord>,
}

impl Merged {
    fn read(parts: &[PathBuf]) -> Result<Self, Failure> {
        let mut merged = Self { games: BTreeMap::new(), bots: BTreeMap::new() };
        let mut twice = 0;
        for part in parts {
            let path = if part.is_dir() { part.join(games::FILE_NAME) } else { part.clone() };
            let found = games::read(&path)?;
            if found.cut_bytes > 0 {
                note(format_args!("{}: the last line is cut off and isn't counted", path.display()));
            }
            for record in found.records {
                twice += u32::from(!merged.add(record, &path)?);
            }
        }
        if twice > 0 {
            note(format_args!("{twice} games are there twice and count once"));
        }
        if merged.games.is_empty() {
            return Err(GamesError::Empty { paths: parts.to_vec() }.into());
        }
        Ok(merged)
    }

    /// Adds a game; `false` for a duplicate.
    fn add(&mut self, record: GameRecord, path: &Path) -> Result<bool, Failure> {
        let foreign = |difference: String| GamesError::Foreign {
            path: path.to_owned(),
            difference: Mismatch(difference),
        };
        if let Some(first) = self.games.values().next() {
            let common =
                |record: &GameRecord| (record.contest.clone(), record.run.clone(), record.bots.len());
            if common(first) != common(&record) {
                let text = |record: &GameRecord| {
                    let run = &record.run;
                    let limits = format!("{} and {} ms", run.first_ms, run.later_ms);
                    format!("{}, seed {}, {}, {limits}", record.contest, run.seed, run.openings)
                };
                return Err(
                    foreign(format!("{} there, {} in the files before", text(&record), text(first))).into()
                );
            }
        }
        for bot in &record.bots {
            let known = self.bots.entry(bot.name.clone()).or_insert_with(|| bot.clone());
            if known != bot {
                let text = |bot: &BotRecord| {
                    format!("`{}` (hash {})", bot.command, bot.hash.as_deref().unwrap_or("unknown"))
                };
                let difference =
                    format!("bot {} is {} there, {} in the files before", bot.name, text(bot), text(known));
                return Err(foreign(difference).into());
            }
        }
        if let Some(other) = self.games.get(&record.game) {
            let key = |record: &GameRecord| (record.group, record.seed, record.bots.clone());
            if key(other) != key(&record) {
                let game = record.game;
                return Err(
                    foreign(format!("game {game} has other bots or another seed in another file")).into()
                );
            }
            return Ok(false);
        }
        self.games.insert(record.game, record);
        Ok(true)
    }

    fn seats(&self) -> usize {
        self.games.values().next().map_or(2, |record| record.bots.len())
    }

    /// The number of games in a group: that of the seats (or of the orders of the bots); with a single seat, the number
    /// of bots.
    fn group_size(&self) -> u32 {
        let is_all =
            self.games.values().next().is_some_and(|record| record.run.seating == Some(Seating::All));
        match self.seats() {
            1 => self.bots.len().max(1) as u32,
            seats if is_all => (1..=seats as u32).product(),
            seats => seats as u32,
        }
    }

    fn grouping(&self) -> Grouping {
        let scoring = self.games.values().next().map(|record| record.run.scoring);
        let alone = self.seats() == 1 && self.bots.len() > 1;
        Grouping { size: self.group_size(), alone, scoring: scoring.unwrap_or_default() }
    }

    /// Describes the games of the plan, up to the last one present, that no part has: a part is absent or was
    /// interrupted.
    fn missing(&self) -> Option<String> {
        let last = *self.games.keys().next_back()?;
        let missing = (1..=last).filter(|game| !self.games.contains_key(game)).collect::<Vec<_>>();
        let first = *missing.first()?;
        let listed = missing.iter().take(5).map(u32::to_string).collect::<Vec<_>>().join(", ");
        let more = if missing.len() > 5 { ", ..." } else { "" };
        let shard = self.missing_shard(last).map_or_else(
            || "; a part is missing, or one was interrupted".to_owned(),
            |shard| format!("; these are the games of --shard {shard}"),
        );
        let judged = (first - 1) / self.group_size();
        Some(format!(
            "{} of the games 1 to {last} are in no file ({listed}{more}){shard}. The table counts the others; a test \
             judges the {judged} whole pairs before the first that is missing",
            missing.len()
        ))
    }

    /// The shard whose groups are exactly the missing ones.
    fn missing_shard(&self, last: u32) -> Option<Shard> {
        let size = self.group_size();
        let groups = last.div_ceil(size);
        let is_missing = |group: u32| (1..=size).all(|game| !self.games.contains_key(&(group * size + game)));
        (2..=groups.min(MOST_PARTS)).find_map(|parts| {
            let mut shards = (1..=parts).filter_map(|part| Shard::new(part, parts));
            shards.find(|shard| (0..groups).all(|group| shard.contains(group) == is_missing(group)))
        })
    }

    fn tally(&self) -> Tally {
        let contest = self.games.values().next().map_or("", |record| record.contest.as_str());
        let names = self.bots.keys().map(String::as_str).collect::<Vec<_>>();
        let mut tally = Tally::new(contest, self.bots.values().cloned(), self.grouping());
        for record in self.games.values() {
            let index = |bot: &BotRecord| names.binary_search(&bot.name.as_str()).unwrap_or(0);
            tally.add(record, &record.bots.iter().map(index).collect::<Vec<_>>());
        }
        tally
    }

    fn write(&self, path: &Path) -> Result<(), Failure> {
        let mut text = Vec::new();
        let fail = |source| GamesError::Write { path: path.to_owned(), source };
        for record in self.games.values() {
            serde_json::to_writer(&mut text, record).map_err(std::io::Error::from).map_err(fail)?;
            text.push(b'\n');
        }
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(fail)?;
        }
        Ok(atomic::write(path, &text).map_err(fail)?)
    }
}
