//! `arena bench`: runs the searches on fixed positions and prints a checksum of their behaviour.

use std::io::Write;
use std::time::Instant;

use contest::{BenchResult, Contest};
use serde_json::json;

use crate::failure::Failure;
use coppice_referee::text::note;

/// The arguments of `arena bench`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Contests; default: all
    pub contests: Vec<String>,
    /// Print one JSON object per line
    #[arg(long)]
    pub json: bool,
}

/// Prints nodes and digest of each search, then the overall checksum. The times on standard error are not
/// part of it.
///
/// # Errors
/// If a contest of the command line has no search to run, or none has one; or if `out` can't be written.
pub(crate) fn run(args: &Args, contests: &[&dyn Contest], out: &mut dyn Write) -> Result<(), Failure> {
    let (mut nodes, mut checksum) = (0, 0u64);
    let mut benched = 0;
    for contest in contests {
        let start = Instant::now();
        let results = contest.bench();
        if results.is_empty() {
            if !args.contests.is_empty() {
                return Err(nothing_to_run(contest.name()));
            }
            note(format_args!("{} has no search to run: left out", contest.name()));
            continue;
        }
        benched += results.len();
        for line in results {
            let (name, digest) = (contest.name(), format!("{:016x}", line.digest));
            let BenchResult { search, nodes: visited, .. } = line;
            if args.json {
                let object = json!({"contest": name, "search": search, "nodes": visited, "digest": digest});
                writeln!(out, "{object}")?;
            } else {
                writeln!(out, "{name:<10} {search:<34} {visited:>10} nodes  {digest}")?;
            }
            nodes += line.nodes;
            checksum = checksum.rotate_left(1) ^ line.digest;
        }
        eprintln!("{}: {:.1} s", contest.name(), start.elapsed().as_secs_f64());
    }
    if benched == 0 {
        return Err(nothing_to_run("this program"));
    }
    if args.json {
        writeln!(out, "{}", json!({"checksum": format!("{checksum:016x}"), "nodes": nodes}))?;
    } else {
        writeln!(out, "checksum {checksum:016x}, {nodes} nodes")?;
    }
    Ok(())
}

fn nothing_to_run(what: &str) -> Failure {
    Failure::usage(format!("{what} has no search to run; `Contest::searches` or `Contest::bench` names some"))
}
