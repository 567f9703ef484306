//! Options that change the games of a run: seed, openings, limits.

use std::path::PathBuf;
use std::time::Duration;

use contest::Contest;

use crate::command::allowance::AllowanceArgs;
use crate::command::host::HostArgs;
use crate::command::limits::LimitArgs;
use crate::command::misuse::{InvalidValue, Misuse};
use crate::failure::Failure;
use crate::person;
use coppice_referee::external::BestKnown;
use coppice_referee::game::in_process::{self, InProcess};
use coppice_referee::process::command_line::CommandLine;
use coppice_referee::series::entrant::Entrant;
use coppice_referee::series::host::Host;
use coppice_referee::series::openings::Openings;
use coppice_referee::series::seeds::{Seeds, SeedsError};
use coppice_referee::series::Series;
use coppice_referee::text::note;

/// The options that change the games of a run.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct GameOptions {
    /// Random seed of the games
    #[arg(short = 'i', long, value_name = "S", default_value_t = 1, value_parser = seed)]
    pub seed: u64,
    /// Seeds of the games instead, each played once: ranges and lists, such as 0-99,200, or a file of them; default with
    /// --tester: 0-99, in a test those with an input that no run has used
    #[arg(long, value_name = "LIST", conflicts_with = "seed", value_parser = seeds)]
    pub seeds: Option<Seeds>,
    /// Number of random plies at the start of each game; default: the contest's own (`arena contests`
    /// lists it)
    #[arg(long, value_name = "PLIES")]
    openings: Option<u32>,
    /// Choose the most even of eight random openings, as judged by a short search
    #[arg(long)]
    balance: bool,
    /// Play the openings in this file: one per line, with moves written as in games.jsonl
    #[arg(long, value_name = "FILE")]
    opening_file: Option<PathBuf>,
    /// Whether a test takes only seeds that no run has used.
    #[arg(skip)]
    pub has_unused_seeds: bool,
    #[command(flatten)]
    limits: LimitArgs,
    /// Milliseconds added to each limit
    #[arg(long, value_name = "MS", default_value_t = 0)]
    grace_ms: u32,
    #[command(flatten)]
    allowance: AllowanceArgs,
}

impl GameOptions {
    /// A series with these options.
    ///
    /// # Errors
    /// If the opening file can't be used, or an external referee can't follow an option.
    pub(crate) fn series<'a>(
        &self,
        args: &HostArgs,
        host: Host<'a>,
        bots: Vec<Entrant>,
    ) -> Result<Series<'a>, Failure> {
        if host.contest().is_none() {
            self.check_outside()?;
        }
        let plain = args.set(Series::new(host, bots));
        Ok(Series {
            limits: self.limits.or(plain.limits),
            allowance: self.allowance.or(host.allowance()),
            grace: Duration::from_millis(self.grace_ms.into()),
            seed: self.seed,
            seeds: args.seeds(self.seeds.as_ref()),
            openings: host.contest().map_or(Ok(Openings::default()), |contest| self.openings(contest))?,
            ..plain
        })
    }

    /// The options as words of a command line.
    pub(crate) fn words(&self) -> Vec<String> {
        let mut words = self.limits.words().split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let mut add = |name: &str, value: Option<String>| {
            words.extend(value.map(|value| format!("--{name}={value}")));
        };
        add("seed", (self.seed != 1).then(|| self.seed.to_string()));
        add("seeds", self.seeds.as_ref().map(Seeds::to_string));
        add("openings", self.openings.map(|plies| plies.to_string()));
        add("opening-file", self.opening_file.as_ref().map(|path| path.display().to_string()));
        add("grace-ms", (self.grace_ms > 0).then(|| self.grace_ms.to_string()));
        add("cpu-limit", self.allowance.cpu_limit.map(|limit| limit.as_secs_f64().to_string()));
        add("memory-limit", self.allowance.memory_limit.map(|mb| mb.to_string()));
        words.extend(self.balance.then(|| "--balance".to_owned()));
        words
    }

    /// These options for a test of a heuristic contest: seeds that no run has used, unless seeds are named.
    ///
    /// # Errors
    /// If the file of the best known scores can't be read, or no seed is left.
    pub(crate) fn for_test(&self, host: &HostArgs) -> Result<Self, Failure> {
        let Some(tester) = host.tester() else { return Ok(self.clone()) };
        let unused = tester.unused()?;
        let seeds = match &self.seeds {
            None => Seeds::new(unused),
            Some(named) => {
                let known = BestKnown::read(tester.best())?;
                let left = Seeds::new(named.all().iter().copied().filter(|&seed| !known.has(seed)));
                let used = named.all().len() - left.as_ref().map_or(0, |left| left.all().len());
                if used > 0 {
                    note(format_args!(
                        "{used} of the named seeds were used before, and don't count in a test"
                    ));
                }
                left
            }
        };
        let none = || {
            Failure::usage(format!(
                "no seed is left for a test: {} has the scores of all that could be taken. Name others (--seeds), make more inputs, \
                 or give a --generator",
                tester.best().display()
            ))
        };
        Ok(Self { seeds: Some(seeds.ok_or_else(none)?), has_unused_seeds: true, ..self.clone() })
    }

    /// Checks that no option is given that only a referee of this program can follow.
    fn check_outside(&self) -> Result<(), Failure> {
        let given = [
            (self.openings.is_some() || self.balance, "--openings and --balance"),
            (self.opening_file.is_some(), "--opening-file"),
            (
                !self.limits.words().is_empty() || self.grace_ms > 0,
                "--first-ms, --later-ms, --time-scale and --grace-ms",
            ),
            (self.allowance.is_given(), "--cpu-limit and --memory-limit"),
        ];
        match given.into_iter().find(|(is_given, _)| *is_given) {
            Some((_, options)) => Err(Misuse::Outside { options }.into()),
            None => Ok(()),
        }
    }

    fn openings(&self, contest: &dyn Contest) -> Result<Openings, Failure> {
        let plies = self.openings.unwrap_or(contest.opening_plies());
        match &self.opening_file {
            Some(_) if self.balance || self.openings.is_some() => Err(Misuse::OpeningsTwice.into()),
            Some(path) => Ok(Openings::read(path, contest)?),
            None if self.balance => Ok(Openings::Balanced { plies }),
            None => Ok(Openings::Random { plies }),
        }
    }
}

