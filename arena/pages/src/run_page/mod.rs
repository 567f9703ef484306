//! The page of a run's results: scores with their intervals, how they came about, and every game, the worst losses first.
//!
//! A script sorts and filters the games; tables, charts and links work without it. Each game's own page lies next to it.

mod attributes;
mod cases;
mod charts;
pub mod courses;
mod markdown;
pub mod ranking;
mod tables;

use std::collections::BTreeMap;

use minijinja::context;
use minijinja::value::Serde;
use serde::Serialize;

use crate::html;
use crate::svg::ink::Ink;
use coppice_referee::record::GameRecord;
use coppice_referee::report::standings::Standings;
use coppice_referee::report::summary::Summary;
use coppice_stats::{Grouping, Sprt};
use courses::Courses;
use ranking::Seen;

pub use markdown::markdown;

/// Games in the table: more would take a browser longer than a second.
const MOST_ROWS: usize = 1_000;

/// A run of games.
pub struct Run<'a> {
    /// The title.
    pub title: String,
    /// How far the run is.
    pub state: String,
    /// Date, machine, seed and other circumstances, each as a name and a value.
    pub about: Vec<(String, String)>,
    /// The command that played it; empty if that isn't known.
    pub command: String,
    /// The file that holds all games.
    pub file: String,
    /// The finished games, in the order of the plan.
    pub games: Vec<&'a GameRecord>,
    /// Their summary.
    pub summary: &'a Summary,
    /// The table of ratings.
    pub standings: Option<&'a Standings>,
    /// How games form samples.
    pub grouping: Grouping,
    /// The first bot's samples in the order of the plan, if two bots are compared.
    pub samples: Vec<f64>,
    /// Which of them are evidence for a test, and not repeats.
    pub is_evidence: Vec<bool>,
    /// The sequential test, and its verdict as a sentence.
    pub test: Option<(Sprt, String)>,
    /// The games' pages, by number.
    pub pages: BTreeMap<u32, GamePage>,
    /// The contest's quantities by turn.
    pub courses: Courses,
    /// The page's number, if a server renews it while the run is played: it then follows the events of `events?v=NUMBER`.
    pub live: Option<u64>,
}

/// A game's page.
#[derive(Debug, Clone, Default)]
pub struct GamePage {
    /// Address of the game's page.
    pub address: String,
    /// The number of the turn in which the first bot lost, and its name; none if it didn't, or that isn't known.
    pub losing_turn: Option<(usize, String)>,
}

impl Run<'_> {
    /// A bot's colour: that of its place on the command line, on all pages of the run.
    fn ink(&self, name: &str) -> Ink {
        Ink::Player(self.summary.bots.iter().position(|bot| bot.name == name).unwrap_or(0))
    }

    /// The name of a bot by its place on the command line.
    fn name_of(&self, bot: usize) -> &str {
        self.summary.bots.get(bot).map_or("", |bot| &bot.name)
    }
}

/// A figure with its heading and remark.
#[derive(Debug, Serialize)]
pub struct Figure {
    /// Heading.
    pub title: String,
    /// The drawing.
    pub svg: String,
    /// One sentence on what is shown.
    pub remark: String,
}

/// A table: its heading, the heads of its columns, its rows.
#[derive(Debug, Default, Serialize)]
pub struct Table {
    /// Heading.
    pub title: String,
    /// One sentence on what is shown.
    pub remark: String,
    /// The heads of its columns.
    pub head: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<Cell>>,
}

/// The table of games, with what its script sorts and filters by.
#[derive(Debug, Default, Serialize)]
struct GamesTable {
    title: String,
    remark: String,
    head: Vec<String>,
    rows: Vec<GameRow>,
    /// The bots' names; rows have indices into them.
    bots: Vec<String>,
    /// The names of endings; rows have indices into them.
    endings: Vec<String>,
}

/// A game's cells, and its filter keys as lists of numbers.
#[derive(Debug, Default, Serialize)]
struct GameRow {
    cells: Vec<Cell>,
    /// The bot on each seat.
    bots: String,
    /// How it ended for each seat: 0 lost, 1 drawn, 2 won.
    ends: String,
    /// The ending.
    ending: usize,
    /// The bots that failed.
    failed: String,
}

/// A cell of a table.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Cell {
    /// The text.
    pub text: String,
    /// A drawing in place of the text, made by this program.
    pub svg: String,
    /// An address.
    pub link: String,
    /// The style sheet's class: `n` for numbers, `c` for command lines, `good`, `bad`.
    pub class: String,
}

