//! `--report`: the results of a run as a page, and a page for each game beside it.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

use contest::Contest;

use crate::command::view;
use crate::failure::Failure;
use crate::project;
use coppice_pages::run_page::courses::Courses;
use coppice_pages::run_page::ranking::{End, Seen};
use coppice_pages::run_page::{self, ranked, GamePage, Run};
use coppice_pages::view::losing::{losing, Losing};
use coppice_pages::view::open::{OpenError, Origin};
use coppice_pages::view::page::{self, Heading};
use coppice_pages::view::template::Template;
use coppice_pages::view::{bot_colours, open, outcome, Viewed};
use coppice_referee::atomic::{self, FileError};
use coppice_referee::game::in_process::InProcess;
use coppice_referee::process;
use coppice_referee::record::{GameRecord, RunRecord};
use coppice_referee::replay::source::{Found, Source};
use coppice_referee::report::progress::Progress;
use coppice_referee::text::note;

/// The heading of these options in the help.
const HEADING: &str = "Report";

/// The options of a report.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct ReportArgs {
    /// Also write the results as a page to look at, after an interrupt too. Each game's page, and its logs without
    /// --log-dir, are in the folder FILE-games next to it
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Write pages for at most N games: the first bot's worst losses first
    #[arg(long, value_name = "N", default_value_t = 200, requires = "report", help_heading = HEADING)]
    report_pages: u32,
    /// On the pages of the first bot's lost games, show what this search of the program would have played: in:SEARCH with
    /// --nodes N or --ms N
    #[arg(long, value_name = "IN:SEARCH", requires = "report", help_heading = HEADING)]
    report_compare: Option<String>,
    /// Show the page while the games are played, at an address of this machine that no other can reach
    #[arg(long, help_heading = HEADING)]
    pub live: bool,
}

impl ReportArgs {
    /// A report into `path` with pages for at most `pages` games, its lost ones compared with a search.
    pub(crate) fn new(path: Option<PathBuf>, pages: u32, compare: Option<String>) -> Self {
        Self { report: path, report_pages: pages, report_compare: compare, live: false }
    }

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

    /// Writes the report of a run, if one is asked for.
    ///
    /// # Errors
    /// If a file can't be written.
    pub(crate) fn write(
        &self,
        mut run: Run<'_>,
        log_dirs: Vec<PathBuf>,
        known: &[&dyn Contest],
    ) -> Result<(), Failure> {
        let Some(path) = &self.report else { return Ok(()) };
        self.add_games(path, &mut run, log_dirs, known)?;
        write_page(path, &run_page::page(&run).map_err(Failure::new)?)?;
        say_where(path);
        Ok(())
    }

    /// Says that there is no report, if one is asked for.
    pub(crate) fn note_nothing(&self) {
        if let Some(path) = &self.report {
            note(format_args!("no game was played: {} isn't written", path.display()));
        }
    }

    /// Writes the pages of games, and adds to the run what is known from its games' moves.
    ///
    /// # Errors
    /// If a file can't be written.
    pub(crate) fn add_games(
        &self,
        path: &Path,
        run: &mut Run<'_>,
        log_dirs: Vec<PathBuf>,
        known: &[&dyn Contest],
    ) -> Result<(), Failure> {
        let first = run.summary.bots.first().map_or("", |bot| &bot.name);
        let seen = ranked(&run.games, first);
        run.courses = Courses::of(&seen, first, known);
        run.pages = self.pages(path, run, &seen, log_dirs, known)?;
        Ok(())
    }

    /// Writes the pages of games; returns their addresses from the report.
    fn pages(
        &self,
        path: &Path,
        run: &Run<'_>,
        seen: &[Seen<'_>],
        log_dirs: Vec<PathBuf>,
        known: &[&dyn Contest],
    ) -> Result<BTreeMap<u32, GamePage>, Failure> {
        let folder = games_folder(path);
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let fail = |path: &Path| {
            let path = path.to_owned();
            move |source| FileError::at(&path, source)
        };
        fs::create_dir_all(&folder).map_err(fail(&folder))?;
        let mut pages = BTreeMap::new();
        let mut left_out = None;
        let search = self.search()?;
        let pages_count = seen.len().min(self.report_pages as usize);
        let mut drawer = Drawer::new(run, log_dirs, known)?;
        drawer.log_dirs.push(folder.clone());
        let file = |number: u32| format!("{number}.html");
        let report = back(path);
        let write_game = |number: u32, opened: &Opened, neighbours: [&str; 2]| {
            write_page(&folder.join(file(number)), &opened.page(&report, neighbours)?)
        };
        let mut progress = Progress::new();
        progress.begin(0, pages_count);
        // A page waits for the next game that can be shown, to which it leads.
        let mut waiting: Option<(u32, Opened)> = None;
        let mut before = String::new();
        for seen in seen.iter().take(pages_count) {
            progress.advance();
            let search = search.as_ref().filter(|_| seen.end == End::Lost && !process::interrupted());
            if let Some(search) = search {
                progress.update(format_args!("asking {}", search.search));
            }
            let number = seen.record.game;
            match drawer.open(seen.record, search.zip(self.report_compare.as_deref()))? {
                None => {}
                Some(Ok(opened)) => {
                    let losing_turn = opened.losing_turn().filter(|_| seen.end == End::Lost);
                    let address = format!("{}/{number}.html", address(&name));
                    pages.insert(number, GamePage { address, losing_turn });
                    if let Some((number, waiting)) = waiting.replace((number, opened)) {
                        write_game(number, &waiting, [&before, &file(seen.record.game)])?;
                        before = file(number);
                    }
                }
                Some(Err(error)) => {
                    left_out.get_or_insert((number, error));
                }
            }
        }
        if let Some((number, waiting)) = waiting {
            write_game(number, &waiting, [&before, ""])?;
        }
        progress.end();
        if let Some((game, error)) = left_out {
            match pages.is_empty() {
                true => note(format_args!("no game has a page of its own: {error}")),
                false => note(format_args!("game {game} has no page: {error}")),
            }
        }
        Ok(pages)
    }
}

/// Draws the pages of a run's games.
pub(crate) struct Drawer<'a> {
    run: &'a Run<'a>,
    known: &'a [&'a dyn Contest],
    /// The folders in which logs may be.
    log_dirs: Vec<PathBuf>,
    /// All games of the file, once one of them was needed.
    stored: Option<Vec<Source>>,
    /// Boards of games without rules.
    template: Option<Template>,
}

