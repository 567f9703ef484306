//! Sets up a tuning run from its command line.

use std::path::{Path, PathBuf};
use std::time::Duration;

use contest::{self, Limits};
use sha2::{Digest, Sha256};

use crate::command::misuse::Misuse;
use crate::command::options::default_jobs;
use crate::failure::Failure;
use crate::tune::ask;
use crate::tune::log::{MethodName, Plan, RULES};
use coppice_referee::cluster;
use coppice_referee::contests;
use coppice_referee::game::in_process::InProcess;
use coppice_referee::process::command_line::CommandLine;
use coppice_referee::series::entrant::Entrant;
use coppice_referee::series::host::Host;
use coppice_referee::series::openings::Openings;
use coppice_referee::series::seeds::Seeds;
use coppice_referee::series::Series;
use coppice_referee::text::words;
use coppice_referee::text::{millis, program_name};
use coppice_stats::tuning::evolution;
use coppice_stats::tuning::method::{GAMES_A_TRIAL, PAIRS_A_TRIAL};
use coppice_stats::tuning::space::{Parameter, Space};
use coppice_stats::Scoring;

use super::args::Args;

/// The default folder of logs.
const TUNES: &str = "arena-tunes";

/// The log's name in the folder of `--dir`.
const LOG: &str = "tune.jsonl";

/// Minimum number of random plies in games without processes, unless bots play alone: their tasks differ by the seed.
const LEAST_OPENING_PLIES: u32 = 4;

/// The settings of a run.
pub(super) struct Setup<'a> {
    /// The host of the games.
    pub host: Host<'a>,
    /// The command line's contest or referee, for the proposed `arena sprt`.
    words: Vec<String>,
    scoring: Scoring,
    seeds: Option<Seeds>,
    /// The bot, without the tuned parameters.
    pub bot: Entrant,
    /// Parameters with a single value, which are left out.
    pub fixed: Vec<Parameter>,
    /// The log.
    pub log: PathBuf,
    /// The folder that a cluster's workers share, next to the log.
    pub folder: PathBuf,
    /// How the pairs are shared out, if they are.
    pub cluster: Option<cluster::Settings>,
    /// The log's first line.
    pub plan: Plan,
    /// The number of concurrent pairs, of this process or of each worker.
    pub jobs: usize,
    limits: Limits,
    grace: Duration,
    /// Options for the proposed `arena sprt`.
    options: String,
}

impl<'a> Setup<'a> {
    /// Asks the bot for its parameters and checks the options.
    ///
    /// # Errors
    /// If the bot doesn't list its parameters, or an option doesn't fit it or the contest.
    pub(super) fn new(args: &Args, host: Host<'a>, bot: &str) -> Result<Self, Failure> {
        let (name, seats) = (host.name().to_owned(), host.seats());
        let outside = host.contest().is_none();
        let is_limited = !args.limits.words().is_empty() || args.grace_ms > 0;
        if outside && (args.openings.is_some() || is_limited) {
            return Err(Misuse::Outside { options: "--openings and time limits" }.into());
        }
        if !args.games.is_multiple_of(GAMES_A_TRIAL) {
            return Err(Failure::usage(format!(
                "--games {}: a trial is {GAMES_A_TRIAL} games, so their number must be a multiple of {GAMES_A_TRIAL}",
                args.games
            )));
        }
        let bot = CommandLine::parse(bot)?;
        let bot =
            args.nodes.map_or(bot.clone(), |nodes| bot.with(&["--nodes".to_owned(), nodes.to_string()]));
        let bot = Entrant::from(bot);
        let is_in_process = InProcess::parse(&bot.line.to_string())?.is_some();
        if is_in_process && outside {
            return Err(Misuse::SearchesOutside.into());
        }
        let (parameters, fixed) = chosen(args, ask::parameters(host.contest(), &bot.line)?)?;
        let games = games(args, parameters.len())?;
        let plain = args.host.set_by_rank(Series::new(host, Vec::new()));
        let least = if is_in_process && seats > 1 { LEAST_OPENING_PLIES } else { 0 };
        let (limits, grace) = (args.limits.or(plain.limits), Duration::from_millis(args.grace_ms.into()));
        let usual_jobs = || if args.cluster.is_given() { 1 } else { default_jobs() };
        let jobs = args.jobs.map_or_else(usual_jobs, |jobs| jobs as usize);
        let pairs_at_once = args.cluster.workers().unwrap_or(1).saturating_mul(jobs as u32);
        let plan = Plan {
            rules: RULES,
            contest: name,
            referee: plain.run_record().referee,
            bot: bot.line.to_string(),
            hash: bot.hash.clone(),
            parameters,
            method: args.method,
            instances: args.instances,
            games,
            at_once: args.at_once.unwrap_or(pairs_at_once.div_ceil(PAIRS_A_TRIAL)),
            seed: args.seed,
            seeds: args.host.seeds(args.seeds.as_ref()).map(|seeds| seeds.to_string()),
            openings: args.openings.unwrap_or(plies_of(host, host.opening_plies().max(least))),
            first_ms: if is_in_process { 0.0 } else { millis(limits.first + grace) },
            later_ms: if is_in_process { 0.0 } else { millis(limits.later + grace) },
        };
        let (option, place, log) = match (&args.dir, &args.log) {
            (Some(dir), _) => ("--dir", dir.clone(), dir.join(LOG)),
            (None, Some(log)) => ("--log", log.clone(), log.clone()),
            (None, None) => ("--log", usual_log(&plan), usual_log(&plan)),
        };
        let folder = log.with_extension("cluster");
        let cluster = args.cluster.settings(&folder, (option, &place), jobs)?;
        let mut options = String::new();
        if !outside {
            options = format!(" --openings {}{}", plan.openings, args.limits.words());
        }
        if args.grace_ms > 0 {
            options += &format!(" --grace-ms {}", args.grace_ms);
        }
        let (words, scoring) = (args.host.words(), plain.scoring);
        Ok(Self {
            host,
            words,
            scoring,
            seeds: args.host.seeds(args.seeds.as_ref()),
            bot,
            fixed,
            log,
            folder,
            cluster,
            plan,
            jobs,
            limits,
            grace,
            options,
        })
    }

