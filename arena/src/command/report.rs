//! `arena report`: the page of a run or a pool, from the games that were played.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use contest::Contest;

use crate::command::finished::Finished;
use crate::command::games_csv::games_csv;
use crate::command::run_page::{write_page, ReportArgs};
use crate::command::sprt::TestOptions;
use crate::failure::Failure;
use crate::pool;
use crate::project::{last_folder, RUNS};
use coppice_pages::run_page;
use coppice_referee::record::games::{self, GamesError};
use coppice_referee::text::note;

/// The page's name in the folder of its run.
const PAGE: &str = "report.html";

/// Runs that a message names.
const MOST_NAMED: usize = 4;

/// The arguments of `arena report`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The folder of a run or a pool, or its games.jsonl; default: the last run in arena-games
    #[arg(value_name = "DIR")]
    run: Option<PathBuf>,
    /// Write to this file; - is the standard output [default: report.html in DIR, and the standard output for --json, --csv
    /// and --markdown]
    #[arg(short, long, value_name = "FILE", alias = "output")]
    out: Option<PathBuf>,
    /// Show the page in the browser
    #[arg(long)]
    open: bool,
    /// Write pages for at most N games: the first bot's worst losses first
    #[arg(long, value_name = "N", default_value_t = 200, alias = "report-pages")]
    pages: u32,
    /// On the pages of the first bot's lost games, show what this search of the program would have played: in:SEARCH with
    /// --nodes N or --ms N
    #[arg(long, value_name = "IN:SEARCH", alias = "report-compare")]
    compare: Option<String>,
    /// Instead of the page, write the statistics as one JSON object
    #[arg(long, group = "format")]
    json: bool,
    /// Instead of the page, write the games as comma-separated values, a line each
    #[arg(long, group = "format")]
    csv: bool,
    /// Instead of the page, write its tables in Markdown
    #[arg(long, group = "format")]
    markdown: bool,
    /// Test the games of two bots as `arena sprt` does, with the options below; default: the run's own test
    #[arg(long)]
    sprt: bool,
    #[command(flatten)]
    test: TestOptions,
}

/// A folder has no report.
#[derive(Debug, thiserror::Error)]
enum ReportError {
    /// It isn't there, or isn't a run's.
    #[error("{} {why}{}", .path.display(), known(.runs))]
    NoRun { path: PathBuf, why: &'static str, runs: Vec<PathBuf> },
    /// No run was played in this folder.
    #[error("no run was played here (there is no {RUNS}): name the folder of a run, that of its --dir")]
    NoRuns,
}

/// Names runs, after what was wrong.
fn known(runs: &[PathBuf]) -> String {
    let names = runs.iter().take(MOST_NAMED).map(|run| run.display().to_string()).collect::<Vec<_>>();
    let more = if runs.len() > MOST_NAMED { ", ..." } else { "" };
    match names.is_empty() {
        true => "; name the folder of a run, that of its --dir".to_owned(),
        false => format!("; there are {}{more}", names.join(", ")),
    }
}

/// Writes the page or what else is asked for, and prints its path.
///
/// # Errors
/// If there is no run, its games can't be read, or the output can't be written.
pub(crate) fn run(args: &Args, known: &[&dyn Contest], out: &mut dyn Write) -> Result<(), Failure> {
    let file = games_file(args.run.as_deref())?;
    let mut finished = Finished::read(&file)?;
    if args.sprt {
        finished.set_test(args.test.test()?)?;
    }
    let folder = file.parent().unwrap_or(Path::new("."));
    let is_page = !(args.json || args.csv || args.markdown);
    let default = is_page.then(|| folder.join(PAGE));
    let path = args.out.clone().or(default).filter(|path| path.as_os_str() != "-");
    let report = ReportArgs::new(path.clone().filter(|_| is_page), args.pages, args.compare.clone());
    report.folder()?;
    let mut run = finished.run(None)?;
    let text = if args.csv {
        games_csv(&run.games)
    } else if args.json {
        finished.json(&run)?
    } else if args.markdown {
        run_page::markdown(&run)
    } else {
        if let Some(path) = &path {
            report.add_games(path, &mut run, finished.log_dirs(), known)?;
        }
        run_page::page(&run).map_err(Failure::new)?
    };
    let Some(path) = path else {
        out.write_all(text.as_bytes())?;
        return Ok(out.flush()?);
    };
    write_page(&path, &text)?;
    writeln!(out, "{}", path.display())?;
    if args.open {
        if let Err(error) = ::open::that_detached(&path) {
            note(format_args!("no browser could be started ({error}): open {} yourself", path.display()));
        }
    }
    Ok(())
}

/// The file of games of a run: of this folder or file, or of the last run.
pub(crate) fn games_file(given: Option<&Path>) -> Result<PathBuf, Failure> {
    let Some(path) = given else {
        // Runs of before the last one's name was kept.
        let latest = || runs_in(Path::new(RUNS)).into_iter().next();
        let last = last_folder().map(PathBuf::from).filter(|folder| folder.is_dir()).or_else(latest);
        let file = last.map(|folder| folder.join(games::FILE_NAME));
        return file.ok_or_else(|| Failure::usage(ReportError::NoRuns));
    };
    let file = path.join(games::FILE_NAME);
    if path.is_file() || file.is_file() {
        return Ok(if path.is_file() { path.to_owned() } else { file });
    }
    if pool::is_in(path) {
        return Err(GamesError::Empty { paths: vec![path.to_owned()] }.into());
    }
    let why =
        if path.is_dir() { "has no games.jsonl, so it is neither a run nor a pool" } else { "isn't there" };
    let inner = runs_in(path);
    let runs = if inner.is_empty() { runs_in(Path::new(RUNS)) } else { inner };
    Err(Failure::usage(ReportError::NoRun { path: path.to_owned(), why, runs }))
}

/// The folders of runs in a folder, the latest first.
fn runs_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let time =
        |folder: &Path| fs::metadata(folder.join(games::FILE_NAME)).and_then(|file| file.modified()).ok();
    let runs = entries.filter_map(|entry| Some((time(&entry.path())?, entry.path())));
    let mut runs = runs.collect::<Vec<_>>();
    runs.sort();
    runs.into_iter().rev().map(|(_, folder)| folder).collect()
}
