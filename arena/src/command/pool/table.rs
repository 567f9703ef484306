//! `arena pool table`: ratings of a pool's games, or of some of them, and scores by an attribute.

use std::io::Write;

use contest::Contest;

use crate::command::select::{SelectArgs, Selection};
use crate::failure::Failure;
use crate::pool::Pool;
use coppice_referee::record::games;

use super::rate::Report;
use super::setup::Plan;
use super::Place;

/// The arguments of `arena pool table`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    select: SelectArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: Place,
}

/// Prints the ratings or the scores.
///
/// # Errors
/// If the pool or its games can't be read, the bot is unknown, or no game meets the conditions.
pub(super) fn run(args: &Args, known: &[&dyn Contest], out: &mut dyn Write) -> Result<(), Failure> {
    let pool = Pool::open(&args.place.pool)?;
    let newest = pool.bots().iter().rfind(|bot| bot.plays()).or(pool.bots().last());
    let focus = match &args.select.bot {
        Some(name) => pool.bots()[pool.place_of(name)?].name.clone(),
        None => newest.map_or_else(String::new, |bot| bot.name.clone()),
    };
    let plan = Plan::of(&pool, &[])?;
    let opened = plan.open(known)?;
    let mut league = plan.league(&pool, opened.host(), None)?;
    let mut selection = Selection::new(&args.select, focus);
    let found = games::read(&pool.games_file())?;
    let mut left_out = 0;
    for record in &found.records {
        if !selection.add(record, record.group) {
            league.leave_out(record);
            left_out += 1;
        }
    }
    if left_out > 0 && left_out == found.records.len() {
        return Err(SelectArgs::none_of(left_out));
    }
    if selection.has_table() {
        return selection.print(args.json, out);
    }
    let report = Report::of(&pool, &league, &league.meetings());
    if args.select.csv {
        write!(out, "{}", report.standings().csv())?;
        return Ok(out.flush()?);
    }
    report.print(args.json, args.select.markdown, out)
}
