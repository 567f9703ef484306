//! The games of a run or a pool as they stand in its folder, and the report of them.

use std::path::{Path, PathBuf};

use contest::Contest;
use serde::Serialize;

use crate::command::judge::Judge;
use crate::command::run_notes::{command_line, Purpose, RunNotes};
use crate::command::run_page::{settings, Drawer, ReportArgs};
use crate::command::sprt::{Advice, SprtReport};
use crate::failure::Failure;
use crate::game_files::sample::{Identity, Samples};
use crate::game_files::Item;
use crate::pool::{self, Pool};
use coppice_pages::run_page::{self, GamePage, Run};
use coppice_referee::external::BestKnown;
use coppice_referee::process;
use coppice_referee::record::games::{self, GamesError};
use coppice_referee::record::{BotRecord, GameRecord};
use coppice_referee::report::standings::Standings;
use coppice_referee::report::summary::Summary;
use coppice_referee::series::tournament::Tournament;
use coppice_referee::series::SeriesError;
use coppice_referee::text::note;
use coppice_stats::{Sprt, SprtState};

/// The games of a run or a pool, in the order of the plan, and what is known of it.
pub(crate) struct Finished {
    file: PathBuf,
    records: Vec<GameRecord>,
    samples: Samples,
    summary: Summary,
    standings: Standings,
    notes: RunNotes,
    /// Whether its purpose is ratings.
    is_rated: bool,
    /// The test of its first bot.
    test: Option<Sprt>,
    /// Whether another program adds games.
    is_running: bool,
}

/// Games of several runs are in one file.
#[derive(Debug, thiserror::Error)]
#[error(
    "{}: game {game} is of another run than the games before: {difference}\na report is of one run; `arena stats` reads games \
     of several",
    .path.display()
)]
struct Mixed {
    path: PathBuf,
    game: u32,
    difference: String,
}

impl Finished {
    /// Reads a file of games, and the notes or the pool next to it.
    ///
    /// # Errors
    /// If a file can't be read, a line isn't a game, or the games are of several runs or none.
    pub(crate) fn read(file: &Path) -> Result<Self, Failure> {
        // Asked first: games that end meanwhile may be missing, but none is called the last.
        let is_running = process::is_opened_alone(file);
        Self::read_up_to(u32::MAX, file, is_running)
    }

