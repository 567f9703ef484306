//! `arena play`: referees games between the bots of the command line.

use std::fs;
use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use contest::Contest;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::command::allowance::AllowanceArgs;
use crate::command::finished::Finished;
use crate::command::game_options::{check_searches, seed};
use crate::command::host::HostArgs;
use crate::command::limits::LimitArgs;
use crate::command::live;
use crate::command::misuse::Misuse;
use crate::command::options::{default_folder, log_folder};
use crate::command::run_page::ReportArgs;
use crate::failure::Failure;
use crate::person::{self, People};
use coppice_referee::record::games::{self, GamesError, GamesFile};
use coppice_referee::record::GameRecord;
use coppice_referee::report::summary::{Summary, Tally};
use coppice_referee::series::entrant::{name_all, split_name, Entrant};
use coppice_referee::series::host::Host;
use coppice_referee::series::openings::Openings;
use coppice_referee::series::shard::Shard;
use coppice_referee::series::{self, runner, Fixture, Series};
use coppice_referee::text::terminal::Wrapping;
use coppice_referee::text::{note, readable};

/// Shorter runs show no progress.
const PROGRESS_AFTER: Duration = Duration::from_secs(1);

/// The arguments of `arena play`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    host: HostArgs,
    /// The bots' command lines, each quoted as one argument: split like a shell would, run without one;
    /// a path that names an existing file is taken as it is. `human` is a person at this terminal
    #[arg(value_name = "CMD")]
    pub bots: Vec<String>,
    /// Number of games; each opening is played with every rotation of the seats
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub games: u32,
    /// Begin the games in this position, in the contest's notation (`arena debug CONTEST`, then `position`, prints one)
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Number of random plies at the start of each game
    #[arg(long, value_name = "PLIES", default_value_t = 0)]
    pub openings: u32,
    /// Random seed of the games
    #[arg(short = 'i', long, value_name = "S", default_value_t = 1, value_parser = seed)]
    pub seed: u64,
    /// Number of concurrent games
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub jobs: u32,
    /// The run's folder: its games.jsonl holds the games, and the same command plays those that are missing there;
    /// default: a folder in arena-games if there is a report, otherwise none
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Write each game's bot logs and record into this folder: GAME.p0.log, GAME.p1.log, GAME.json
    #[arg(short, long, value_name = "DIR")]
    pub log_dir: Option<PathBuf>,
    /// Milliseconds added to each limit
    #[arg(long = "grace-ms", alias = "grace", value_name = "MS", default_value_t = 0)]
    pub grace: u32,
    /// Time limits of the answers
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Resource limits of a bot for a whole game
    #[command(flatten)]
    pub allowance: AllowanceArgs,
    /// Search that gives a person hints: in:SEARCH with its limits; default: the contest's first for half a second
    #[arg(long, value_name = "SEARCH")]
    pub hint: Option<String>,
    /// Print one JSON object per line: one for each game, then the summary
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    report: ReportArgs,
}

impl Args {
    /// Whether a person takes part.
    pub(crate) fn has_person(&self) -> bool {
        self.host.bots(&self.bots).into_iter().any(|bot| person::is_human(split_name(bot).1))
    }
}

/// Plays the games, printing each as soon as it is known, and their summary.
///
/// # Errors
/// If a bot can't be started or a file written, or after an interrupt; finished games are printed then too.
pub(crate) fn run(args: &Args, known: &[&dyn Contest], out: &mut dyn Write) -> Result<(), Failure> {
    let bots = args.host.bots(&args.bots);
    let opened = args.host.open_for(known, bots.len())?.at(args.position.as_deref())?;
    let mut series = series(args, &bots, opened.host())?;
    let log_dir = log_folder(args.log_dir.as_deref(), &args.report)?;
    series.files = log_dir.clone().filter(|_| series.host.contest().is_none());
    let is_stored = args.dir.is_some() || args.report.is_given() || args.report.live;
    let folder = is_stored.then(|| args.dir.clone().unwrap_or_else(|| default_folder(&series, Shard::ALL)));
    let file = folder.map(|folder| folder.join(games::FILE_NAME));
    let mut played = Played::open(args, &series, file.as_deref(), log_dir, out)?;
    let result = match (args.has_person(), &file) {
        (true, _) => with_people(args, &series, &mut played),
        (false, Some(file)) => live::during(args.report.live, file, known, || played.play(&series))?,
        (false, None) => played.play(&series),
    };
    played.report.end()?;
    // Windows refuses to read a file that is locked.
    drop(played);
    match file {
        Some(file) if fs::metadata(&file).is_ok_and(|file| file.len() > 0) => {
            Finished::read_up_to(args.games, &file, false)?.write(&args.report, known, None)?;
        }
        _ => args.report.note_nothing(),
    }
    result
}

