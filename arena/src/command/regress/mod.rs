//! `arena regress`: plays recorded losses again with another bot, and counts those that turn.

mod cases;
mod report;

use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use contest::{Contest, Limits, Setup};

use crate::command::host::{HostArgs, RefereeArgs};
use crate::command::limits::LimitArgs;
use crate::command::options::default_jobs;
use crate::failure::Failure;
use cases::{Case, Outcome};
use coppice_referee::game::in_process;
use coppice_referee::process;
use coppice_referee::record::GameRecord;
use coppice_referee::series::entrant::Entrant;
use coppice_referee::series::host::Host;
use coppice_referee::series::openings::Openings;
use coppice_referee::series::{runner, Fixture, Series, SeriesError};
use coppice_referee::text::note;
use report::{Line, Report};

/// The arguments of `arena regress`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Recorded games: games.jsonl, GAME.json, or folders of them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The new bot's command line, or a search of this program (in:SEARCH)
    #[arg(long, value_name = "CMD")]
    bot: String,
    /// The recorded bot whose losses are played again; default: the one that is in all games
    #[arg(long, value_name = "NAME")]
    of: Option<String>,
    /// The bot on all other seats, instead of the recorded command lines
    #[arg(long, value_name = "CMD")]
    against: Option<String>,
    /// Play drawn and won games again too
    #[arg(long)]
    all: bool,
    /// Where a game begins
    #[arg(long, value_enum, value_name = "WHERE", default_value_t = From::Start)]
    from: From,
    /// Don't play the games with the recorded bot once more. Without that its luck isn't known: of lost games some turn by
    /// chance
    #[arg(long)]
    no_control: bool,
    #[command(flatten)]
    referee: RefereeArgs,
    #[command(flatten)]
    limits: LimitArgs,
    /// Number of concurrent games; default: the number of processors minus one
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    jobs: Option<u32>,
    /// Write each new game's logs and record into this folder
    #[arg(short, long, value_name = "DIR")]
    log_dir: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Where a game begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum From {
    /// At its start, or after its opening
    Start,
    /// Before the turn that lost it by the scores that the bots reported, where the rules are here; else at its start
    Losing,
}

/// The new bot's index in the series; the recorded one's is next, then the others'.
const NEW: usize = 0;
const OLD: usize = 1;

/// Plays the games and prints how many have turned.
///
/// # Errors
/// If there is no game to play, a bot can't be started, or a game fails.
pub(crate) fn run(args: &Args, known: &[&dyn Contest], out: &mut dyn Write) -> Result<(), Failure> {
    let games = cases::read(&args.files)?;
    let Some((first, _)) = games.first() else { return Err(Failure::new("the files have no games")) };
    let (contest, seats, read) = (first.contest.clone(), first.bots.len(), games.len());
    if let Some((other, _)) =
        games.iter().find(|(game, _)| game.contest != contest || game.bots.len() != seats)
    {
        return Err(Failure::usage(format!(
            "the games are of several contests, {contest} and {}, or of other numbers of bots: give the files of one",
            other.contest
        )));
    }
    let name = args.of.clone().map_or_else(|| cases::subject(&games), Ok)?;
    let run = first.run.clone();
    let mut cases = cases::of_bot(games, &name, args.all)?;
    if cases.is_empty() {
        writeln!(out, "{name} lost none of {read} games; --all plays the others again too")?;
        return Ok(());
    }
    let host = HostArgs::of(contest.clone(), args.referee.clone());
    let opened = host.open(known, |_| seats, seats).map_err(|failure| match args.referee.command() {
        None => {
            Failure::usage(format!("{failure}\nfor a contest without rules here give its referee with -r"))
        }
        Some(_) => failure,
    })?;
    let host_of_games = opened.host();
    let (bots, seatings) = seating(args, &cases, &name)?;
    let has_control = !args.no_control && has_control(&bots[OLD], &cases);
    if let Some(contest) = host_of_games.contest().filter(|_| args.from == From::Losing) {
        cases.iter_mut().for_each(|case| begin_at_loss(case, contest, known));
    }
    let openings = Openings::Listed {
        name: "the recorded games".to_owned(),
        hash: String::new(),
        lines: cases.iter().map(|case| case.opening.clone()).collect(),
    };
    let recorded = |ms: f64| Duration::from_secs_f64(ms.max(0.0) / 1000.0);
    let limits = match host_of_games {
        Host::Contest(_) => {
            args.limits.or(Limits { first: recorded(run.first_ms), later: recorded(run.later_ms) })
        }
        Host::Referee(_) => host_of_games.limits(),
    };
    if let Some(folder) = &args.log_dir {
        std::fs::create_dir_all(folder)
            .map_err(|error| Failure::new(format!("can't write {}: {error}", folder.display())))?;
    }
    let series = host.set(Series {
        limits,
        openings,
        files: args.log_dir.clone(),
        records: args.log_dir.is_some(),
        ..Series::new(host_of_games, bots)
    });
    let fixtures = fixtures(&cases, &seatings, has_control);
    let played = play(args, &series, &fixtures)?;
    let lines = cases.iter().zip(&played).map(|(case, played)| line(case, played)).collect();
    let report = Report { contest, of: name, bot: args.bot.clone(), read, has_control, games: lines };
    if args.json {
        let text = serde_json::to_string(&report).map_err(std::io::Error::from)?;
        writeln!(out, "{text}")?;
    } else {
        report.print(out)?;
    }
    Ok(())
}

