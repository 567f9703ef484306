//! The arguments of `arena tune`.

use std::path::PathBuf;

use crate::command::cluster::ClusterArgs;
use crate::command::game_options::{seed, seeds};
use crate::command::host::HostArgs;
use crate::command::limits::LimitArgs;
use crate::tune::log::MethodName;
use coppice_referee::series::seeds::Seeds;

/// The arguments of `arena tune`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(super) host: HostArgs,
    /// The bot's command line, quoted as one argument, or in:SEARCH for a search of this program
    #[arg(value_name = "BOT")]
    pub(super) bots: Vec<String>,
    /// Number of games, a multiple of four: a trial is two pairs. A tenth more is played at the end, between the result
    /// and the start
    #[arg(short = 'n', long, value_name = "N", default_value_t = 4000,
          value_parser = clap::value_parser!(u32).range(4..))]
    pub(super) games: u32,
    /// The tuning method
    #[arg(long, value_enum, default_value_t = MethodName::Spsa)]
    pub(super) method: MethodName,
    /// Differential evolution: size of the population [default: four for each parameter, 8 to 40]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(4..=10_000))]
    pub(super) instances: Option<u32>,
    /// Differential evolution: generations, instead of --games; in each, every instance plays one trial of four games
    #[arg(long, value_name = "N", conflicts_with = "games", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) epochs: Option<u32>,
    /// Tune only these parameters; the others stay as they are
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',')]
    pub(super) params: Vec<String>,
    /// Override a parameter's start value; may be given several times
    #[arg(long, value_name = "NAME=VALUE")]
    pub(super) start: Vec<String>,
    /// Override a parameter's range; may be given several times
    #[arg(long, value_name = "NAME=MIN..MAX")]
    pub(super) range: Vec<String>,
    /// Node budget per move: adds --nodes N to the bot's command line
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) nodes: Option<u64>,
    /// Number of concurrent pairs of games; default: the number of processors minus one, or 1 for each worker of a cluster
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) jobs: Option<u32>,
    /// SPSA: number of trials, of two pairs each, from the same point; default: as many as can be played at a time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(super) at_once: Option<u32>,
    /// Random seed
    #[arg(short = 'i', long, value_name = "S", default_value_t = 1, value_parser = seed)]
    pub(super) seed: u64,
    /// Seeds among which each pair's is drawn: ranges and lists, or a file of them; default with --tester: 0-99
    #[arg(long, value_name = "LIST", value_parser = seeds)]
    pub(super) seeds: Option<Seeds>,
    /// Number of random plies at the start of each game; default: the contest's own, and at least four in games
    /// of several without processes
    #[arg(long, value_name = "PLIES")]
    pub(super) openings: Option<u32>,
    #[command(flatten)]
    pub(super) limits: LimitArgs,
    /// Milliseconds added to each limit
    #[arg(long, value_name = "MS", default_value_t = 0)]
    pub(super) grace_ms: u32,
    /// The run's folder, whose tune.jsonl is the log; default: a log in arena-tunes named by a digest of the bot and the
    /// options
    #[arg(long, value_name = "DIR", overrides_with_all = ["dir", "log"])]
    pub(super) dir: Option<PathBuf>,
    /// The log file: now --dir
    #[arg(long, value_name = "FILE", overrides_with_all = ["dir", "log"], hide = true)]
    pub(super) log: Option<PathBuf>,
    #[command(flatten)]
    pub(super) cluster: ClusterArgs,
    /// Also write the result as a page to look at, after an interrupt too
    #[arg(long, value_name = "FILE.html")]
    pub(super) report: Option<PathBuf>,
    /// Print the bot's parameters in OpenBench's format without playing
    #[arg(long)]
    pub(super) print_spsa: bool,
    /// Print the result as one JSON object
    #[arg(long)]
    pub(super) json: bool,
}