    /// The number of plies that openings have, if it is less than requested.
    pub(super) fn short_opening(&self) -> Option<u32> {
        let plies = plies_of(self.host, self.plan.openings);
        (plies < self.plan.openings).then_some(plies)
    }

    /// The parameters.
    pub(super) fn space(&self) -> Space {
        Space(self.plan.parameters.clone())
    }

    /// The bot with these values.
    pub(super) fn with(&self, values: &[f64]) -> Entrant {
        let given = self.space().given(values);
        let words: Vec<String> = given.into_iter().flat_map(|word| ["--param".to_owned(), word]).collect();
        Entrant { name: None, line: self.bot.line.with(&words), hash: self.bot.hash.clone() }
    }

    /// Games between two bots with these values.
    pub(super) fn series(&self, values: &[Vec<f64>; 2]) -> Series<'a> {
        let bots = values.iter().map(|values| self.with(values)).collect();
        let openings = Openings::Random { plies: self.plan.openings };
        let (limits, seed, scoring) = (self.limits, self.plan.seed, self.scoring);
        let seeds = self.seeds.clone();
        Series { limits, grace: self.grace, seed, seeds, openings, scoring, ..Series::new(self.host, bots) }
    }

    /// The command that tests these values against the start.
    pub(super) fn proof(&self, values: &[f64]) -> String {
        let space = self.space();
        let start = self.with(&space.0.iter().map(|parameter| parameter.start).collect::<Vec<_>>());
        let words = [program_name(), "sprt".to_owned()].into_iter().chain(self.words.iter().cloned());
        let words = words.collect::<Vec<_>>();
        // One with these values, and the start on every other seat.
        let others = self.host.seats().max(2) - 1;
        let bots = [self.with(values)].into_iter().chain(std::iter::repeat_n(start, others));
        let bots = bots.map(|bot| bot.line.to_string()).collect::<Vec<_>>();
        format!("{} --elo0 0 --elo1 10{}", words::join(words.iter().chain(&bots)), self.options)
    }
}

/// The number of games; with --epochs it follows from the population.
fn games(args: &Args, parameters: usize) -> Result<u32, Failure> {
    if args.method != MethodName::De && (args.instances.is_some() || args.epochs.is_some()) {
        return Err(Failure::usage(
            "--instances and --epochs are for differential evolution: add --method de".to_owned(),
        ));
    }
    let Some(epochs) = args.epochs else { return Ok(args.games) };
    let population = evolution::Options::of(args.instances, parameters).population as u32;
    let games = epochs.checked_mul(population).and_then(|trials| trials.checked_mul(GAMES_A_TRIAL));
    games.ok_or_else(|| {
        Failure::usage(format!("--epochs {epochs}: too many games for {population} instances"))
    })
}

