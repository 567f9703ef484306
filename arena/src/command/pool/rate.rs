//! `arena rate --pool`: plays the games of a pool that teach most about its ratings.

use std::fmt;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use contest::Contest;
use serde::Serialize;

use crate::command::finished::Finished;
use crate::command::live;
use crate::command::run_notes::{Playing, Purpose};
use crate::command::run_page::ReportArgs;
use crate::failure::Failure;
use crate::pool::league::{League, Settings, Until};
use crate::pool::Pool;
use coppice_referee::game::fault::Ending;
use coppice_referee::record::BotRecord;
use coppice_referee::report::progress::Progress;
use coppice_referee::report::standings::Standings;
use coppice_referee::series::host::Host;
use coppice_referee::text::note;
use coppice_stats::rating::{Meetings, Ratings};

use super::setup::Plan;

/// The default number of games.
const GAMES: u32 = 100;

/// The heading of these options in the help.
const HEADING: &str = "Pool";

/// The options of `arena rate` for a pool.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct PoolOptions {
    /// Play on in this pool (`arena pool`): its bots meet where a game teaches most about the ratings. -n is the number of
    /// further games
    #[arg(long, value_name = "DIR", help_heading = HEADING)]
    pub pool: Option<PathBuf>,
    /// Play for this time, such as 30m or 8h, instead of a number of games
    #[arg(long = "for", value_name = "DURATION", requires = "pool", conflicts_with = "games",
          value_parser = |text: &str| humantime::parse_duration(text), help_heading = HEADING)]
    pub duration: Option<Duration>,
    /// Print the ratings in Markdown
    #[arg(long, requires = "pool", conflicts_with = "json", help_heading = HEADING)]
    pub markdown: bool,
}

/// Options of the run in addition to the pool's own.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Requested<'a> {
    /// The number of further games.
    pub games: Option<u32>,
    /// Whether the result is printed as JSON.
    pub json: bool,
    /// The page of the results.
    pub report: &'a ReportArgs,
}

/// Plays further games of a pool and prints its standings.
///
/// # Errors
/// If a bot has changed or can't be started, the games can't be written, or after an interrupt; the standings are printed
/// then too.
pub(crate) fn run(
    options: &PoolOptions,
    referee: &[String],
    settings: &Settings,
    how: &Requested<'_>,
    known: &[&dyn Contest],
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let folder = options.pool.clone().unwrap_or_default();
    let pool = Pool::open(&folder)?;
    let plan = Plan::of(&pool, referee)?;
    let opened = plan.open(known)?;
    for bot in pool.bots().iter().filter(|bot| !bot.retired) {
        let Some(reason) = &bot.parked else { continue };
        note(format_args!("{} is parked, {reason}; {}", bot.name, pool.advice_for_parked(&bot.name)));
    }
    check_number(&pool, opened.host()).map_err(Failure::usage)?;
    let mut league = plan.league(&pool, opened.host(), settings.log_dir.as_deref())?;
    let mut progress = Progress::new();
    league.prepare(&progress)?;
    let until = Until {
        games: how.games.or(options.duration.is_none().then_some(GAMES)),
        time: options.duration.map(|duration| Instant::now() + duration),
    };
    let names = pool.bots().iter().map(|bot| bot.name.clone()).collect();
    let games = (league.games().0 as usize, None);
    let log_dir = settings.log_dir.as_deref();
    let playing = Playing::begin_in(&pool.games_file(), games, Purpose::Rate, names, log_dir);
    let watch =
        |pool: &Pool, ratings: &Ratings, progress: &mut Progress| progress.update(Widest(pool, ratings));
    let play = || league.play(until, settings, &mut progress, watch);
    let played = live::during(how.report.live, &pool.games_file(), known, play)?;
    progress.end();
    playing.end_with(league.games().0 as usize, Vec::new());
    let report = Report::of(league.pool(), &league, &league.meetings());
    report.print(how.json, options.markdown, out)?;
    let number = check_number(league.pool(), opened.host());
    // Its own lock on the games must not look like another program's.
    drop(league);
    match report.games {
        0 => how.report.note_nothing(),
        _ if how.report.is_given() => {
            Finished::read(&pool.games_file())?.write(how.report, known, played.as_ref().err())?;
        }
        _ => {}
    }
    played?;
    number.map_err(Failure::new)
}

