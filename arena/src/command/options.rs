//! Options shared by `match`, `sprt` and `rate`, and the set-up of a run from them.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::thread;

use contest::{utf8, Contest};
use sha2::{Digest, Sha256};

use crate::command::brutal::Players;
use crate::command::cluster::ClusterArgs;
use crate::command::game_options::{check_searches, GameOptions};
use crate::command::host::{HostArgs, Opened};
use crate::command::misuse::Misuse;
use crate::command::run_page::ReportArgs;
use crate::failure::Failure;
use crate::pool::league;
use crate::project::RUNS;
use coppice_referee::cluster::{self, Cluster, Games};
use coppice_referee::contests;
use coppice_referee::failure::FailureKind;
use coppice_referee::record::{games, BotRecord, GameRecord};
use coppice_referee::report::summary::Summary;
use coppice_referee::series::bot_name;
use coppice_referee::series::entrant::{name_all, split_name, Entrant};
use coppice_referee::series::host::Host;
use coppice_referee::series::machines::{Here, Machines};
use coppice_referee::series::shard::Shard;
use coppice_referee::series::tournament::{Settings, Tournament};
use coppice_referee::series::Series;
use coppice_referee::series::SeriesError;
use coppice_referee::text::note;
use coppice_referee::text::words;

/// The most bytes of a line of games.jsonl that tell the bots' names.
const MOST_LINE_BYTES: u64 = 1 << 24;

/// The options of a run of games.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct RunOptions {
    /// Number of concurrent games; default: the number of processors minus one (one bot of a game thinks at a time)
    #[arg(short, long, short_alias = 't', alias = "threads", value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..))]
    jobs: Option<u32>,
    /// Swap the seats: always done, accepted for compatibility with cg-brutaltester's command lines
    #[arg(short, long)]
    swap: bool,
    #[command(flatten)]
    games: GameOptions,
    /// The run's folder, whose games.jsonl holds the run; default: a folder in arena-games named by a digest of the
    /// bots and options
    #[arg(long, value_name = "DIR", overrides_with = "dir")]
    dir: Option<PathBuf>,
    /// Write each game's bot logs and record into this folder: GAME.p0.log, GAME.p1.log, GAME.json
    #[arg(short, long, value_name = "DIR")]
    log_dir: Option<PathBuf>,
    /// Play only part K of N of the plan, to share a run among N machines; `arena merge` joins the parts
    #[arg(long, value_name = "K/N", default_value_t = Shard::ALL, hide_default_value = true,
          conflicts_with_all = ["cluster", "worker"])]
    shard: Shard,
    #[command(flatten)]
    cluster: ClusterArgs,
    #[command(flatten)]
    pub report: ReportArgs,
    /// Don't stop (--pool: don't park a bot) when one fails in three of its first ten games, or later in more than a third
    #[arg(long)]
    keep_going: bool,
    /// Print the result as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// A run, and what plays its games.
pub(crate) type OpenRun<'a> = (Tournament<'a>, Box<dyn Machines>);

