//! `arena mistakes`: where in the game each bot of a run loses points, by a longer search of the program.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use contest::{Contest, Seat};
use serde::Serialize;

use crate::command::cases::right_aligned;
use crate::command::finished::Finished;
use crate::command::options::default_jobs;
use crate::command::report::games_file;
use crate::command::view::searched;
use crate::failure::Failure;
use coppice_referee::contests;
use coppice_referee::game::in_process::InProcess;
use coppice_referee::game::GameError;
use coppice_referee::record::GameRecord;
use coppice_referee::replay::loss::{LossError, MoveJudge};
use coppice_referee::report::mistakes::{JudgedGame, Mistakes, Phases, Scale};
use coppice_referee::report::progress::Progress;
use coppice_referee::series::runner;
use coppice_referee::text::note;

/// The nodes of a search by default: more than most bots have in a turn.
const NODES: u64 = 100_000;

/// The number of phases by default.
const PARTS: u32 = 4;

/// The name of all opponents of a bot together.
const OTHERS: &str = "others";

/// The arguments of `arena mistakes`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The folder of a run or a pool, or its games.jsonl; default: the last run in arena-games
    #[arg(value_name = "DIR")]
    run: Option<PathBuf>,
    /// The search of this program that judges the moves: in:SEARCH with --nodes N or --ms N; default: the contest's first, with
    /// 100000 nodes
    #[arg(long, value_name = "IN:SEARCH")]
    judge: Option<String>,
    /// Judge only the first N games
    #[arg(short = 'n', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
    /// The first bot of the table; default: the run's first
    #[arg(long, value_name = "NAME")]
    of: Option<String>,
    /// Number of phases, equal parts of the game after the opening [default: 4]
    #[arg(long, value_name = "N", conflicts_with = "phase_plies", value_parser = clap::value_parser!(u32).range(1..=1000))]
    phases: Option<u32>,
    /// Length of a phase in moves of the game, of both players and with the opening's; the number of phases follows from it
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..))]
    phase_plies: Option<u32>,
    /// Call losses of this many points of the search or more large; default: a quarter of --certain
    #[arg(long, value_name = "POINTS", value_parser = positive)]
    large: Option<f64>,
    /// Points that a certain win or loss counts, and the most that an estimate does; default: the size that nine of ten
    /// estimates don't exceed
    #[arg(long, value_name = "POINTS", value_parser = positive)]
    certain: Option<f64>,
    /// Number of games judged at the same time; default: the number of processors minus one
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    jobs: Option<u32>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Reads a number of points above 0.
fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| *number > 0.0 && number.is_finite());
    number.ok_or_else(|| "expected a number above 0".to_owned())
}

/// The output of `--json`.
#[derive(Serialize)]
struct Printed<'a> {
    file: &'a Path,
    contest: &'a str,
    judge: String,
    #[serde(flatten)]
    mistakes: &'a Mistakes,
}

/// Judges the moves and prints the table.
///
/// # Errors
/// If there is no run, its games can't be read or judged, or after an interrupt; the results so far are printed then too.
pub(crate) fn run(args: &Args, known: &[&dyn Contest], out: &mut dyn Write) -> Result<(), Failure> {
    let file = games_file(args.run.as_deref())?;
    let finished = Finished::read(&file)?;
    let bots = sides(&finished.names(), args.of.as_deref())?;
    let records = finished.records().iter().filter(|record| seat_of(record, &bots).is_some());
    let records = records.take(args.games.map_or(usize::MAX, |games| games as usize)).collect::<Vec<_>>();
    let Some(first) = records.first() else {
        return Err(Failure::new(format!("{}: no game of {}", file.display(), bots[0])));
    };
    let contest = contests::find(known, &first.contest)?;
    let search = search(args, contest)?;
    let judge = MoveJudge::new(contest, &search)?;
    // A wrong record is an error now, not after an hour.
    records.iter().try_for_each(|record| judge.check(record)).map_err(|error| in_file(&file, &error))?;
    let (games, judged) = judge_all(args, &records, &bots, judge);
    let phases = args.phase_plies.map_or(Phases::Parts(args.phases.unwrap_or(PARTS)), Phases::Plies);
    let scale = Scale { certain: args.certain, large: args.large };
    let mistakes = Mistakes::of(bots, &games, phases, scale);
    if !games.is_empty() {
        let printed =
            Printed { file: &file, contest: contest.name(), judge: search.to_string(), mistakes: &mistakes };
        print(&printed, args.json, out)?;
    }
    if judged.is_err() && !games.is_empty() {
        note(format_args!("{} of {} games were judged", games.len(), records.len()));
    }
    judged
}