/// The games of a command as they end: stored, printed and counted.
struct Played<'a> {
    file: Option<GamesFile>,
    log_dir: Option<PathBuf>,
    missing: Vec<Fixture>,
    jobs: usize,
    report: Report<'a>,
}

impl<'a> Played<'a> {
    /// Prints the games that are in the file already.
    ///
    /// # Errors
    /// If the file can't be used or has games of another run.
    fn open(
        args: &'a Args,
        series: &Series<'_>,
        file: Option<&Path>,
        log_dir: Option<PathBuf>,
        out: &'a mut dyn Write,
    ) -> Result<Self, Failure> {
        let mut report = Report::new(args, series, out);
        let mut missing = (1..=args.games).map(|game| series.fixture(game)).collect::<Vec<_>>();
        let Some(path) = file else {
            return Ok(Self { file: None, log_dir, missing, jobs: args.jobs as usize, report });
        };
        let (file, found) = GamesFile::open(path)?;
        for record in &found.records {
            series
                .belongs(record)
                .map_err(|difference| GamesError::Foreign { path: path.to_owned(), difference })?;
            if let Some(at) = missing.iter().position(|fixture| fixture.game == record.game) {
                report.game(&missing.remove(at), record)?;
            }
        }
        Ok(Self { file: Some(file), log_dir, missing, jobs: args.jobs as usize, report })
    }

    /// Plays the missing games.
    ///
    /// # Errors
    /// If a bot can't be started or a file written, or after an interrupt.
    fn play(&mut self, series: &Series<'_>) -> Result<(), Failure> {
        let (missing, jobs) = (std::mem::take(&mut self.missing), self.jobs);
        let play =
            |fixture: &Fixture| Ok(series.play(fixture).map(|finished| (fixture.clone(), finished))?);
        runner::run_all(&missing, &play, jobs, |(fixture, finished)| {
            self.add(&fixture, &finished).map(ControlFlow::Continue)
        })
    }

    fn add(&mut self, fixture: &Fixture, finished: &series::Finished) -> Result<(), Failure> {
        self.log_dir.as_ref().map_or(Ok(()), |folder| finished.write(folder))?;
        self.file.as_mut().map_or(Ok(()), |file| file.append(&finished.record))?;
        self.report.game(fixture, &finished.record)
    }
}

/// Plays games in which people take part, until one of them leaves. With `--json`, they see them on the standard error.
fn with_people(args: &Args, series: &Series<'_>, played: &mut Played<'_>) -> Result<(), Failure> {
    let Host::Contest(contest) = series.host else { return Err(Misuse::PeopleOutside.into()) };
    let mut people = People::new(contest, args.hint.as_deref())?;
    let mut errors = std::io::stderr();
    for fixture in std::mem::take(&mut played.missing) {
        let screen: &mut dyn Write = if args.json { &mut errors } else { &mut *played.report.out };
        let Some(finished) = people.play(series, contest, &fixture, screen)? else { break };
        played.add(&fixture, &finished)?;
    }
    Ok(())
}

fn series<'a>(args: &Args, bots: &[&str], host: Host<'a>) -> Result<Series<'a>, Failure> {
    if bots.len() != host.seats() {
        return Err(Misuse::wrong_bots(host, host.seats(), bots.len()).into());
    }
    let is_limited = args.grace > 0 || !args.limits.words().is_empty() || args.allowance.is_given();
    if host.contest().is_none() && (is_limited || args.openings > 0) {
        return Err(Misuse::Outside { options: "limits and openings" }.into());
    }
    let lines = bots.iter().map(|bot| split_name(bot).1);
    let programs = lines.filter(|line| !person::is_human(line)).map(str::to_owned);
    check_searches(host, &programs.collect::<Vec<_>>())?;
    let mut bots = bots.iter().map(|text| Entrant::parse(text)).collect::<Result<Vec<_>, _>>()?;
    name_all(&mut bots);
    Ok(Series {
        limits: args.limits.or(host.limits()),
        allowance: args.allowance.or(host.allowance()),
        grace: Duration::from_millis(args.grace.into()),
        seed: args.seed,
        openings: Openings::Random { plies: args.openings },
        ..args.host.set(Series::new(host, bots))
    })
}

