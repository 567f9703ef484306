//! Plays games of a series, or does other work, concurrently.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use contest::session::STACK_BYTES;

use crate::game::in_process::in_thread_with_large_stack;
use crate::game::GameError;
use crate::process;
use crate::series::SeriesError;
use crate::series::{Finished, Fixture, Series};

/// Plays `games`, `jobs` at a time, and passes each finished game to `take` in this thread.
///
/// After [`ControlFlow::Break`] no further game begins; games in progress are finished and passed on.
///
/// # Errors
/// The first error of a game or of `take`. After an error of a game, the games that finish are still passed on;
/// after one of `take`, none is.
pub fn run(
    series: &Series<'_>,
    games: &[Fixture],
    jobs: usize,
    take: impl FnMut(Finished) -> Result<ControlFlow<()>, SeriesError>,
) -> Result<(), SeriesError> {
    run_all(games, &|game| series.play(game), jobs, take)
}

/// Runs tasks of any kind: each is given to `play`.
///
/// # Errors
/// As for [`run`].
pub fn run_all<T: Sync, D: Send, E: From<SeriesError> + Send>(
    tasks: &[T],
    play: &(dyn Fn(&T) -> Result<D, E> + Sync),
    jobs: usize,
    take: impl FnMut(D) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let next = |_: &AtomicBool| tasks.get(next.fetch_add(1, Ordering::SeqCst));
    run_each(&next, &|task| play(task), jobs.clamp(1, tasks.len().max(1)), take)
}

/// Runs the tasks that `next` returns, up to the first `None`. `next` is called in `jobs` threads and may wait, but not
/// after its flag is set: no further task begins then.
///
/// # Errors
/// As for [`run`].
pub fn run_each<T, D: Send, E: From<SeriesError> + Send>(
    next: &(dyn Fn(&AtomicBool) -> Option<T> + Sync),
    play: &(dyn Fn(T) -> Result<D, E> + Sync),
    jobs: usize,
    mut take: impl FnMut(D) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    let stopped = AtomicBool::new(false);
    let play_next = || {
        if stopped.load(Ordering::SeqCst) {
            return None;
        }
        let task = next(&stopped)?;
        Some(if process::interrupted() {
            Err(SeriesError::from(GameError::Interrupted).into())
        } else {
            play(task)
        })
    };
    thread::scope(|scope| {
        let (sender, results) = mpsc::channel();
        for _ in 0..jobs.max(1) {
            let sender = sender.clone();
            let work = move || {
                while let Some(result) = play_next() {
                    let failed = result.is_err();
                    if sender.send(result).is_err() || failed {
                        return;
                    }
                }
            };
            // The search for balanced openings and games without processes run on this thread and need a large stack.
            thread::Builder::new()
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, || in_thread_with_large_stack(work))
                .map_err(SeriesError::Thread)?;
        }
        drop(sender);
        let mut first_error = None;
        for result in results {
            let taken = result.map(&mut take);
            let stop = match taken {
                Ok(Ok(flow)) => flow.is_break(),
                // Results can no longer be stored: games in progress are abandoned.
                Ok(Err(error)) => {
                    stopped.store(true, Ordering::SeqCst);
                    return Err(first_error.unwrap_or(error));
                }
                Err(error) => {
                    first_error.get_or_insert(error);
                    true
                }
            };
            stopped.fetch_or(stop, Ordering::SeqCst);
        }
        first_error.map_or(Ok(()), Err)
    })
}
