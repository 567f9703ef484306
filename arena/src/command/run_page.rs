//! `--report`: the results of a run as a page, and a page for each game beside it.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

use contest::Contest;

use crate::command::judge::Judge;
use crate::command::view;
use crate::failure::Failure;
use coppice_pages::run_page::ranking::{End, Seen};
use coppice_pages::run_page::{self, ranked, GamePage, Run};
use coppice_pages::view::losing::{losing, Losing};
use coppice_pages::view::page::{self, Heading};
use coppice_pages::view::{bot_colours, open, outcome, Viewed};
use coppice_referee::atomic::{self, FileError};
use coppice_referee::game::in_process::InProcess;
use coppice_referee::process;
use coppice_referee::record::GameRecord;
use coppice_referee::replay::source::{Found, Source};
use coppice_referee::report::progress::Progress;
use coppice_referee::report::standings::Standings;
use coppice_referee::report::summary::Summary;
use coppice_referee::series::tournament::Tournament;
use coppice_referee::series::SeriesError;
use coppice_referee::text::note;
use coppice_stats::{Grouping, Sprt};

/// The heading of these options in the help.
const HEADING: &str = "Report";

/// The options of a report.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct ReportArgs {
    /// Also write the results as a page to look at, after an interrupt too. Each game's page, and its logs without
    /// --log-dir, are in the folder FILE-games next to it
    #[arg(long, value_name = "FILE.html", help_heading = HEADING)]
    report: Option<PathBuf>,
    /// Write pages for at most N games: the first bot's worst losses first
    #[arg(long, value_name = "N", default_value_t = 200, requires = "report", help_heading = HEADING)]
    report_pages: u32,
    /// On the pages of the first bot's lost games, show what this search of the program would have played: in:SEARCH with
    /// --nodes N or --ms N
    #[arg(long, value_name = "IN:SEARCH", requires = "report", help_heading = HEADING)]
    report_compare: Option<String>,
}

/// The part of a run's page that isn't its games.
pub(crate) enum Shown<'a> {
    /// Two bots, and with a test its verdict.
    Comparison(Option<(Sprt, String)>),
    /// A table of ratings.
    Ratings(&'a Standings),
}

/// The results of a report.
pub(crate) struct Results<'a> {
    /// The contest's name.
    pub contest: &'a str,
    /// The finished games, in the order of the plan.
    pub games: Vec<&'a GameRecord>,
    /// Their summary, with the bot first whose losses are shown first.
    pub summary: Summary,
    /// How games form samples.
    pub grouping: Grouping,
    /// The first bot's samples, if two bots are compared.
    pub samples: Vec<f64>,
    /// Which of them are evidence for a test, and not repeats.
    pub is_evidence: Vec<bool>,
    /// The file of games.
    pub file: &'a Path,
    /// The folder of the dialogues, if they are stored.
    pub log_dir: Option<&'a Path>,
    /// How far the run is, as a sentence.
    pub state: String,
}

impl<'a> Results<'a> {
    /// The results of a run up to game number `last`. `failed` is why it ended early.
    fn of(
        tournament: &'a Tournament<'_>,
        (last, games): (u32, &'a [GameRecord]),
        shown: &Shown<'_>,
        failed: Option<&SeriesError>,
    ) -> Result<Self, Failure> {
        let series = tournament.series();
        let games = games.iter().collect::<Vec<_>>();
        let (samples, is_evidence, is_test) = match shown {
            Shown::Ratings(_) => (Vec::new(), Vec::new(), false),
            Shown::Comparison(test) => {
                let mut judge = Judge::new(test.as_ref().map(|(test, _)| *test), series.grouping());
                judge.update(&tournament.games(last));
                (judge.samples().all().to_vec(), judge.samples().counted(), test.is_some())
            }
        };
        Ok(Self {
            contest: series.host.name(),
            state: state(games.len(), last, is_test, failed.map(|error| error as _)),
            games,
            summary: tournament.summary(last)?,
            grouping: series.grouping(),
            samples,
            is_evidence,
            file: tournament.file(),
            log_dir: tournament.log_dir(),
        })
    }
}

impl ReportArgs {
    /// Whether a report is asked for.
    pub(crate) fn is_given(&self) -> bool {
        self.report.is_some()
    }

