//! The tasks of a single-player contest: terrains to land on, puzzles to solve.

use bots::contest::Contest;

use super::row::{Figure, Row};
use crate::error::ArenaError;
use crate::game::GameError;
use crate::in_process::{self, InProcess, InProcessError};
use crate::process;
use crate::stats::Estimate;

/// Whether the contest has the way, with these parameters.
///
/// # Errors
/// What it has instead.
pub fn check(contest: &dyn Contest, way: &InProcess) -> Result<(), ArenaError> {
    let ways = contest.ways();
    if ways.iter().any(|info| info.name == way.search) {
        return Ok(());
    }
    let names = ways.iter().map(|info| info.name).collect::<Vec<_>>().join(", ");
    let why = match names.as_str() {
        "" => format!("no tasks for `{}`: it is not a contest for one", way.search),
        _ => format!("no player \"{}\"; there are {names}", way.search),
    };
    Err(InProcessError::Contest { contest: contest.name().to_owned(), why }.into())
}

/// Does the tasks of the seeds from 1.
///
/// # Errors
/// If a parameter is wrong, or after an interrupt.
pub fn run(
    contest: &dyn Contest,
    row: &Row,
    way: &InProcess,
    advance: &mut dyn FnMut(u32),
) -> Result<Figure, ArenaError> {
    let (mut done, mut slowest, mut score) = (Vec::new(), 0.0_f64, 0.0);
    for seed in 1..=row.asked {
        let task = || {
            contest.attempt(&way.search, &way.settings, seed.into(), &|| {
                way.limit.budget().unless(process::interrupt_flag())
            })
        };
        let attempt = in_process::on_large_stack(task)?;
        if process::interrupted() {
            return Err(GameError::Interrupted.into());
        }
        let attempt =
            attempt.map_err(|why| InProcessError::Contest { contest: contest.name().to_owned(), why })?;
        done.push(f64::from(attempt.is_done));
        slowest = slowest.max(attempt.slowest.as_secs_f64());
        score += attempt.score as f64;
        advance(seed);
    }
    let score = score / f64::from(row.asked.max(1));
    Ok(Figure::Done { share: Estimate::of(&done), tasks: row.asked, slowest, score })
}