impl RunOptions {
    /// The run that these options describe, with its finished games, and what plays the missing ones. `lineups` are indices
    /// of the bots that meet; `None` means all of them in each game. `None` is returned if this process was a worker of the
    /// run: it has done its work.
    ///
    /// # Errors
    /// If a command line, the file of games or the log folder can't be used; a worker's errors.
    pub(crate) fn open<'a>(
        &self,
        args: &HostArgs,
        host: Host<'a>,
        texts: &[&str],
        lineups: Option<Vec<Vec<usize>>>,
    ) -> Result<Option<OpenRun<'a>>, Failure> {
        let bots = texts.iter().map(|text| Entrant::parse(text)).collect::<Result<_, _>>()?;
        let lines = texts.iter().map(|text| split_name(text).1.to_owned()).collect::<Vec<_>>();
        check_searches(host, &lines)?;
        let log_dir = log_folder(self.log_dir.as_deref(), &self.report)?;
        let series = self.games.series(args, host, bots)?;
        let series = Series {
            lineups: lineups.unwrap_or_else(|| series.lineups.clone()),
            rescores: !self.games.has_unused_seeds,
            files: log_dir.clone().filter(|_| host.contest().is_none()),
            ..series
        };
        let mut usual = default_folder(&series, self.shard);
        if self.games.has_unused_seeds {
            // The seeds of a match of these bots are used.
            usual.as_mut_os_string().push("-test");
        }
        let folder = self.dir.clone().unwrap_or(usual);
        let mut series = series;
        if !has_letters(&folder.join(games::FILE_NAME), series.bots.len()) {
            name_all(&mut series.bots);
        }
        if let Some(post) = self.cluster.post(&folder, self.jobs()) {
            cluster::work(&Games { series: &series, log_dir }, &post)?;
            return Ok(None);
        }
        let machines: Box<dyn Machines> =
            match self.cluster.settings(&folder, ("--dir", &folder), self.jobs())? {
                Some(settings) => Box::new(Cluster::new(settings)),
                None => Box::new(Here::new(self.jobs())),
            };
        let settings = Settings {
            file: folder.join(games::FILE_NAME),
            log_dir,
            shard: self.shard,
            keep_going: self.keep_going,
        };
        Ok(Some((Tournament::open(series, settings)?, machines)))
    }

    /// Whether `--seeds` is given.
    pub(crate) fn names_seeds(&self) -> bool {
        self.games.seeds.is_some()
    }

    /// These options for a test; see [`GameOptions::for_test`].
    ///
    /// # Errors
    /// Those of that function.
    pub(crate) fn for_test(&self, host: &HostArgs) -> Result<Self, Failure> {
        Ok(Self { games: self.games.for_test(host)?, ..self.clone() })
    }

    /// The number of concurrent games of this process or, in a cluster, of each worker.
    fn jobs(&self) -> usize {
        let usual = if self.cluster.is_given() { 1 } else { default_jobs() };
        self.jobs.map_or(usual, |jobs| jobs as usize)
    }

    /// How the games of a pool are played.
    ///
    /// # Errors
    /// If an option is given that a pool has its own of, or the log folder can't be written.
    pub(crate) fn for_pool(&self) -> Result<league::Settings, Failure> {
        let is_shared = self.shard != Shard::ALL || self.cluster.is_given();
        if !self.games.words().is_empty() || self.dir.is_some() || is_shared {
            return Err(Failure::usage(
                "a pool has its own seed, openings, limits and folder, the same for all its games (`arena pool new`), \
                 and neither shards nor a cluster: leave those options out"
                    .to_owned(),
            ));
        }
        let log_dir = log_folder(self.log_dir.as_deref(), &self.report)?;
        Ok(league::Settings { jobs: self.jobs(), log_dir, keep_going: self.keep_going })
    }
}

/// The folder of the dialogues, if they are stored: a report shows them.
///
/// # Errors
/// If it, or the report, can't be written.
pub(crate) fn log_folder(log_dir: Option<&Path>, report: &ReportArgs) -> Result<Option<PathBuf>, Failure> {
    let report_folder = report.folder()?;
    let folder = log_dir.map(Path::to_owned).or(report_folder);
    if let Some(path) = &folder {
        let fail = |source| SeriesError::LogDir { path: path.clone(), source };
        std::fs::create_dir_all(path).map_err(fail)?;
    }
    Ok(folder)
}

/// The default folder, named by a digest of the plan: the same command finds its games again.
pub(crate) fn default_folder(series: &Series<'_>, shard: Shard) -> PathBuf {
    let bots = (0..series.bots.len()).map(|bot| series.bot_record(bot)).collect::<Vec<_>>();
    let plan = (series.host.name(), series.run_record(), bots, &series.lineups);
    // Serializing strings and numbers can't fail.
    let text = serde_json::to_vec(&plan).unwrap_or_default();
    let digest = Sha256::digest(text);
    let hex = digest[..4].iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let contest = contests::file_name(series.host.name());
    let part = match shard {
        Shard::ALL => String::new(),
        shard => format!("-{}", shard.to_string().replace('/', "-of-")),
    };
    Path::new(RUNS).join(format!("{contest}-{hex}{part}"))
}

/// Whether a run's first game names its bots by letters, as all runs did once: such a run goes on with letters.
fn has_letters(file: &Path, bots: usize) -> bool {
    let Ok(file) = std::fs::File::open(file) else { return false };
    let mut line = Vec::new();
    let read = BufReader::new(file.take(MOST_LINE_BYTES)).read_until(b'\n', &mut line);
    let record = read.ok().and_then(|_| serde_json::from_slice::<GameRecord>(utf8::without_mark(&line)).ok());
    let is_letter = |bot: &BotRecord| (0..bots).any(|n| bot_name(n) == bot.name);
    record.is_some_and(|record| record.bots.iter().all(is_letter))
}