/// The two sides: a bot, and the only other or all others.
fn sides(names: &[&str], of: Option<&str>) -> Result<[String; 2], Failure> {
    let first = of.or(names.first().copied()).unwrap_or_default();
    if !names.contains(&first) {
        return Err(Failure::usage(format!("no bot `{first}` in this run; it has {}", names.join(", "))));
    }
    let others = names.iter().copied().filter(|&name| name != first).collect::<Vec<_>>();
    let second = if let [only] = others[..] { only } else { OTHERS };
    Ok([first.to_owned(), second.to_owned()])
}

/// The seat of the first side in a game.
fn seat_of(record: &GameRecord, bots: &[String; 2]) -> Option<Seat> {
    record.bots.iter().position(|bot| bot.name == bots[0])
}

/// The search that judges.
fn search(args: &Args, contest: &dyn Contest) -> Result<InProcess, Failure> {
    let usual = || {
        let first = contest.search_list().first().map(|info| info.name);
        let none = || Failure::usage(format!("{} has no search that could judge moves", contest.name()));
        first.map(|name| format!("in:{name} --nodes {NODES}")).ok_or_else(none)
    };
    searched("--judge", &args.judge.clone().map_or_else(usual, Ok)?)
}

/// An error in a game of a file.
fn in_file(file: &Path, error: &LossError) -> Failure {
    Failure::of_kind(error.kind(), format!("{}: {error}", file.display()))
}

/// Judges games at the same time. The games come in the order of the run, as far as they were judged before an error.
fn judge_all(
    args: &Args,
    records: &[&GameRecord],
    bots: &[String; 2],
    judge: MoveJudge<'_>,
) -> (Vec<JudgedGame>, Result<(), Failure>) {
    let mut progress = Progress::new();
    progress.begin(0, records.len());
    let jobs = args.jobs.map_or_else(default_jobs, |jobs| jobs as usize);
    let mut games = vec![None; records.len()];
    let tasks = records.iter().enumerate().collect::<Vec<_>>();
    let one = |&(at, record): &(usize, &&GameRecord)| {
        let moves = judge.judge(record)?.ok_or(GameError::Interrupted)?;
        let game = JudgedGame {
            plies: record.moves.split_whitespace().count() as u32,
            opening: record.opening_plies() as u32,
            seat: seat_of(record, bots).unwrap_or(0),
            moves,
        };
        Ok::<_, Failure>((at, game))
    };
    let judged = runner::run_all(&tasks, &one, jobs, |(at, game)| {
        games[at] = Some(game);
        progress.advance();
        progress.update("judging moves");
        Ok(ControlFlow::Continue(()))
    });
    progress.end();
    (games.into_iter().flatten().collect(), judged)
}

fn print(printed: &Printed<'_>, json: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let Printed { contest, judge, mistakes, .. } = printed;
    if json {
        writeln!(out, "{}", serde_json::to_string(printed).map_err(std::io::Error::from)?)?;
        return Ok(out.flush()?);
    }
    let Mistakes { games, certain, large, all, .. } = mistakes;
    let moves = all.bots.iter().map(|bot| bot.moves).sum::<u64>();
    writeln!(out, "{contest}: {games} games, {moves} moves judged by {judge}")?;
    out.write_all(right_aligned(&mistakes.table()).as_bytes())?;
    writeln!(
        out,
        "loss: points a move, with the 95 % error over games; large: losses of {large} or more (--large); \
         a certain win counts {certain} (--certain)"
    )?;
    Ok(out.flush()?)
}
