//! `arena tune`: tunes a bot's parameters by playing games.

mod report;
mod setup;
mod table;

use std::io::Write;
use std::path::PathBuf;

use contest::Contest;

use crate::command::options::LIMIT_MS;
use crate::error::ArenaError;
use crate::report::progress::Progress;
use crate::series::tournament::note;
use crate::tune::log::{MethodName, Plan, TuneLog};
use crate::tune::search::{Search, Unplanned};

use report::Report;
use setup::Setup;

/// The arguments of `arena tune`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The contest's name; `arena contests` lists them
    pub contest: String,
    /// The bot's command line, quoted as one argument, or in:SEARCH for a search of this program
    #[arg(value_name = "BOT")]
    bot: String,
    /// Number of games, a multiple of four: a trial is two pairs
    #[arg(short = 'n', long, value_name = "N", default_value_t = 4000,
          value_parser = clap::value_parser!(u32).range(4..))]
    games: u32,
    /// The tuning method
    #[arg(long, value_enum, default_value_t = MethodName::Spsa)]
    method: MethodName,
    /// Tune only these parameters; the others stay as they are
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',')]
    params: Vec<String>,
    /// Override a parameter's start value; may be given several times
    #[arg(long, value_name = "NAME=VALUE")]
    start: Vec<String>,
    /// Override a parameter's range; may be given several times
    #[arg(long, value_name = "NAME=MIN..MAX")]
    range: Vec<String>,
    /// Node budget per move: adds --nodes N to the bot's command line
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Number of concurrent pairs of games; default: the number of processors minus one
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    jobs: Option<u32>,
    /// Random seed
    #[arg(short = 'i', long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Number of random plies at the start of each game; default: the contest's own, and at least four in games
    /// without processes
    #[arg(long, value_name = "PLIES")]
    openings: Option<u32>,
    /// Milliseconds for each bot's first answer, 1 to 86400000, instead of the contest's
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u32).range(LIMIT_MS))]
    first_ms: Option<u32>,
    /// Milliseconds for every other answer, 1 to 86400000, instead of the contest's
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u32).range(LIMIT_MS))]
    later_ms: Option<u32>,
    /// The log file of the run; default: a file in arena-tunes named by a digest of the bot and the options
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Print the bot's parameters in OpenBench's format without playing
    #[arg(long)]
    print_spsa: bool,
    /// Print the result as one JSON object
    #[arg(long)]
    json: bool,
}

/// Plays the games, or what is left of them, and prints what they come to.
///
/// # Errors
/// If the bot can't be asked or started, the options don't fit it, the log can't be kept, or after an interrupt: what
/// is known is printed then too.
pub fn run(args: &Args, contest: &dyn Contest, out: &mut dyn Write) -> Result<(), ArenaError> {
    let setup = Setup::new(args, contest)?;
    if args.print_spsa {
        let space = setup.space();
        let lines = space.open_bench(&space.values(&space.start()));
        lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
        return Ok(out.flush()?);
    }
    if let Some(plies) = setup.short_opening() {
        let Plan { openings, contest, .. } = &setup.plan;
        note(format_args!(
            "openings of {openings} plies were asked for, but the first has {plies}: {contest} allows no more"
        ));
    }
    let (mut log, found) = TuneLog::open(&setup.log, &setup.plan)?;
    if found.cut_bytes > 0 {
        note(format_args!(
            "half a line at the end of {} is taken off: the program was killed while it wrote a pair",
            setup.log.display()
        ));
    }
    let mut search = Search::new(&found.plan);
    search.replay(found.pairs).map_err(|unplanned| setup.foreign(&unplanned))?;
    let mut progress = Progress::new();
    progress.begin(search.games() as usize, found.plan.games as usize);
    let played = play(&setup, &mut search, &mut log, &mut progress);
    progress.end();
    Report::new(&setup, &search).print(args.json, out)?;
    if let Err(error) = &played {
        print_resume_hint(&setup, &search, error);
    }
    played
}

/// Plays round after round.
fn play(
    setup: &Setup<'_>,
    search: &mut Search,
    log: &mut TuneLog,
    progress: &mut Progress,
) -> Result<(), ArenaError> {
    let mut failures = table::Failures::default();
    search.pairs().for_each(|pair| failures.add(pair));
    loop {
        failures.check(setup)?;
        let pairings = search.pairings();
        if pairings.is_empty() {
            return Ok(());
        }
        table::play(setup, &pairings, |pair| {
            log.append(&pair)?;
            failures.add(&pair);
            pair.faults.iter().for_each(|fault| progress.say(format_args!("trial {}: {fault}", pair.trial)));
            search.take(pair).map_err(|unplanned| setup.foreign(&unplanned))?;
            progress.advance();
            progress.advance();
            progress.update(search.space().given(&search.answer()).join(" "));
            Ok(())
        })?;
    }
}

/// Prints how to resume the run after an error.
fn print_resume_hint(setup: &Setup<'_>, search: &Search, error: &ArenaError) {
    if matches!(error, ArenaError::TuneFails { .. }) {
        return;
    }
    let words = std::env::args().map(|word| shell_words::quote(&word).into_owned()).collect::<Vec<_>>();
    let _ = writeln!(
        std::io::stderr(),
        "{} games are in {}; to resume, repeat the same command:\n  {}",
        search.games(),
        setup.log.display(),
        words.join(" ")
    );
}

impl Setup<'_> {
    /// A pair in the log that the plan doesn't lead to.
    fn foreign(&self, unplanned: &Unplanned) -> ArenaError {
        let (path, difference) = (self.log.clone(), unplanned.to_string());
        crate::tune::log::LogError::Foreign { path, difference }.into()
    }
}
