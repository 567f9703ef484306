//! `arena check`: checks a bot before it plays.

use std::io::Write;

use contest::Contest;
use serde::Serialize;

use crate::check::{Item, Plan, Status};
use crate::command::limits::LimitArgs;
use crate::error::ArenaError;
use crate::game::GameError;
use crate::process;
use crate::process::command_line::CommandLine;

/// The arguments of `arena check`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The contest's name; `arena contests` lists them
    pub contest: String,
    /// The bot's command line, quoted as one argument
    #[arg(value_name = "CMD")]
    pub bot: String,
    /// Number of games against random moves; seats rotate, and openings vary where the contest has them
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    pub games: u32,
    /// Random seed of openings and random moves
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Time limits of the answers
    #[command(flatten)]
    pub limits: LimitArgs,
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
pub fn run(args: &Args, contest: &dyn Contest, out: &mut dyn Write) -> Result<(), ArenaError> {
    let plan = Plan {
        contest,
        bot: CommandLine::parse(&args.bot)?,
        limits: args.limits.or(contest.limits()),
        games: args.games,
        seed: args.seed,
    };
    let mut items = Vec::new();
    plan.run(|item| {
        // A bot killed by an interrupt is not at fault.
        if process::interrupted() {
            return Ok(());
        }
        if !args.json {
            print(&item, out)?;
        }
        items.push(item);
        Ok::<(), ArenaError>(())
    })?;
    let count = |status| items.iter().filter(|item| item.status == status).count();
    let (faults, warnings) = (count(Status::Fault), count(Status::Warning));
    if args.json {
        // An aborted check proves nothing.
        let ok = faults == 0 && !process::interrupted();
        let report = Report { contest: contest.name(), bot: &args.bot, ok, items: &items };
        let text = serde_json::to_string(&report).map_err(std::io::Error::from)?;
        writeln!(out, "{text}")?;
    } else {
        writeln!(out, "{} points, {warnings} warnings, {faults} faults", items.len())?;
    }
    out.flush()?;
    if process::interrupted() {
        return Err(GameError::Interrupted.into());
    }
    match faults {
        0 => Ok(()),
        _ => Err(ArenaError::Check { faults }),
    }
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
