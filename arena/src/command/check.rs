//! `arena check`: checks a bot before it plays.

use std::io::Write;

use contest::Contest;
use serde::Serialize;

use crate::check::{Item, Plan, Status};
use crate::command::game_options::{by_protocol, seed};
use crate::command::host::HostArgs;
use crate::command::limits::{with_grace, LimitArgs};
use crate::command::misuse::Misuse;
use crate::failure::Failure;
use coppice_referee::game::GameError;
use coppice_referee::process;
use coppice_referee::series::entrant::{split_name, Entrant};
use coppice_referee::series::host::Host;
use coppice_referee::series::{derived_seed, Fixture, Series};

/// The arguments of `arena check`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    host: HostArgs,
    /// The bot's command line, quoted as one argument
    #[arg(value_name = "CMD")]
    bots: Vec<String>,
    /// Number of games against random moves (with -r: against itself); seats rotate, and openings vary where the contest
    /// has them
    #[arg(short = 'n', long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    pub games: u32,
    /// Random seed of openings and random moves
    #[arg(short = 'i', long, value_name = "S", default_value_t = 1, value_parser = seed)]
    pub seed: u64,
    /// Time limits of the answers
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Milliseconds added to each limit
    #[arg(long, value_name = "MS", default_value_t = 0)]
    pub grace_ms: u32,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// The whole report.
#[derive(Serialize)]
struct Report<'a> {
    contest: &'a str,
    bot: &'a str,
    ok: bool,
    items: &'a [Item],
}

/// Checks the bot and prints the results.
///
/// # Errors
/// If there is a fault.
pub(crate) fn run(args: &Args, known: &[&dyn Contest], out: &mut dyn Write) -> Result<(), Failure> {
    let bots = args.host.bots(&args.bots);
    let &[bot] = bots.as_slice() else {
        let given = bots.len();
        return Err(Failure::usage(format!(
            "one bot is checked at a time, but {given} command lines were given"
        )));
    };
    let (_, bot) = split_name(bot);
    let opened = args.host.open(known, |_| 2, 1)?;
    let mut items = Vec::new();
    let take = |item: Item| {
        // A bot killed by an interrupt is not at fault.
        if process::interrupted() {
            return Ok(());
        }
        if !args.json {
            print(&item, out)?;
        }
        items.push(item);
        Ok::<(), Failure>(())
    };
    match opened.host() {
        Host::Contest(contest) => {
            let bot = by_protocol(contest, bot)?;
            let limits = with_grace(args.limits.or(contest.limits()), args.grace_ms);
            Plan { contest, bot, limits, games: args.games, seed: args.seed }.run(take)
        }
        host => outside(args, host, bot, take),
    }?;
    let count = |status| items.iter().filter(|item| item.status == status).count();
    let (faults, warnings) = (count(Status::Fault), count(Status::Warning));
    if args.json {
        // An aborted check proves nothing.
        let ok = faults == 0 && !process::interrupted();
        let report = Report { contest: opened.host().name(), bot, ok, items: &items };
        let text = serde_json::to_string(&report).map_err(std::io::Error::from)?;
        writeln!(out, "{text}")?;
    } else {
        let plural = |count| if count == 1 { "" } else { "s" };
        let (many, more) = (plural(warnings), plural(faults));
        writeln!(out, "{} points, {warnings} warning{many}, {faults} fault{more}", items.len())?;
    }
    out.flush()?;
    if process::interrupted() {
        return Err(GameError::Interrupted.into());
    }
    match faults {
        0 => Ok(()),
        _ => Err(Failure::new(format!("{faults} faults: the bot will lose games"))),
    }
}

/// Games of the bot against itself by an external referee, which are judged only by whether a bot failed.
fn outside(
    args: &Args,
    host: Host<'_>,
    bot: &str,
    mut take: impl FnMut(Item) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if !args.limits.words().is_empty() || args.grace_ms > 0 {
        return Err(Misuse::Outside { options: "time limits" }.into());
    }
    let bots = (0..host.seats()).map(|_| Entrant::parse(bot)).collect::<Result<Vec<_>, _>>()?;
    let series = args.host.set(Series { seed: args.seed, records: true, ..Series::new(host, bots) });
    for game in 1..=args.games {
        let fixture = Fixture { seating: (0..host.seats()).collect(), ..series.fixture(game) };
        // Inputs of a heuristic contest are numbered from 0.
        let seed = match host.is_heuristic() {
            true => u64::from(game - 1),
            false => derived_seed(args.seed, game - 1),
        };
        let fixture = Fixture { seed, ..fixture };
        let record = series.play(&fixture)?.record;
        let scores = record.scores.iter().map(i64::to_string).collect::<Vec<_>>().join("-");
        let seed = record.seed_text.clone().unwrap_or_default();
        let item = match record.faults.as_slice() {
            [] => Item::new("game", Status::Ok, format!("seed {seed}, scores {scores}")),
            faults => {
                let faults = faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
                Item::new("game", Status::Fault, format!("seed {seed}, scores {scores}: {faults}"))
            }
        };
        take(item)?;
    }
    Ok(())
}

fn print(item: &Item, out: &mut dyn Write) -> std::io::Result<()> {
    let Item { name, status, detail, exchange } = item;
    writeln!(out, "{status:<8} {name}: {detail}")?;
    if let Some(exchange) = exchange {
        exchange.sent.iter().try_for_each(|line| writeln!(out, "           > {line}"))?;
        exchange.received.iter().try_for_each(|line| writeln!(out, "           < {line}"))?;
        if exchange.stderr.is_empty() {
            writeln!(out, "           its standard error is empty")?;
        }
        exchange.stderr.lines().try_for_each(|line| writeln!(out, "           stderr: {line}"))?;
    }
    out.flush()
}
