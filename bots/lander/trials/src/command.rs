//! `arena lander`: flies Mars Lander cases and compares the fuel used with a lower bound.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{mpsc, Arc};
use std::thread;

use bots::lander::physics::flight::Judging;
use bots::lander::tools::contest::LANDER;
use contest::Contest;
use serde::Serialize;

use crate::cases::CaseArgs;
use crate::report::{self, FlightRecord};
use crate::summary::Summary;
use crate::svg;
use crate::trial::{Course, FlightResult, Rules, Task};
use coppice_arena::subcommand::{
    can_write, default_jobs, write_atomically, AllowanceArgs, FileError, LimitArgs, Progress,
};
use coppice_arena::{bot_name, Failure, Outcome, SeriesError};

/// The arguments of `arena lander`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The bots' command lines, each quoted as one argument; each flies everything. {seed} in them stands for the
    /// number of the run
    #[arg(required = true, value_name = "CMD")]
    pub bots: Vec<String>,
    /// The cases to fly
    #[command(flatten)]
    pub wanted: CaseArgs,
    /// Number of flights of each case, numbered from 1: give the bot `--seed {seed}`
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub runs: u32,
    /// Number of concurrent flights; default: the number of processors minus one
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub jobs: Option<u32>,
    /// Draw each flight: a single one into this file, several with -CASE, -RUN and -BOT before the extension as far as
    /// they differ. Plans of bots that print `plan ROTATE,POWER ROTATE,POWER ...` on their standard
    /// error, one line a turn from the turn's own order on (ours do), are drawn as they stood at a few turns
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Write the dialogues into this folder, as flight-CASE-RUN-BOT.p0.log as far as they differ
    #[arg(long, value_name = "DIR")]
    pub log_dir: Option<PathBuf>,
    /// Judge a landing by the exact speeds, at most 40 and 20 m/s, instead of by the whole numbers shown. Our bot plans for
    /// that with its own option --strict
    #[arg(long)]
    pub strict: bool,
    /// Time limits of the answers
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Resource limits of a bot for a flight
    #[command(flatten)]
    pub allowance: AllowanceArgs,
    /// Print one JSON object per line: one for each flight, then one for each bot's summary
    #[arg(long)]
    pub json: bool,
}

/// Flies everything, printing each flight in the order of the plan, and a summary of each bot.
///
/// # Errors
/// If a case is unknown, a bot can't be started or a file written, or after an interrupt: the flights until then are
/// printed all the same.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let tasks = plan(args)?;
    let rules = rules(args);
    let mut report = Report::new(args, tasks.len(), out);
    report.begin(&tasks)?;
    let flown = fly(tasks, &rules, args.jobs.map_or_else(default_jobs, |jobs| jobs as usize), |flown| {
        report.flight(&flown)
    });
    let outcome = report.end()?;
    flown.map(|()| outcome)
}

/// All flights: case by case, run by run, the bots side by side.
fn plan(args: &Args) -> Result<Vec<Task>, Failure> {
    let mut tasks = Vec::new();
    let judging = if args.strict { Judging::Strict } else { Judging::Rounded };
    for case in args.wanted.cases()? {
        let course = Arc::new(Course::new(case.judged(judging)));
        for run in 1..=args.runs {
            for (bot, command) in args.bots.iter().enumerate() {
                let task =
                    Task { course: Arc::clone(&course), bot: bot_name(bot), command: command.clone(), run };
                task.line()?;
                tasks.push(task);
            }
        }
    }
    Ok(tasks)
}

fn rules(args: &Args) -> Rules {
    Rules { limits: args.limits.or(LANDER.limits()), allowance: args.allowance.or(LANDER.allowance()) }
}

/// Flies `jobs` at once and hands the flights on in order.
fn fly(
    tasks: Vec<Task>,
    rules: &Rules,
    jobs: usize,
    mut take: impl FnMut(FlightResult) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (tasks, next, stopped) = (&tasks, &next, &stopped);
    thread::scope(|scope| {
        let (sender, results) = mpsc::channel();
        for _ in 0..jobs.clamp(1, tasks.len().max(1)) {
            let sender = sender.clone();
            let work = move || {
                while !stopped.load(Ordering::SeqCst) {
                    let index = next.fetch_add(1, Ordering::SeqCst);
                    let Some(task) = tasks.get(index) else { return };
                    if sender.send((index, task.clone().fly(rules))).is_err() {
                        return;
                    }
                }
            };
            thread::Builder::new().spawn_scoped(scope, work).map_err(SeriesError::Thread)?;
        }
        drop(sender);
        // Flights that ended before their turn to be printed.
        let mut waiting = std::collections::BTreeMap::new();
        let mut due = 0;
        for (index, result) in results {
            waiting.insert(index, result);
            while let Some(result) = waiting.remove(&due) {
                due += 1;
                if let Err(error) = result.map_err(Failure::from).and_then(&mut take) {
                    stopped.store(true, Ordering::SeqCst);
                    return Err(error);
                }
            }
        }
        Ok(())
    })
}

