//! Trial games of a new bot: one that fails at once doesn't enter the pool.

use std::ops::ControlFlow;

use crate::command::options::default_jobs;
use crate::failure::Failure;
use crate::pool::Pool;
use coppice_referee::series::host::Host;
use coppice_referee::series::{runner, Finished, Series};
use coppice_referee::text::note;

use super::setup::Plan;

/// At most one game on each of this many seats.
const SEATS: usize = 2;

/// Plays the pool's last bot against the newest other active bot; without one, against itself.
///
/// # Errors
/// If it can't be started or fails, or a game can't be played.
pub(super) fn play(pool: &Pool, plan: &Plan, host: Host<'_>) -> Result<(), Failure> {
    let (bots, new) = (pool.bots(), pool.bots().len() - 1);
    let is_ready = |&bot: &usize| bots[bot].plays() && pool.prepare(&bots[bot]).is_ok();
    let opponent = (0..new).rev().find(is_ready).unwrap_or(new);
    let (name, against) = (&bots[new].name, &bots[opponent].name);
    let lineup = (0..host.seats()).map(|seat| if seat == 0 { new } else { opponent }).collect::<Vec<_>>();
    let series = plan.series(pool, host)?;
    let series = Series { lineups: vec![lineup.clone()], records: true, ..series };
    let all = series.fixtures_of(0, &lineup);
    let on_seat = |seat: usize| all.iter().find(|fixture| fixture.seating[seat] == new).cloned();
    let mut fixtures = (0..host.seats().min(SEATS)).filter_map(on_seat).collect::<Vec<_>>();
    fixtures.dedup();
    note(format_args!("{name}: trial games against {against}"));
    let mut fault = None;
    runner::run(&series, &fixtures, default_jobs(), |Finished { record, .. }| {
        let mut faults = record.faults.into_iter();
        fault = fault.take().or_else(|| faults.find(|fault| record.bots[fault.seat].name == *name));
        Ok(ControlFlow::Continue(()))
    })?;
    let Some(fault) = fault else { return Ok(()) };
    Err(Failure::new(format!(
        "{name} failed in a trial game against {against}, so it isn't in the pool (--force adds it untried)\n{fault}"
    )))
}
