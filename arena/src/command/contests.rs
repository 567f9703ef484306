//! `arena contests`: lists the contests.

use std::io::Write;

use contest::Contest;
use serde_json::json;

use crate::failure::Failure;
use coppice_referee::text::millis;

/// The arguments of `arena contests`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Print one JSON object per line
    #[arg(long)]
    pub json: bool,
}

/// Lists the contests with their seats, limits, default openings and variants.
///
/// # Errors
/// If `out` can't be written.
pub(crate) fn run(args: &Args, known: &[&dyn Contest], out: &mut dyn Write) -> Result<(), Failure> {
    for contest in known {
        let limits = contest.limits();
        let [first, later] = [limits.first, limits.later].map(millis);
        let seats = contest.seats();
        if args.json {
            let (name, variants, plies) = (contest.name(), contest.variants(), contest.opening_plies());
            let object = json!({"contest": name, "seats": seats, "first_ms": first, "later_ms": later,
                "opening_plies": plies, "variants": variants});
            writeln!(out, "{object}")?;
            continue;
        }
        let variants = contest
            .variants()
            .map(|words| format!("; variants {}:{}", contest.name(), words.replace(' ', ",")));
        let variants = variants.unwrap_or_default();
        let openings = match contest.opening_plies() {
            0 => String::new(),
            plies => format!("; matches begin with {plies} random plies"),
        };
        writeln!(
            out,
            "{:<16} seats {seats}, first answer {first} ms, later {later} ms{openings}{variants}",
            contest.name()
        )?;
    }
    Ok(())
}