/// One line of `--json`.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
enum JsonLine<'a> {
    Flight(Box<FlightRecord<'a>>),
    Summary(&'a Summary),
}

/// Says what is known as soon as it is.
struct Report<'a> {
    args: &'a Args,
    out: &'a mut dyn Write,
    summaries: Vec<Summary>,
    progress: Progress,
    flights: usize,
    landed: usize,
}

impl<'a> Report<'a> {
    fn new(args: &'a Args, flights: usize, out: &'a mut dyn Write) -> Self {
        let summary = |(bot, command): (usize, &String)| Summary::new(&bot_name(bot), command);
        let summaries = args.bots.iter().enumerate().map(summary).collect();
        Self { args, out, summaries, progress: Progress::new(), flights, landed: 0 }
    }

    fn begin(&mut self, tasks: &[Task]) -> Result<(), Failure> {
        self.can_draw(tasks)?;
        if let Some(path) = &self.args.log_dir {
            let fail = |source| SeriesError::LogDir { path: path.clone(), source };
            fs::create_dir_all(path).map_err(fail)?;
        }
        self.progress.begin(0, self.flights);
        if !self.args.json {
            writeln!(self.out, "{}", report::HEADING)?;
        }
        Ok(self.out.flush()?)
    }

    /// Whether each drawing can be written, which is known before anything is flown.
    fn can_draw(&self, tasks: &[Task]) -> Result<(), Failure> {
        let Some(path) = &self.args.svg else { return Ok(()) };
        tasks.iter().try_for_each(|task| {
            let path = self.named(path, task);
            Ok(can_write(&path).map_err(|source| FileError::write(&path, source))?)
        })
    }

    fn flight(&mut self, flown: &FlightResult) -> Result<(), Failure> {
        if self.args.json {
            json_line(&JsonLine::Flight(Box::new(flown.into())), self.out)?;
        } else {
            writeln!(self.out, "{}", report::line(flown))?;
        }
        self.out.flush()?;
        if let Some(fault) = &flown.fault {
            self.progress
                .say(format_args!("case {}, run {}, {fault}", flown.task.course.case.name, flown.task.run));
        }
        if let Some(path) = &self.args.svg {
            let path = self.named(path, &flown.task);
            let written = write_atomically(&path, svg::draw(flown).as_bytes());
            written.map_err(|source| FileError::write(&path, source))?;
        }
        if let Some(folder) = &self.args.log_dir {
            let path = self.named(&folder.join("flight.p0.log"), &flown.task);
            flown.dialogue.write(&path).map_err(|source| FileError::write(&path, source))?;
        }
        if let Some(summary) = self.summaries.iter_mut().find(|summary| summary.bot == flown.task.bot) {
            summary.add(flown);
        }
        self.landed += usize::from(flown.has_landed());
        self.progress.advance();
        self.progress.update(format_args!("{} landed", self.landed));
        Ok(())
    }

    /// A file's name with what tells this flight from the others.
    fn named(&self, path: &Path, task: &Task) -> PathBuf {
        if self.flights == 1 {
            return path.to_owned();
        }
        let mut words = vec![task.course.case.name.clone()];
        if self.args.runs > 1 {
            words.push(task.run.to_string());
        }
        if self.args.bots.len() > 1 {
            words.push(task.bot.clone());
        }
        let words = words.join("-").replace(['/', '\\'], "-");
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // A log's extension has two parts.
        let (stem, extension) = name.split_once('.').unwrap_or((&name, ""));
        let dot = if extension.is_empty() { "" } else { "." };
        path.with_file_name(format!("{stem}-{words}{dot}{extension}"))
    }

    fn end(self) -> Result<Outcome, Failure> {
        self.progress.end();
        let summaries = self.summaries.into_iter().map(Summary::finished).collect::<Vec<_>>();
        let flown = summaries.iter().map(|summary| summary.flights).sum::<usize>();
        if self.args.json {
            for summary in &summaries {
                json_line(&JsonLine::Summary(summary), self.out)?;
            }
        } else if flown > 0 {
            writeln!(self.out, "{}", report::LEGEND)?;
            for summary in &summaries {
                write!(self.out, "{summary}")?;
            }
        }
        self.out.flush()?;
        match summaries.iter().all(Summary::is_flawless) {
            true => Ok(Outcome::Done),
            false => Ok(Outcome::NotProved),
        }
    }
}

fn json_line(line: &JsonLine<'_>, out: &mut dyn Write) -> Result<(), Failure> {
    let text = serde_json::to_string(line).map_err(std::io::Error::from)?;
    Ok(writeln!(out, "{text}")?)
}
