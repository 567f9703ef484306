//! The tasks of a single-player contest: terrains to land on, puzzles to solve.

use contest::session::SessionError;
use contest::Contest;

use super::error::StudyError;
use super::row::{Figure, Row};
use coppice_referee::game::in_process::{self, InProcess, InProcessError};
use coppice_referee::game::GameError;
use coppice_referee::process;
use coppice_stats::Estimate;

/// Checks that the contest has the player, with these parameters.
///
/// # Errors
/// The players that it has.
pub(crate) fn check(contest: &dyn Contest, player: &InProcess) -> Result<(), StudyError> {
    let players = contest.single_player().map_or_else(Vec::new, |contest| contest.players());
    if players.iter().any(|info| info.name == player.search) {
        return Ok(());
    }
    if players.is_empty() {
        return Err(none(contest, &player.search).into());
    }
    let why = SessionError::unknown("player", &player.search, players.iter().map(|info| info.name));
    Err(InProcessError::Contest { contest: contest.name().to_owned(), why }.into())
}

fn none(contest: &dyn Contest, player: &str) -> InProcessError {
    let why = format!("no tasks for `{player}`: it is not a contest for one").into();
    InProcessError::Contest { contest: contest.name().to_owned(), why }
}

/// Does the tasks of the seeds from 1.
///
/// # Errors
/// If a parameter is wrong, or after an interrupt.
pub(crate) fn run(
    contest: &dyn Contest,
    row: &Row,
    player: &InProcess,
    advance: &mut dyn FnMut(u32),
) -> Result<Figure, StudyError> {
    let tasks = contest.single_player().ok_or_else(|| none(contest, &player.search))?;
    let (mut done, mut slowest, mut score) = (Vec::new(), 0.0_f64, 0.0);
    for seed in 1..=row.asked {
        let task = || {
            tasks.run(&player.search, &player.settings, seed.into(), &|| {
                player.limit.budget().unless(process::interrupt_flag())
            })
        };
        let run = in_process::on_large_stack(task)?;
        if process::interrupted() {
            return Err(GameError::Interrupted.into());
        }
        let run = run.map_err(|why| InProcessError::Contest { contest: contest.name().to_owned(), why })?;
        done.push(f64::from(run.completed));
        slowest = slowest.max(run.slowest_turn.as_secs_f64());
        score += run.score as f64;
        advance(seed);
    }
    let score = score / f64::from(row.asked.max(1));
    Ok(Figure::Done { share: Estimate::of(&done), tasks: row.asked, slowest, score })
}
