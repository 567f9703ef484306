//! `arena tune`: tunes a bot's parameters by playing games.

mod args;
mod error;
mod page;
mod pairs;
mod report;
mod setup;

use std::io::Write;

use contest::Contest;

use crate::failure::Failure;
use crate::tune::log::{LogError, Plan, TuneLog, RULES};
use crate::tune::search::{check_games, Search, Unplanned};
use coppice_referee::atomic::{self, FileError};
use coppice_referee::cluster;
use coppice_referee::report::progress::Progress;
use coppice_referee::series::entrant::split_name;
use coppice_referee::text::note;
use coppice_referee::text::words;
use coppice_stats::tuning::space::Parameter;

pub(crate) use args::Args;
pub(crate) use error::TuneError;
use pairs::Machines;
use report::Report;
use setup::Setup;

/// Plays the remaining games and prints the result.
///
/// # Errors
/// If the bot can't be asked or started, the options don't fit it, the log can't be written, or after an interrupt; the
/// result so far is printed then too.
pub(crate) fn run(args: &Args, known: &[&dyn Contest], out: &mut dyn Write) -> Result<(), Failure> {
    let bots = args.host.bots(&args.bots);
    let &[bot] = bots.as_slice() else {
        let given = bots.len();
        return Err(Failure::usage(format!(
            "one bot is tuned at a time, but {given} command lines were given"
        )));
    };
    if let Some(log) = args.log.as_ref().filter(|_| !args.cluster.is_worker()) {
        note(format_args!(
            "--log {} still works; as in the other commands, --dir DIR names the run's folder now, with the log in it",
            log.display()
        ));
    }
    let (_, bot) = split_name(bot);
    let opened = args.host.open(known, |_| 2, 1)?;
    if let Some(path) = args.report.as_ref().filter(|_| !args.cluster.is_worker()) {
        atomic::can_write(path).map_err(|source| FileError::at(path, source))?;
    }
    let setup = Setup::new(args, opened.host(), bot)?;
    for Parameter { name, min, .. } in &setup.fixed {
        note(format_args!(
            "{name} isn't tuned: its range has one value, {min}; --range {name}=MIN..MAX widens it"
        ));
    }
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
    if let Some(post) = args.cluster.post(&setup.folder, setup.jobs) {
        return Ok(cluster::work(&setup, &post)?);
    }
    let (mut log, found) = TuneLog::open(&setup.log, &setup.plan)?;
    if found.cut_bytes > 0 {
        note(format_args!(
            "half a line at the end of {} is taken off: the program was killed while it wrote a pair",
            setup.log.display()
        ));
    }
    let mut search = Search::new(&found.plan);
    search.replay(found.pairs).map_err(|unplanned| setup.foreign(&unplanned, found.plan.rules))?;
    let mut progress = Progress::new();
    progress.begin(search.all_games(), (found.plan.games + check_games(&found.plan)) as usize);
    let mut machines = Machines::new(&setup)?;
    let played = play(&setup, &mut machines, &mut search, &mut log, &mut progress);
    let ended = machines.end();
    progress.end();
    let report = Report::new(&setup, &search, ended.as_deref().unwrap_or_default());
    report.print(args.json, out)?;
    if let Some(path) = args.report.as_deref().filter(|_| search.games() > 0) {
        page::write(path, &report, &search, played.as_ref().err().map(|error| error as _))?;
    }
    if let Err(error) = &played {
        print_resume_hint(&setup, &search, error);
    }
    Ok(played.and(ended.map(|_| ()))?)
}

/// Plays one round after another.
fn play(
    setup: &Setup<'_>,
    machines: &mut Machines<'_>,
    search: &mut Search,
    log: &mut TuneLog,
    progress: &mut Progress,
) -> Result<(), TuneError> {
    let mut failures = pairs::Failures::default();
    search.pairs().chain(search.checks()).for_each(|pair| failures.add(pair));
    loop {
        failures.check(setup)?;
        let pairings = search.pairings();
        if pairings.is_empty() {
            return Ok(());
        }
        machines.play(pairings, &mut |pair| {
            log.append(&pair)?;
            failures.add(&pair);
            pair.faults.iter().for_each(|fault| progress.say(format_args!("trial {}: {fault}", pair.trial)));
            search.take(pair).map_err(|unplanned| setup.foreign(&unplanned, RULES))?;
            progress.advance();
            progress.advance();
            progress.update(search.space().given(&search.answer()).join(" "));
            Ok(())
        })?;
    }
}

/// Prints how to resume the run after an error.
fn print_resume_hint(setup: &Setup<'_>, search: &Search, error: &TuneError) {
    if matches!(error, TuneError::Fails { .. }) {
        return;
    }
    let words = std::env::args().map(|word| words::quote(&word).into_owned()).collect::<Vec<_>>();
    let _ = writeln!(
        std::io::stderr(),
        "the results of {} games are in {}; to resume, repeat the same command:\n  {}",
        search.all_games(),
        setup.log.display(),
        words.join(" ")
    );
}

impl Setup<'_> {
    /// The error for a pair in a log of these rules that isn't in the plan.
    fn foreign(&self, unplanned: &Unplanned, rules: u32) -> LogError {
        let (path, difference) = (self.log.clone(), unplanned.to_string());
        match rules {
            RULES => LogError::Foreign { path, difference },
            _ => LogError::Earlier { path, difference },
        }
    }
}
