//! `arena perft`: counts the move sequences of each length, to check the rules and measure their speed.

use std::io::Write;
use std::time::Instant;

use contest::Contest;
use serde_json::json;

use crate::failure::Failure;
use coppice_referee::text::note;

/// The arguments of `arena perft`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The contest's name; `arena contests` lists them
    pub contest: String,
    /// The maximum number of plies
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: u32,
    /// Split the count at the maximum depth by first move
    #[arg(long)]
    pub divide: bool,
    /// Print one JSON object per line
    #[arg(long)]
    pub json: bool,
}

/// Prints each count as soon as it is known; ends with a note where no game is that long.
///
/// # Errors
/// If the contest counts no move sequences or has no first move, or `out` can't be written.
pub(crate) fn run(args: &Args, contest: &dyn Contest, out: &mut dyn Write) -> Result<(), Failure> {
    let counts = contest.perft();
    let counts =
        counts.ok_or_else(|| Failure::usage(format!("{} counts no move sequences", contest.name())))?;
    for depth in 1..=args.depth {
        let start = Instant::now();
        let leaves = counts.count(depth);
        if leaves == 0 {
            if depth == 1 {
                return Err(Failure::usage(format!("{} begins without a move to count", contest.name())));
            }
            note(format_args!("no game has {depth} plies"));
            break;
        }
        let seconds = start.elapsed().as_secs_f64();
        if args.json {
            writeln!(out, "{}", json!({"depth": depth, "leaves": leaves, "seconds": seconds}))?;
        } else {
            // No rate is computed for less than a millisecond.
            let rate = match seconds {
                ..0.001 => "-".to_owned(),
                _ => format!("{:.0}", leaves as f64 / seconds),
            };
            writeln!(out, "depth {depth:>2}  {leaves:>16} leaves  {seconds:>9.3} s  {rate:>14} leaves/s")?;
        }
        out.flush()?;
    }
    if args.divide {
        for (first_move, leaves) in counts.divide(args.depth) {
            if args.json {
                writeln!(out, "{}", json!({"move": first_move, "leaves": leaves}))?;
            } else {
                writeln!(out, "{first_move}: {leaves}")?;
            }
        }
    }
    Ok(())
}