/// Checks that enough bots play for a game.
fn check_number(pool: &Pool, host: Host<'_>) -> Result<(), String> {
    let (given, needed) = (pool.bots().iter().filter(|bot| bot.plays()).count(), host.seats().max(2));
    if given >= needed {
        return Ok(());
    }
    Err(format!(
        "the pool in {} has {given} bots that play, and a game of {} needs {needed}: add some (arena pool add)",
        pool.folder().display(),
        host.name()
    ))
}

/// The bot that is least certain, for the progress line.
struct Widest<'a>(&'a Pool, &'a Ratings);

impl fmt::Display for Widest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bots = self.0.bots().iter().zip(0..).filter(|(bot, _)| bot.plays());
        let widest = bots.max_by(|a, b| self.1.rating(a.1).error().total_cmp(&self.1.rating(b.1).error()));
        let Some((bot, place)) = widest else { return Ok(()) };
        let rating = self.1.rating(place);
        write!(f, "least certain: {} {:+.0} +- {:.0} Elo", bot.name, rating.mean, rating.error())
    }
}

/// The standings of a pool.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    #[serde(flatten)]
    standings: Standings,
    games: u32,
    normal: u32,
    /// The bot on the site.
    on_site: Option<String>,
    /// The faults of each bot, by ending.
    faults: Vec<(String, Vec<(Ending, u32)>)>,
}

impl Report {
    /// The standings after these meetings.
    pub(crate) fn of(pool: &Pool, league: &League<'_>, meetings: &Meetings) -> Self {
        let record = |bot: &crate::pool::Member| BotRecord {
            name: bot.name.clone(),
            command: bot.shown_command(),
            hash: bot.hash.clone(),
        };
        let bots = pool.bots().iter().map(record).collect::<Vec<_>>();
        let (games, normal) = league.games();
        let faults = |place: usize| {
            let endings = league
                .endings(place)
                .iter()
                .filter(|(&ending, &count)| ending != Ending::Normal && count > 0);
            endings.map(|(&ending, &count)| (ending, count)).collect::<Vec<_>>()
        };
        let faults = pool.bots().iter().zip(0..).map(|(bot, place)| (bot.name.clone(), faults(place)));
        Self {
            standings: Standings::of(&bots, meetings),
            games,
            normal,
            on_site: pool.on_site().map(|site| site.bot.clone()),
            faults: faults.filter(|(_, faults)| !faults.is_empty()).collect(),
        }
    }

    /// The ratings.
    pub(crate) fn standings(&self) -> &Standings {
        &self.standings
    }

    /// Prints it as text, JSON or Markdown.
    ///
    /// # Errors
    /// If `out` can't be written.
    pub(crate) fn print(&self, json: bool, markdown: bool, out: &mut dyn Write) -> Result<(), Failure> {
        if json {
            let text = serde_json::to_string(self).map_err(std::io::Error::from)?;
            writeln!(out, "{text}")?;
        } else if markdown {
            write!(out, "{}", self.standings.markdown())?;
        } else {
            write!(out, "{self}")?;
        }
        Ok(out.flush()?)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.standings)?;
        writeln!(f, "endings: {} of {} normal", self.normal, self.games)?;
        for (bot, faults) in &self.faults {
            let faults = faults.iter().map(|(ending, count)| format!("{ending} {count}"));
            writeln!(f, "  faults of {bot}: {}", faults.collect::<Vec<_>>().join(", "))?;
        }
        self.on_site.iter().try_for_each(|bot| writeln!(f, "on the site: {bot}"))
    }
}