/// The first bot's games, the worst losses first; the games that other bots play after them.
pub fn ranked<'a>(games: &[&'a GameRecord], first: &str) -> Vec<Seen<'a>> {
    let groups = groups(games);
    let mut seen =
        games.iter().map(|record| Seen::of(record, first, &groups[&record.group])).collect::<Vec<_>>();
    ranking::sort(&mut seen);
    seen
}

/// The games of each group.
fn groups<'a>(games: &[&'a GameRecord]) -> BTreeMap<u32, Vec<&'a GameRecord>> {
    let mut groups = BTreeMap::<_, Vec<_>>::new();
    games.iter().for_each(|&record| groups.entry(record.group).or_default().push(record));
    groups
}

/// A page without games: what a tuning run found.
#[derive(Debug, Default)]
pub struct Sheet {
    /// The title.
    pub title: String,
    /// How far the run is.
    pub state: String,
    /// The command that played it.
    pub command: String,
    /// The verdict, as a sentence.
    pub verdict: String,
    /// The command that proves it; may be empty.
    pub proof: String,
    /// The file that holds the run.
    pub file: String,
    /// The tables, the first one above the figures.
    pub tables: Vec<Table>,
    /// The figures.
    pub figures: Vec<Figure>,
}

/// The page of a sheet.
///
/// # Errors
/// If the template can't be filled in, which no sheet should cause.
pub fn sheet(sheet: &Sheet) -> Result<String, minijinja::Error> {
    of_sheet(sheet, None)
}

/// The page of a run that is being played while it has no games; `live` is its number.
///
/// # Errors
/// If the template can't be filled in, which no text should cause.
pub fn waiting(state: &str, live: u64) -> Result<String, minijinja::Error> {
    let (title, state) = ("A run that has begun".to_owned(), state.to_owned());
    of_sheet(&Sheet { title, state, ..Sheet::default() }, Some(live))
}

fn of_sheet(sheet: &Sheet, live: Option<u64>) -> Result<String, minijinja::Error> {
    rendered(context! {
        live,
        title => sheet.title.as_str(),
        state => sheet.state.as_str(),
        command => sheet.command.as_str(),
        verdict => sheet.verdict.as_str(),
        proof => sheet.proof.as_str(),
        facts => Vec::<String>::new(),
        figures => minijinja::Value::from(Serde(&sheet.figures)),
        tables => minijinja::Value::from(Serde(&sheet.tables)),
        games => minijinja::Value::from(Serde(&GamesTable::default())),
        kept => "The results of all pairs",
        file => sheet.file.as_str(),
    })
}

fn rendered(values: minijinja::Value) -> Result<String, minijinja::Error> {
    let arena = coppice_referee::text::program_name();
    let js = include_str!("page.js");
    html::render(include_str!("page.html"), include_str!("page.css"), context! { arena, js, ..values })
}

/// The page.
///
/// # Errors
/// If the template can't be filled in, which no run should cause.
pub fn page(run: &Run<'_>) -> Result<String, minijinja::Error> {
    let first = run.summary.bots.first().map_or("", |bot| bot.name.as_str());
    let seen = ranked(&run.games, first);
    let tables = tables::all(run);
    rendered(context! {
        title => run.title.as_str(),
        state => run.state.as_str(),
        about => &run.about,
        live => run.live,
        command => run.command.as_str(),
        facts => tables::facts(run),
        verdict => run.test.as_ref().map(|(_, verdict)| verdict.as_str()),
        figures => minijinja::Value::from(Serde(&charts::all(run))),
        tables => minijinja::Value::from(Serde(&tables)),
        games => minijinja::Value::from(Serde(&tables::games(run, &seen[..seen.len().min(MOST_ROWS)]))),
        left_out => seen.len().saturating_sub(MOST_ROWS),
        kept => "All games",
        file => run.file.as_str(),
    })
}

/// The share of the others in a game that a bot beat, ties counted half; `None` if it didn't play or played alone.
fn score(record: &GameRecord, name: &str) -> Option<f64> {
    let seat = record.bots.iter().position(|bot| bot.name == name)?;
    let points = record.points();
    let others = points.len().checked_sub(1).filter(|&others| others > 0)?;
    let mine = *points.get(seat)?;
    let beaten = points.iter().filter(|&&other| other < mine).count() as f64;
    let equal = points.iter().filter(|&&other| other == mine).count() as f64 - 1.0;
    Some((beaten + equal / 2.0) / others as f64)
}

#[cfg(test)]
mod tests;
