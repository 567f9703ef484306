//! Shows progress on stderr when a stage takes long, and times the stages.

use crate::api::bundle::Time;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::sync::mpsc::{channel, Receiver, RecvTimeoutError, Sender};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Shorter runs show no progress.
const MOMENT: Duration = Duration::from_secs(1);
/// After the first moment, shorter stages show no line.
const BLINK: Duration = Duration::from_millis(200);

/// Shows the current stage: on a terminal as a line that disappears, elsewhere as one line per slow stage.
pub struct Progress {
    shown: Shown,
    times: Mutex<Vec<Started>>,
}

/// A stage and when it started.
type Started = (&'static str, Instant);

enum Shown {
    No,
    Bar(ProgressBar),
    Lines(Option<Sender<&'static str>>, Option<JoinHandle<()>>),
}

impl Progress {
    /// Progress that is shown if `shown`, and timed in any case.
    pub fn new(shown: bool) -> Progress {
        let shown = match (shown, std::io::stderr().is_terminal()) {
            (false, _) => Shown::No,
            (true, true) => Shown::Bar(bar()),
            (true, false) => {
                let (sender, receiver) = channel();
                let thread = std::thread::Builder::new().spawn(move || lines(&receiver)).ok();
                Shown::Lines(Some(sender), thread)
            }
        };
        Progress { shown, times: Mutex::default() }
    }

    /// Starts a stage.
    pub fn say(&self, what: &'static str) {
        self.started().push((what, Instant::now()));
        match &self.shown {
            Shown::No => {}
            Shown::Bar(bar) => {
                bar.set_message(what);
                if bar.elapsed() > MOMENT {
                    bar.tick();
                }
            }
            // If the thread could not start, there are no lines.
            Shown::Lines(sender, _) => drop(sender.as_ref().map(|s| s.send(what))),
        }
    }

    fn started(&self) -> MutexGuard<'_, Vec<Started>> {
        self.times.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The duration of each stage, the last one until now.
    pub fn times(&self) -> Vec<Time> {
        let times = self.started();
        let ends = times.iter().skip(1).map(|t| t.1).chain([Instant::now()]);
        let seconds = |from: Instant, to: Instant| (1000.0 * (to - from).as_secs_f64()).round() / 1000.0;
        times.iter().zip(ends).map(|(&(what, from), to)| Time { what, seconds: seconds(from, to) }).collect()
    }
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(MOMENT);
    bar
}

/// Prints a line for each stage that still runs after the first moment.
fn lines(stages: &Receiver<&'static str>) {
    let started = Instant::now();
    let mut stage = None;
    loop {
        let next = match stage {
            None => stages.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(_) => stages.recv_timeout(MOMENT.saturating_sub(started.elapsed()).max(BLINK)),
        };
        match (next, stage.take()) {
            (Ok(new), _) => stage = Some(new),
            (Err(RecvTimeoutError::Timeout), Some(slow)) => {
                // A closed stderr is ignored.
                let _ = writeln!(std::io::stderr(), "bundler: {slow} …");
            }
            _ => return,
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        match &mut self.shown {
            Shown::No => {}
            Shown::Bar(bar) => bar.finish_and_clear(),
            Shown::Lines(sender, thread) => {
                drop(sender.take());
                thread.take().map(JoinHandle::join);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_are_timed_in_order() {
        let progress = Progress::new(false);
        progress.say("one");
        progress.say("two");
        let times = progress.times();
        assert_eq!(times.iter().map(|t| t.what).collect::<Vec<_>>(), ["one", "two"]);
        assert!(times.iter().all(|t| t.seconds >= 0.0));
    }
}