/// A game to be drawn.
pub(crate) struct Opened {
    viewed: Viewed,
    origin: Origin,
    /// The search that it is compared with, as it was given; may be empty.
    compared: String,
}

impl Opened {
    /// The first bot's losing turn: its number and its name.
    fn losing_turn(&self) -> Option<(usize, String)> {
        let losing = losing(&self.viewed, self.viewed.viewpoint)?;
        Some((losing.turn, told(&self.viewed, &losing)))
    }

    /// The game's page, with the addresses of the report and of the games before and after it there; empty for none.
    ///
    /// # Errors
    /// If the template can't be filled in, which no game should cause.
    pub(crate) fn page(&self, report: &str, neighbours: [&str; 2]) -> Result<String, Failure> {
        let Self { viewed, origin, compared } = self;
        let is_compared = viewed.turns.iter().any(|turn| turn.other.is_some());
        let heading = Heading {
            title: format!("{}: {}", outcome::title(viewed), viewed.name),
            report: report.to_owned(),
            neighbours: neighbours.map(str::to_owned),
            compared: compared.clone(),
            hint: open::hint(viewed, origin).filter(|_| !is_compared),
        };
        let commands = |_: usize, number: usize| open::commands(viewed, origin, number);
        page::page(std::slice::from_ref(viewed), &heading, &commands).map_err(Failure::new)
    }
}

impl<'a> Drawer<'a> {
    /// Draws games whose logs may be in these folders.
    ///
    /// # Errors
    /// If the project's template of boards makes no sense.
    pub(crate) fn new(
        run: &'a Run<'a>,
        log_dirs: Vec<PathBuf>,
        known: &'a [&'a dyn Contest],
    ) -> Result<Self, Failure> {
        Ok(Self { run, known, log_dirs, stored: None, template: project::template()? })
    }

    /// Reads a game, compared with a search as it was given; `None` if its file has it no more.
    ///
    /// # Errors
    /// If the search can't be asked. The inner error says why the game can't be shown.
    pub(crate) fn open(
        &mut self,
        record: &GameRecord,
        search: Option<(&InProcess, &str)>,
    ) -> Result<Option<Result<Opened, OpenError>>, Failure> {
        let bots = self.run.summary.bots.iter().map(|bot| bot.name.clone()).collect::<Vec<_>>();
        let logs = self.log_dirs.iter().find_map(|folder| of_logs(folder, record));
        let source = logs.or_else(|| {
            let look = || Found::look(&[PathBuf::from(&self.run.file)]).games;
            let all = self.stored.get_or_insert_with(look);
            all.iter().find(|source| source.fields.game == Some(record.game.into())).cloned()
        });
        let Some(mut source) = source else { return Ok(None) };
        source.name = format!("game {}", record.game);
        let (mut viewed, mut origin) = match open::open(&source, None, self.known) {
            Ok(opened) => opened,
            Err(error) => return Ok(Some(Err(error))),
        };
        self.template.iter().for_each(|template| template.add_boards(&mut viewed));
        viewed.colours = bot_colours::of_game(&viewed.bots, &bots);
        viewed.viewpoint = bots.iter().find_map(|name| viewed.seat_of(name)).unwrap_or(0);
        if let Some((search, _)) = search {
            view::ask(&mut viewed, &mut origin, search, self.known)?;
        }
        let compared = search.map_or_else(String::new, |(_, text)| text.to_owned());
        Ok(Some(Ok(Opened { viewed, origin, compared })))
    }
}

/// A losing turn in a table: its name, and how sure it is.
fn told(viewed: &Viewed, losing: &Losing) -> String {
    format!("{}, {}", viewed.label(losing.turn), losing.sureness.word())
}

/// The settings that all games of a run share, as names and values.
pub(crate) fn settings(run: &RunRecord) -> Vec<(String, String)> {
    let has_limits = run.first_ms > 0.0 || run.later_ms > 0.0;
    let all = [
        ("referee", run.referee.as_ref().map(|referee| referee.command.clone())),
        // Named seeds follow from none.
        ("seed", Some(run.seed.to_string()).filter(|_| run.seed > 0 || run.referee.is_none())),
        ("openings", Some(run.openings.clone()).filter(|text| !text.is_empty() && run.referee.is_none())),
        ("limits", has_limits.then(|| limits(run.first_ms, run.later_ms))),
    ];
    all.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}

fn limits(first: f64, later: f64) -> String {
    if first == later {
        format!("{first} ms")
    } else {
        format!("{first} and {later} ms")
    }
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

/// The folder of a report's pages of games.
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