    /// The folder of the games' pages: `FILE-games`.
    ///
    /// # Errors
    /// If the report can't be written; found out before the first game.
    pub(crate) fn folder(&self) -> Result<Option<PathBuf>, Failure> {
        let Some(path) = &self.report else { return Ok(None) };
        self.search()?;
        atomic::can_write(path).map_err(|source| FileError::at(path, source))?;
        Ok(Some(games_folder(path)))
    }

    /// The search that lost games are compared with.
    fn search(&self) -> Result<Option<InProcess>, Failure> {
        self.report_compare.as_deref().map(|text| view::searched("--report-compare", text)).transpose()
    }

    /// Writes the report of the games up to `last`. `failed` is why the run ended early.
    ///
    /// # Errors
    /// If a file can't be written.
    pub(crate) fn write(
        &self,
        tournament: &Tournament<'_>,
        last: u32,
        known: &[&dyn Contest],
        shown: Shown<'_>,
        failed: Option<&SeriesError>,
    ) -> Result<(), Failure> {
        match self.report {
            Some(_) => {
                let games = tournament.records(last)?;
                let results = Results::of(tournament, (last, &games), &shown, failed)?;
                self.write_results(&results, known, shown)
            }
            None => Ok(()),
        }
    }

    /// Writes the report of these results, if one is asked for.
    ///
    /// # Errors
    /// If a file can't be written.
    pub(crate) fn write_results(
        &self,
        results: &Results<'_>,
        known: &[&dyn Contest],
        shown: Shown<'_>,
    ) -> Result<(), Failure> {
        let Some(path) = &self.report else { return Ok(()) };
        if results.games.is_empty() {
            note(format_args!("no game was played: {} isn't written", path.display()));
            return Ok(());
        }
        let names = results.summary.bots.iter().map(|bot| bot.name.as_str()).collect::<Vec<_>>();
        let seen = ranked(&results.games, names.first().unwrap_or(&""));
        let pages = self.pages(path, results, &seen, &names, known)?;
        let (standings, test) = match shown {
            Shown::Comparison(test) => (None, test),
            Shown::Ratings(standings) => (Some(standings), None),
        };
        let between = if standings.is_none() { " against " } else { ", " };
        let run = Run {
            title: format!("{}: {}", results.contest, names.join(between)),
            state: results.state.clone(),
            command: command_line(),
            file: results.file.display().to_string(),
            samples: results.samples.clone(),
            is_evidence: results.is_evidence.clone(),
            grouping: results.grouping,
            summary: &results.summary,
            games: results.games.clone(),
            standings,
            test,
            pages,
        };
        write_page(path, &run_page::page(&run).map_err(Failure::new)?)?;
        say_where(path);
        Ok(())
    }

