//! `arena match`: plays two bots against each other and measures the difference.

use std::io::Write;
use std::ops::ControlFlow;

use contest::Contest;

use crate::command::brutal::Players;
use crate::command::finished::Finished;
use crate::command::host::HostArgs;
use crate::command::judge::Judge;
use crate::command::live;
use crate::command::options::{
    open, print_resume_hint, warn_of_best, warn_of_repeats, warn_of_short_openings, whole_groups, RunOptions,
};
use crate::command::run_notes::{Playing, Purpose};
use crate::failure::Failure;
use coppice_referee::report::progress::Progress;
use coppice_referee::report::summary::Summary;

/// The default number of games.
const GAMES: u32 = 100;

/// The arguments of `arena match`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    host: HostArgs,
    /// The bots' command lines, each quoted as one argument
    #[arg(value_name = "CMD")]
    bots: Vec<String>,
    #[command(flatten)]
    players: Players,
    /// Number of games, a multiple of two, as each opening is played from both sides [default: 100]
    #[arg(short = 'n', long = "games", value_name = "N", 
          value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
    #[command(flatten)]
    run: RunOptions,
}

/// Plays the remaining games and prints the summary.
///
/// # Errors
/// If a bot can't be started, the games can't be written, or after an interrupt; the summary is printed then too.
pub(crate) fn run(args: &Args, known: &[&dyn Contest], out: &mut dyn Write) -> Result<(), Failure> {
    let (opened, bots) = open(known, &args.host, &args.bots, &args.players)?;
    let Some((mut tournament, mut machines)) = args.run.open(&args.host, opened.host(), &bots, None)? else {
        return Ok(());
    };
    let last = whole_groups(args.games, GAMES, tournament.series())?;
    let names = tournament.series().names();
    let playing = Playing::begin(&tournament, last, Purpose::Match);
    let mut progress = Progress::new();
    let mut judge = Judge::new(None, tournament.series().grouping());
    let file = tournament.file().to_owned();
    let play = || {
        tournament.play(last, machines.as_mut(), &mut progress, |games, progress| {
            judge.update(games);
            if progress.is_due() {
                progress.update(judge.score_text(&names));
            }
            ControlFlow::Continue(())
        })
    };
    let played = live::during(args.run.report.live, &file, known, play)?;
    progress.end();
    let summary = tournament.summary(last)?;
    playing.end(&tournament, &summary, &played);
    print(&summary, args.run.json, out)?;
    Finished::write_run((&tournament, last), &args.run.report, known, played.as_ref().err())?;
    warn_of_short_openings(&tournament, last);
    warn_of_best(&summary);
    match &played {
        Ok(()) => warn_of_repeats(&tournament, last),
        Err(error) => print_resume_hint(&tournament, last, error),
    }
    Ok(played?)
}

/// Prints a summary, unless no game was played.
///
/// # Errors
/// If `out` can't be written.
pub(crate) fn print(summary: &Summary, json: bool, out: &mut dyn Write) -> Result<(), Failure> {
    if summary.games == 0 {
        return Ok(());
    }
    if json {
        let text = serde_json::to_string(summary).map_err(std::io::Error::from)?;
        writeln!(out, "{text}")?;
    } else {
        write!(out, "{summary}")?;
    }
    Ok(out.flush()?)
}