/// Checks that searches of this program, if some of the bots are such, are known, and that they can meet the programs
/// among the bots: a wrong parameter is an error before the first game.
///
/// # Errors
/// If one is unknown, or can't meet programs, or an external referee is to play with searches.
pub(crate) fn check_searches(host: Host<'_>, texts: &[String]) -> Result<(), Failure> {
    if texts.iter().any(|text| person::is_human(text)) {
        return Err(Misuse::PeopleOutside.into());
    }
    let searches = in_process::searches(texts)?;
    let meets_programs = searches.len() < texts.len();
    match host.contest() {
        Some(contest) => {
            for search in &searches {
                search.tunables(contest)?;
                if meets_programs {
                    search.check_served(contest)?;
                }
            }
            Ok(())
        }
        None if !searches.is_empty() => Err(Misuse::SearchesOutside.into()),
        None => Ok(()),
    }
}

/// The command line of a bot that plays a contest by its protocol: this program's own, if `bot` is one of its searches.
///
/// # Errors
/// If `bot` is not a command line, or the search is unknown or has no player by the protocol.
pub(crate) fn by_protocol(contest: &dyn Contest, bot: &str) -> Result<CommandLine, Failure> {
    let Some(search) = InProcess::parse(bot)? else { return Ok(CommandLine::parse(bot)?) };
    check_searches(Host::Contest(contest), &[bot.to_owned()])?;
    search.check_served(contest)?;
    Ok(InProcess::child(contest, bot, 0)?)
}

/// Reads the value of `--seeds`: a list, or the file that holds it.
///
/// # Errors
/// If it names no seeds.
pub(crate) fn seeds(text: &str) -> Result<Seeds, SeedsError> {
    match Seeds::parse(text) {
        Err(error) => match std::fs::read_to_string(text) {
            Ok(list) => Seeds::parse(&list),
            Err(_) => Err(error),
        },
        parsed => parsed,
    }
}

/// Reads the value of `--seed`.
///
/// # Errors
/// Reads a seed.
///
/// # Errors
/// If the text is not a 64-bit whole number.
pub(crate) fn seed(text: &str) -> Result<u64, InvalidValue> {
    text.parse().map_err(|_| format!("a seed is a whole number from 0 to {}", u64::MAX).into())
}