    /// Writes the pages of games; returns their addresses from the report. `names` are the run's bots, by colour.
    fn pages(
        &self,
        path: &Path,
        results: &Results<'_>,
        seen: &[Seen<'_>],
        names: &[&str],
        known: &[&dyn Contest],
    ) -> Result<BTreeMap<u32, GamePage>, Failure> {
        let folder = games_folder(path);
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let fail = |path: &Path| {
            let path = path.to_owned();
            move |source| FileError::at(&path, source)
        };
        fs::create_dir_all(&folder).map_err(fail(&folder))?;
        let mut stored = None;
        let mut pages = BTreeMap::new();
        let mut left_out = None;
        let search = self.search()?;
        let compared = self.report_compare.clone().unwrap_or_default();
        let bots = names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        let pages_count = seen.len().min(self.report_pages as usize);
        let mut progress = Progress::new();
        progress.begin(0, pages_count);
        for seen in seen.iter().take(pages_count) {
            progress.advance();
            let record = seen.record;
            let logs = results.log_dir.and_then(|folder| of_logs(folder, record));
            let source = logs.or_else(|| {
                let all = stored.get_or_insert_with(|| Found::look(&[results.file.to_owned()]).games);
                all.iter().find(|source| source.fields.game == Some(record.game.into())).cloned()
            });
            let opened = source.map(|mut source| {
                source.name = format!("game {}", record.game);
                open::open(&source, None, known)
            });
            match opened {
                None => {}
                Some(Ok((mut viewed, mut origin))) => {
                    viewed.colours = bot_colours::of_game(&viewed.bots, &bots);
                    viewed.viewpoint = names.iter().find_map(|name| viewed.seat_of(name)).unwrap_or(0);
                    if let Some(search) =
                        search.as_ref().filter(|_| seen.end == End::Lost && !process::interrupted())
                    {
                        view::ask(&mut viewed, &mut origin, search, known)?;
                        progress.update(format_args!("asking {compared}"));
                    }
                    let title = format!("{}: {}", outcome::title(&viewed), viewed.name);
                    let is_compared = viewed.turns.iter().any(|turn| turn.other.is_some());
                    let hint = open::hint(&viewed, &origin).filter(|_| !is_compared);
                    let heading = Heading { title, report: back(path), compared: compared.clone(), hint };
                    let commands = |_: usize, number: usize| open::commands(&viewed, &origin, number);
                    let text = page::page(std::slice::from_ref(&viewed), &heading, &commands);
                    let text = text.map_err(Failure::new)?;
                    write_page(&folder.join(format!("{}.html", record.game)), &text)?;
                    let losing = losing(&viewed, viewed.viewpoint).filter(|_| seen.end == End::Lost);
                    let page = GamePage {
                        address: format!("{}/{}.html", address(&name), record.game),
                        losing_turn: losing.map(|losing| (losing.turn, told(&viewed, &losing))),
                    };
                    pages.insert(record.game, page);
                }
                Some(Err(error)) => {
                    left_out.get_or_insert((record.game, error));
                }
            }
        }
        progress.end();
        if let Some((game, error)) = left_out {
            note(format_args!("game {game} has no page: {error}"));
        }
        Ok(pages)
    }
}

/// A losing turn in a table: its name, and how sure it is.
fn told(viewed: &Viewed, losing: &Losing) -> String {
    format!("{}, {}", viewed.label(losing.turn), losing.sureness.word())
}

/// The command that was given.
pub(crate) fn command_line() -> String {
    std::env::args().map(|word| shell_words::quote(&word).into_owned()).collect::<Vec<_>>().join(" ")
}

/// The report's address from the folder of the games.
fn back(path: &Path) -> String {
    format!("../{}", address(&path.file_name().unwrap_or_default().to_string_lossy()))
}

/// A file's name in an address.
fn address(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    name.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

fn games_folder(path: &Path) -> PathBuf {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{name}-games"))
}

/// Tells the user where a report is.
pub(crate) fn say_where(path: &Path) {
    note(format_args!("the report is {}: open it in a browser", path.display()));
}

/// Writes a page as a whole or not at all.
///
/// # Errors
/// If the file system refuses.
pub(crate) fn write_page(path: &Path, text: &str) -> Result<(), Failure> {
    Ok(atomic::write(path, text.as_bytes()).map_err(|source| FileError::at(path, source))?)
}

/// A game's logs, if they are there and of this game, not of another run.
fn of_logs(folder: &Path, record: &GameRecord) -> Option<Source> {
    let file = |end: &str| folder.join(format!("{}{end}", record.game));
    let [dialogue, json, referee] = [".p0.log", ".json", ".referee.json"].map(file);
    let first = [dialogue, json, referee].into_iter().find(|file| file.is_file())?;
    let source = Found::look(&[first]).games.into_iter().next()?;
    let fields = &source.fields;
    let is_same = fields.seed == record.seed
        && fields.moves.as_deref() == Some(record.moves.as_str())
        && fields.times_ms == record.times_ms
        && fields.bots.iter().map(|bot| &bot.command).eq(record.bots.iter().map(|bot| &bot.command));
    is_same.then_some(source)
}

/// How far the run is, as a sentence.
pub(crate) fn state(games: usize, last: u32, is_test: bool, failed: Option<&dyn Display>) -> String {
    let of = if games < last as usize && !is_test { format!(" of {last}") } else { String::new() };
    match failed {
        None => format!("{games}{of} games"),
        Some(error) => {
            let reason = error.to_string();
            let reason = reason.lines().next().unwrap_or_default();
            format!("{games}{of} games; the run isn't finished ({reason})")
        }
    }
}