/// The contest or referee of a command line and its bots, given as positional arguments or as -p1, -p2, ...
///
/// # Errors
/// If bots are given in both ways, or if their number doesn't fit the contest.
pub(crate) fn open<'k, 'a>(
    known: &[&'k dyn Contest],
    host: &'a HostArgs,
    bots: &'a [String],
    players: &'a Players,
) -> Result<(Opened<'k>, Vec<&'a str>), Failure> {
    let (listed, numbered) = (host.bots(bots), players.texts());
    if !listed.is_empty() && !numbered.is_empty() {
        return Err(Misuse::BotsTwice.into());
    }
    let mut bots = if listed.is_empty() { numbered } else { listed };
    let opened = host.open_for(known, bots.len())?;
    // For single-player contests, two bots are compared.
    let seats = opened.host().seats().max(2);
    if let (2.., Some(&last), true) = (bots.len(), bots.last(), bots.len() < seats) {
        let first = bots.len();
        note(format_args!(
            "a game has {seats} seats and {first} bots are given: the last one, `{last}`, takes the other seats as well"
        ));
        bots.resize(seats, last);
    }
    if bots.len() == seats {
        return Ok((opened, bots));
    }
    Err(Misuse::wrong_bots(opened.host(), seats, bots.len()).into())
}

/// A mean share of the best known scores below which they may not be meant for this run.
const FAR_BEHIND: f64 = 0.5;

/// One job per processor, as one bot of a game thinks at a time, minus one for the referee and other programs.
pub fn default_jobs() -> usize {
    thread::available_parallelism().map_or(1, |cores| cores.get() - 1).max(1)
}

/// Checks that the number of games is a multiple of the group size; without one, rounds `usual` up.
///
/// # Errors
/// If the given number isn't a multiple.
pub(crate) fn whole_groups(given: Option<u32>, usual: u32, series: &Series<'_>) -> Result<u32, Failure> {
    let size = series.group_size();
    let rounded_up = |games: u32| games.div_ceil(size).saturating_mul(size);
    // A named seed is played once.
    let most = series.games_of_seeds().unwrap_or(u32::MAX);
    match given {
        None => Ok(series.games_of_seeds().unwrap_or_else(|| rounded_up(usual))),
        Some(games) if games > most => Err(Misuse::TooFewSeeds { games, most }.into()),
        Some(games) if games % size == 0 => Ok(games),
        Some(games) => Err(Misuse::NotWholeGroups { games, size, more: rounded_up(games) }.into()),
    }
}

/// Prints how to resume the run after an error, unless a bot kept failing, or the run couldn't begin.
pub(crate) fn print_resume_hint(tournament: &Tournament<'_>, last: u32, error: &SeriesError) {
    let kept = tournament.games(last).count();
    if matches!(error, SeriesError::KeepsFailing { .. })
        || kept == 0 && error.kind() != FailureKind::Interrupt
    {
        return;
    }
    let words = std::env::args().map(|word| words::quote(&word).into_owned()).collect::<Vec<_>>();
    let (file, noun) = (tournament.file().display(), tournament.series().host.noun());
    let _ = writeln!(
        std::io::stderr(),
        "{kept} {noun} are in {file}; to resume, repeat the same command:\n  {}",
        words.join(" ")
    );
}

/// Warns if openings are shorter than requested.
pub(crate) fn warn_of_short_openings(tournament: &Tournament<'_>, last: u32) {
    if let Some(text) = tournament.short_openings(last) {
        note(text);
    }
}

/// Warns if all bots are far behind the best known scores, which may be those of another scale or tester.
pub(crate) fn warn_of_best(summary: &Summary) {
    let shares = summary.bots.iter().map(|bot| bot.share).collect::<Option<Vec<_>>>().unwrap_or_default();
    if let Some(best) = shares.into_iter().reduce(f64::max).filter(|&best| best < FAR_BEHIND) {
        note(format_args!(
            "no bot of this run has more than {:.1} % of the best known scores on average: if the tester or the scale has changed \
             since they were written, remove the file (--best)",
            100.0 * best
        ));
    }
}

/// Warns if more than half of the games repeat another, and says what to do.
pub(crate) fn warn_of_repeats(tournament: &Tournament<'_>, last: u32) {
    let games = tournament.games(last);
    let (repeats, count) = (games.repeats(), games.count());
    if repeats * 2 > count {
        note(format_args!(
            "{repeats} of {count} games repeat another move by move, so the result carries less information than the \
             number of games suggests: {}",
            tournament.series().advice_against_repeats()
        ));
    }
}
