//! `arena contests`: what there is to play.

use std::io::Write;

use bots::contest::Contest;

use crate::error::ArenaError;
use crate::text::millis;

/// Lists the contests with their seats, limits, usual openings and variants.
///
/// # Errors
/// If `out` can't be written.
pub fn run(known: &[&dyn Contest], out: &mut dyn Write) -> Result<(), ArenaError> {
    for contest in known {
        let limits = contest.limits();
        let [first, later] = [limits.first, limits.later].map(millis);
        let seats = contest.seats();
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