/// The bots of all games, and for each case the index of the bot on each seat, the new one's on the case's own.
fn seating(args: &Args, cases: &[Case], name: &str) -> Result<(Vec<Entrant>, Vec<Vec<usize>>), Failure> {
    let entrant = |text: &str, name: &str| -> Result<Entrant, Failure> {
        Ok(Entrant { name: Some(name.to_owned()), ..Entrant::parse(text)? })
    };
    let own = cases.iter().map(|case| &case.record.bots[case.seat]).next_back();
    let old = own.map(|bot| bot.command.as_str()).filter(|command| !command.is_empty());
    let mut bots = vec![entrant(&args.bot, "new")?, entrant(old.unwrap_or(&args.bot), name)?];
    let mut seatings = Vec::new();
    for case in cases {
        let mut seats = Vec::new();
        for (seat, bot) in case.record.bots.iter().enumerate() {
            if seat == case.seat {
                seats.push(NEW);
                continue;
            }
            let command = args.against.as_deref().unwrap_or(&bot.command);
            if command.is_empty() {
                return Err(Failure::usage(format!(
                    "game {} doesn't say how {} is started: give --against CMD, a bot for its seat",
                    case.name(),
                    bot.name
                )));
            }
            let is_it =
                |known: &Entrant| known.line.to_string() == command && known.name.as_ref() == Some(&bot.name);
            let at = match bots.iter().skip(OLD + 1).position(is_it) {
                Some(at) => at + OLD + 1,
                None => {
                    bots.push(entrant(command, &bot.name)?);
                    bots.len() - 1
                }
            };
            seats.push(at);
        }
        seatings.push(seats);
    }
    Ok((bots, seatings))
}

/// Whether the recorded bot can play once more: it is there, and it is the one that played.
fn has_control(old: &Entrant, cases: &[Case]) -> bool {
    let is_search = old.line.to_string().starts_with(in_process::PREFIX);
    let own = cases.iter().map(|case| &case.record.bots[case.seat]);
    let mut faults = own.filter_map(|bot| match bot.command.as_str() {
        "" => Some("has no command line in the records"),
        command if command != old.line.to_string() => Some("has several command lines in the records"),
        _ if is_search => None,
        _ if old.line.problem().is_some() => Some("isn't there any more"),
        _ => (bot.hash != old.hash).then_some("isn't the program that played"),
    });
    let fault = faults.next();
    if let Some(why) = fault {
        note(format_args!(
            "the recorded bot {why}, so the games aren't played with it once more: some games turn by chance"
        ));
    }
    fault.is_none()
}

/// Lets a case begin before the losing turn, if the contest can begin there.
fn begin_at_loss(case: &mut Case, contest: &dyn Contest, known: &[&dyn Contest]) {
    case.begin_at_loss(contest, known);
    let openings =
        Openings::Listed { name: String::new(), hash: String::new(), lines: vec![case.opening.clone()] };
    let setup = Setup { seed: case.record.seed, opening_plies: 0, limits: contest.limits() };
    if case.turn.is_some() && openings.begin(contest, setup, 0).is_err() {
        case.begin_at_start();
    }
}

/// Two games a case, the new bot's and the recorded one's; without control one.
fn fixtures(cases: &[Case], seatings: &[Vec<usize>], has_control: bool) -> Vec<Fixture> {
    let bots = if has_control { &[NEW, OLD][..] } else { &[NEW] };
    let mut fixtures = Vec::new();
    for (at, (case, seating)) in cases.iter().zip(seatings).enumerate() {
        for &bot in bots {
            let seating = seating.iter().map(|&seat| if seat == NEW { bot } else { seat }).collect();
            let game = fixtures.len() as u32 + 1;
            fixtures.push(Fixture { game, group: at as u32, seed: case.record.seed, seating });
        }
    }
    fixtures
}

/// The games of each case: the new bot's first.
fn play(args: &Args, series: &Series<'_>, fixtures: &[Fixture]) -> Result<Vec<Vec<GameRecord>>, Failure> {
    let cases = fixtures.iter().map(|fixture| fixture.group + 1).max().unwrap_or(0);
    let mut played = vec![Vec::new(); cases as usize];
    let jobs = args.jobs.map_or_else(default_jobs, |jobs| jobs as usize);
    let mut count = 0;
    let shows = std::io::stderr().is_terminal();
    runner::run(series, fixtures, jobs, |finished| {
        if let Some(folder) = &args.log_dir {
            finished.write(folder)?;
        }
        count += 1;
        if shows {
            let _ = write!(std::io::stderr(), "\r{count} of {} games", fixtures.len());
        }
        played[finished.record.group as usize].push(finished.record);
        Ok::<_, SeriesError>(ControlFlow::Continue(()))
    })?;
    if shows {
        let _ = writeln!(std::io::stderr());
    }
    if process::interrupted() {
        return Err(coppice_referee::game::GameError::Interrupted.into());
    }
    played.iter_mut().for_each(|games| games.sort_by_key(|record| record.game));
    Ok(played)
}

fn line(case: &Case, played: &[GameRecord]) -> Line {
    let outcome = |record: &GameRecord| Outcome::of(record, case.seat);
    let points = |record: &GameRecord| record.points().get(case.seat).copied();
    Line {
        game: case.name(),
        seat: case.seat,
        from: case.turn,
        alone: case.record.bots.len() == 1,
        recorded: outcome(&case.record),
        recorded_points: points(&case.record),
        new: played.first().map(outcome),
        new_points: played.first().and_then(points),
        fault: played.first().and_then(|record| {
            let fault = record.faults.iter().find(|fault| fault.seat == case.seat)?;
            Some(format!("{}{}", fault.ending, fault.place()))
        }),
        control: played.get(1).map(outcome),
        control_points: played.get(1).and_then(points),
    }
}