/// One line of `--json`.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
enum JsonLine<'a> {
    Game(&'a GameRecord),
    Summary(&'a Summary),
}

/// Prints each game as soon as it is finished.
struct Report<'a> {
    args: &'a Args,
    out: &'a mut dyn Write,
    tally: Tally,
    start: Instant,
    bar: Option<ProgressBar>,
    said_short: bool,
}

impl<'a> Report<'a> {
    fn new(args: &'a Args, series: &Series, out: &'a mut dyn Write) -> Self {
        let bots = (0..series.bots.len()).map(|bot| series.bot_record(bot));
        let tally = Tally::new(series.host.name(), bots, series.grouping());
        Self { args, out, tally, start: Instant::now(), bar: None, said_short: false }
    }

    fn game(&mut self, fixture: &Fixture, record: &GameRecord) -> Result<(), Failure> {
        self.tally.add(record, &fixture.seating);
        let hidden = ProgressBar::hidden();
        self.bar.as_ref().unwrap_or(&hidden).suspend(|| print_game(record, self.args.json, self.out))?;
        self.warn_of_short_openings(record);
        self.show_progress();
        Ok(())
    }

    /// A contest plays fewer random plies than requested where the game would end.
    fn warn_of_short_openings(&mut self, record: &GameRecord) {
        let plies = record.opening_plies();
        if !self.said_short && plies < self.args.openings as usize {
            self.said_short = true;
            let (contest, asked) = (&record.contest, self.args.openings);
            note(format_args!(
                "openings of {asked} plies were asked for, but this one has {plies}: {contest} allows no more"
            ));
        }
    }

    fn show_progress(&mut self) {
        let is_long = self.args.games > 1 && self.start.elapsed() >= PROGRESS_AFTER;
        if is_long && self.bar.is_none() && std::io::stderr().is_terminal() {
            let bar = ProgressBar::new(self.args.games.into()).with_elapsed(self.start.elapsed());
            let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} games, {eta} left");
            self.bar = Some(style.map_or_else(|_| bar.clone(), |style| bar.clone().with_style(style)));
        }
        if let Some(bar) = &self.bar {
            bar.set_position(self.tally.games().into());
        }
    }

    fn end(&mut self) -> Result<(), Failure> {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        let summary = self.tally.summary();
        if summary.games == 0 {
            return Ok(());
        }
        if self.args.json {
            json_line(&JsonLine::Summary(&summary), self.out)?;
        } else if self.args.games > 1 {
            write!(self.out, "{summary}")?;
        }
        self.out.flush()?;
        Ok(())
    }
}

fn print_game(record: &GameRecord, json: bool, out: &mut dyn Write) -> Result<(), Failure> {
    if json {
        json_line(&JsonLine::Game(record), out)?;
    } else {
        writeln!(out, "{}", one_line(record))?;
        for fault in &record.faults {
            // If standard error is closed, the game's line still names the fault.
            let text = readable(&format!("game {}, {fault}", record.game));
            let _ = writeln!(Wrapping::new(std::io::stderr()), "{text}");
        }
    }
    Ok(out.flush()?)
}

fn json_line(line: &JsonLine, out: &mut dyn Write) -> Result<(), Failure> {
    let text = serde_json::to_string(line).map_err(std::io::Error::from)?;
    Ok(writeln!(out, "{text}")?)
}

fn one_line(record: &GameRecord) -> String {
    let seats = record.bots.iter().map(|bot| bot.name.as_str()).collect::<Vec<_>>().join(" v ");
    let scores = record.scores.iter().map(i64::to_string).collect::<Vec<_>>().join("-");
    let opening = if record.opening.is_empty() { "none" } else { &record.opening };
    let blame = |fault: &coppice_referee::game::fault::FaultReport| {
        format!("{} by {}{}", fault.ending, fault.bot, fault.place())
    };
    let ending = match record.faults.as_slice() {
        [] => record.ending.to_string(),
        faults => faults.iter().map(blame).collect::<Vec<_>>().join("; "),
    };
    let (game, moves) = (record.game, record.move_count());
    if record.run.referee.is_some() {
        return format!(
            "game {game}: {seats}, seed {}, scores {scores}, {ending}",
            record.seed_text.clone().unwrap_or_else(|| record.seed.cast_signed().to_string())
        );
    }
    let noun = if moves == 1 { "move" } else { "moves" };
    format!("game {game}: {seats}, opening {opening}, {moves} {noun}, scores {scores}, {ending}")
}