/// Plies of an opening if `wanted` are requested: a contest may allow fewer.
fn plies_of(host: Host<'_>, wanted: u32) -> u32 {
    let Some(contest) = host.contest() else { return wanted };
    let setup = contest::Setup { seed: 0, opening_plies: wanted, limits: contest.limits() };
    contest.new_game(setup).moves().split_whitespace().count() as u32
}

/// The parameters to tune, with the options applied, and those that can't vary and that no option names.
fn chosen(args: &Args, mut parameters: Vec<Parameter>) -> Result<(Vec<Parameter>, Vec<Parameter>), Failure> {
    let names = parameters.iter().map(|parameter| parameter.name.clone()).collect::<Vec<_>>().join(", ");
    let unknown = |name: &str| Failure::usage(format!("the bot has no parameter {name}; it has: {names}"));
    let split = |text: &String| {
        let pair = text.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
        pair.ok_or_else(|| Failure::usage(format!("\"{text}\": expected NAME=VALUE or NAME=MIN..MAX")))
    };
    let bad = |text: &str, why: &dyn std::fmt::Display| Failure::usage(format!("{text}: {why}"));
    for text in &args.range {
        let (name, value) = split(text)?;
        let found = parameters.iter_mut().find(|p| p.name == name).ok_or_else(|| unknown(&name))?;
        let (min, max) = value.split_once("..").ok_or_else(|| bad(text, &"expected NAME=MIN..MAX"))?;
        let read = |text_of_number: &str| found.kind.read(text_of_number).map_err(|why| bad(text, &why));
        (found.min, found.max) = (read(min)?, read(max)?);
    }
    for text in &args.start {
        let (name, value) = split(text)?;
        let found = parameters.iter_mut().find(|p| p.name == name).ok_or_else(|| unknown(&name))?;
        found.start = found.kind.read(&value).map_err(|why| bad(text, &why))?;
    }
    for name in &args.params {
        parameters.iter().find(|p| p.name == *name).ok_or_else(|| unknown(name))?;
    }
    let is_chosen = |p: &Parameter| args.params.is_empty() || args.params.contains(&p.name);
    let (chosen, others): (Vec<_>, Vec<_>) = parameters.into_iter().partition(is_chosen);
    // A parameter that isn't tuned keeps the bot's value, so its start can't be set.
    if let Some(text) = args.start.iter().chain(&args.range).find(|text| {
        others.iter().any(|other| text.split_once('=').is_some_and(|(name, _)| name == other.name))
    }) {
        return Err(bad(
            text,
            &"--params leaves this parameter out; give its value in the bot's command line",
        ));
    }
    let is_given = |text: &String, name: &str| text.split_once('=').is_some_and(|(given, _)| given == name);
    let is_named = |p: &Parameter| {
        args.params.contains(&p.name)
            || args.start.iter().chain(&args.range).any(|text| is_given(text, &p.name))
    };
    let checked = |p: Parameter| p.clone().checked().map_err(|why| bad(&p.name, &why));
    if let Some(named) = chosen.iter().find(|p| !p.can_vary() && is_named(p)) {
        checked(named.clone())?;
    }
    // If none can vary, the first one is the error.
    let has_choice = chosen.iter().any(Parameter::can_vary);
    let (fixed, tuned): (Vec<_>, Vec<_>) = chosen.into_iter().partition(|p| has_choice && !p.can_vary());
    Ok((tuned.into_iter().map(checked).collect::<Result<_, _>>()?, fixed))
}

/// A log for each plan, so that the same command resumes its run and another doesn't.
fn usual_log(plan: &Plan) -> PathBuf {
    // The number of parallel trials depends on the machine, which may change. A run of earlier rules has the same name, so
    // that it is found, and resumed or refused.
    let plan = Plan { at_once: 1, rules: 0, ..plan.clone() };
    let digest = Sha256::digest(serde_json::to_vec(&plan).unwrap_or_default());
    let hex = digest[..4].iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    Path::new(TUNES).join(format!("{}-{hex}.jsonl", contests::file_name(&plan.contest)))
}