    /// As [`Self::read`], of the games up to `last`, where it is known whether games are being added.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub(crate) fn read_up_to(last: u32, file: &Path, is_running: bool) -> Result<Self, Failure> {
        let folder = file.parent().unwrap_or(Path::new("."));
        let found = games::read(file)?;
        if found.cut_bytes > 0 && !is_running {
            note(format_args!("{}: the last line is cut off and isn't counted", file.display()));
        }
        let mut records = found.records;
        records.retain(|record| record.game <= last);
        records.sort_by_key(|record| record.game);
        records.dedup_by_key(|record| record.game);
        let notes = RunNotes::read(folder);
        if let Some(first) = records.first().filter(|_| !matches!(notes.purpose, Some(Purpose::Sprt(_)))) {
            let best = BestKnown::of(first)?;
            records.iter_mut().for_each(|record| best.rescore(record));
        }
        let Some(first) = records.first() else {
            return Err(GamesError::Empty { paths: vec![file.to_owned()] }.into());
        };
        let mut samples = Samples::new(Identity::Name);
        for record in &records {
            let mixed = |difference| Mixed { path: file.to_owned(), game: record.game, difference };
            if (&record.contest, &record.run) != (&first.contest, &first.run) {
                let difference = "its contest, seed, openings, limits or referee differ".to_owned();
                return Err(Failure::new(mixed(difference)));
            }
            let mut item = Item { group: Some(record.group.to_string()), seed: None, record: record.clone() };
            samples.name(&mut item.record).map_err(|error| Failure::new(mixed(error.to_string())))?;
            let group = samples.group_of(0, &item);
            samples.add(record, group);
        }
        samples.order(None)?;
        let pool = pool::is_in(folder).then(|| Pool::open(folder)).transpose()?;
        // A pool's newest bot comes first, else the order is the command line's.
        let names = match &pool {
            Some(pool) => pool.bots().iter().rev().map(|bot| bot.name.clone()).collect::<Vec<_>>(),
            None => notes.bots.clone(),
        };
        samples.order_as(&names)?;
        let (is_rated, test) = match notes.purpose {
            _ if pool.is_some() => (true, None),
            Some(Purpose::Rate) => (true, None),
            Some(Purpose::Match) => (false, None),
            Some(Purpose::Sprt(test)) => (false, Some(test)),
            None => (samples.bots().len() > 2, None),
        };
        let member = |name: &str| pool.as_ref()?.bots().iter().find(|bot| bot.name == name);
        let bots = samples.bots().iter().map(|bot| match member(&bot.name) {
            Some(member) => BotRecord { command: member.shown_command(), ..bot.clone() },
            None => bot.clone(),
        });
        let standings = Standings::of(&bots.collect::<Vec<_>>(), &samples.meetings());
        let (file, summary) = (file.to_owned(), samples.summary());
        Ok(Self { file, records, samples, summary, standings, notes, is_rated, test, is_running })
    }

    /// Writes the report of a run's games up to `last`, if one is asked for. `failed` is why it ended early.
    ///
    /// # Errors
    /// If a file can't be read or written.
    pub(crate) fn write_run(
        (tournament, last): (&Tournament<'_>, u32),
        report: &ReportArgs,
        known: &[&dyn Contest],
        failed: Option<&SeriesError>,
    ) -> Result<(), Failure> {
        match tournament.games(last).count() {
            0 => report.note_nothing(),
            _ if report.is_given() => {
                Self::read_up_to(last, tournament.file(), false)?.write(report, known, failed)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Writes the report, if one is asked for. `failed` is why the command that played ended early.
    ///
    /// # Errors
    /// If a file can't be written.
    pub(crate) fn write(
        &self,
        report: &ReportArgs,
        known: &[&dyn Contest],
        failed: Option<&SeriesError>,
    ) -> Result<(), Failure> {
        let mut run = self.run(failed)?;
        if run.command.is_empty() {
            run.command = command_line();
        }
        report.write(run, self.log_dirs(), known)
    }

    /// Tests the games of two bots.
    ///
    /// # Errors
    /// If there are more.
    pub(crate) fn set_test(&mut self, test: Sprt) -> Result<(), Failure> {
        self.test = Some(test);
        match self.is_rated {
            false => Ok(()),
            true => Err(Failure::usage(
                "a test is between two bots, and these games are for ratings: leave out --sprt",
            )),
        }
    }

    /// The page as a server shows it during the run; `version` is its number.
    ///
    /// # Errors
    /// If the page can't be made.
    pub(crate) fn live_page(mut self, version: u64) -> Result<String, Failure> {
        // After the last game its notes aren't written yet.
        self.notes.is_finished |= !self.is_running;
        let page = |record: &GameRecord| {
            (record.game, GamePage { address: format!("games/{}.html", record.game), losing_turn: None })
        };
        let pages = self.records.iter().map(page).collect();
        let run = Run { live: Some(version), pages, ..self.run(None)? };
        run_page::page(&run).map_err(Failure::new)
    }

    /// The page of a game as a server shows it during the run.
    ///
    /// # Errors
    /// If there is no such game, or it can't be shown.
    pub(crate) fn game_page(&self, number: u32, known: &[&dyn Contest]) -> Result<String, Failure> {
        let missing = || Failure::new(format!("game {number} hasn't ended yet"));
        let record = self.records.iter().find(|record| record.game == number).ok_or_else(missing)?;
        let run = self.run(None)?;
        let opened = Drawer::new(&run, self.log_dirs(), known)?.open(record, None)?;
        let opened = opened.ok_or_else(missing)?.map_err(Failure::new)?;
        let ranked = run_page::ranked(&run.games, run.summary.bots.first().map_or("", |bot| &bot.name));
        let at = ranked.iter().position(|seen| seen.record.game == number);
        let address = |at: Option<usize>| {
            at.and_then(|at| ranked.get(at))
                .map_or_else(String::new, |seen| format!("{}.html", seen.record.game))
        };
        let [before, after] = [at.and_then(|at| at.checked_sub(1)), at.map(|at| at + 1)].map(address);
        opened.page("../", [&before, &after])
    }

    /// The games, in the order of the plan.
    pub(crate) fn records(&self) -> &[GameRecord] {
        &self.records
    }

    /// The names of the bots, as the command line or the pool has them.
    pub(crate) fn names(&self) -> Vec<&str> {
        self.summary.bots.iter().map(|bot| bot.name.as_str()).collect()
    }

    /// The folders of the dialogues, as far as they are known.
    pub(crate) fn log_dirs(&self) -> Vec<PathBuf> {
        self.notes.log_dirs().map(Path::to_owned).collect()
    }

    fn judge(&self) -> Judge {
        let mut judge = Judge::new(self.test, self.samples.grouping());
        for (sample, moves) in self.samples.in_order() {
            judge.push(sample, moves.as_ref().map(|(opening, games)| (*opening, games.as_slice())));
        }
        judge
    }

    /// What a page shows, without the games' pages. `failed` is why the command that played ended early.
    ///
    /// # Errors
    /// If the test can't be judged.
    pub(crate) fn run(&self, failed: Option<&SeriesError>) -> Result<Run<'_>, Failure> {
        let names = self.names();
        let between = if self.is_rated { ", " } else { " against " };
        let judge = (!self.is_rated).then(|| self.judge());
        let samples = judge.as_ref().map(Judge::samples);
        let verdict = judge.as_ref().zip(self.test).map(|(judge, test)| {
            let advice = Advice::general("repeat the command of the run with a larger -n");
            let report = SprtReport::new(test, judge, self.summary.clone(), advice)?;
            Ok::<_, Failure>((test, report.to_string()))
        });
        let mut about = self.notes.about(&self.file);
        about.extend(settings(&self.records[0].run));
        let noise = self.notes.sessions.iter().flat_map(|session| &session.noise);
        about.extend(
            noise.map(|noise| ("delays".to_owned(), noise.trim_start_matches("machine: ").to_owned())),
        );
        Ok(Run {
            title: format!("{}: {}", self.summary.contest, names.join(between)),
            state: self.state(failed),
            about,
            command: self.notes.command().unwrap_or_default().to_owned(),
            file: self.file.display().to_string(),
            samples: samples.map_or_else(Vec::new, |samples| samples.all().to_vec()),
            is_evidence: samples.map_or_else(Vec::new, |samples| samples.counted()),
            grouping: self.samples.grouping(),
            summary: &self.summary,
            games: self.records.iter().collect(),
            standings: self.is_rated.then_some(&self.standings),
            test: verdict.transpose()?,
            pages: Default::default(),
            courses: Default::default(),
            live: None,
        })
    }

    /// How far the run is, as a sentence.
    fn state(&self, failed: Option<&SeriesError>) -> String {
        let (count, noun) = (self.records.len(), self.samples.grouping().noun());
        let planned = self.notes.games.filter(|&planned| planned > count);
        let of = planned.map_or(String::new(), |planned| format!(" of {planned}"));
        match (failed, self.is_running) {
            (Some(error), _) => {
                let reason = error.to_string();
                let reason = reason.lines().next().unwrap_or_default().to_owned();
                format!("{count}{of} {noun}; the run isn't finished ({reason})")
            }
            (None, true) => format!("{count}{of} {noun} so far; the run is going on"),
            (None, false) if planned.is_some() && !self.notes.is_finished => {
                format!("{count}{of} {noun}; the run isn't finished")
            }
            (None, false) => format!("{count} {noun}"),
        }
    }

    /// The statistics as JSON, on a line.
    ///
    /// # Errors
    /// If the test can't be judged.
    pub(crate) fn json(&self, run: &Run<'_>) -> Result<String, Failure> {
        let test = run
            .test
            .as_ref()
            .map(|(test, verdict)| Ok::<_, Failure>(Tested { state: self.judge().state(*test)?, verdict }));
        let printed = Printed {
            file: &self.file,
            is_running: self.is_running,
            run: &self.notes,
            summary: &self.summary,
            standings: run.standings,
            test: test.transpose()?,
        };
        Ok(serde_json::to_string(&printed).map_err(Failure::new)? + "\n")
    }
}

/// The output of `arena report --json`.
#[derive(Serialize)]
struct Printed<'a> {
    file: &'a Path,
    is_running: bool,
    /// As in `run.json`.
    run: &'a RunNotes,
    summary: &'a Summary,
    #[serde(skip_serializing_if = "Option::is_none")]
    standings: Option<&'a Standings>,
    #[serde(skip_serializing_if = "Option::is_none")]
    test: Option<Tested<'a>>,
}

#[derive(Serialize)]
struct Tested<'a> {
    #[serde(flatten)]
    state: SprtState,
    /// The verdict as a sentence.
    verdict: &'a str,
}
