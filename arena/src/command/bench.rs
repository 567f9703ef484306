//! `arena bench`: what the searches do with fixed positions, as a checksum that a commit can quote.

use std::io::Write;
use std::time::Instant;

use bots::contest::Contest;

use crate::error::ArenaError;

/// The arguments of `arena bench`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Contests; all, if none is named
    pub contests: Vec<String>,
}

/// Prints nodes and digest of each search, then the checksum of all. The times are this machine's
/// and no part of it.
///
/// # Errors
/// If `out` can't be written.
pub fn run(contests: &[&dyn Contest], out: &mut dyn Write) -> Result<(), ArenaError> {
    let (mut nodes, mut checksum) = (0, 0u64);
    for contest in contests {
        let start = Instant::now();
        for line in contest.behaviour() {
            writeln!(
                out,
                "{:<10} {:<34} {:>10} nodes  {:016x}",
                contest.name(),
                line.search,
                line.nodes,
                line.digest
            )?;
            nodes += line.nodes;
            checksum = checksum.rotate_left(1) ^ line.digest;
        }
        eprintln!("{}: {:.1} s", contest.name(), start.elapsed().as_secs_f64());
    }
    writeln!(out, "checksum {checksum:016x}, {nodes} nodes")?;
    Ok(())
}
