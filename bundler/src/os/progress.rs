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

/// Time between two lines on how many crates are compiled.
const PAUSE: Duration = Duration::from_secs(5);

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
    Lines(Option<Sender<Message>>, Option<JoinHandle<()>>),
}

enum Message {
    /// A stage starts.
    Stage(&'static str),
    /// Shows how many crates are compiled, of how many.
    Crates(usize, usize),
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
            Shown::Lines(sender, _) => drop(sender.as_ref().map(|s| s.send(Message::Stage(what)))),
        }
    }

    /// Shows how many crates of how many are compiled, if that is the current stage.
    pub fn count(&self, stage: &'static str, done: usize, all: usize) {
        if self.started().last().is_none_or(|(what, _)| *what != stage) {
            return;
        }
        match &self.shown {
            Shown::No => {}
            Shown::Bar(bar) => bar.set_message(counted(stage, done, all)),
            Shown::Lines(sender, _) => drop(sender.as_ref().map(|s| s.send(Message::Crates(done, all)))),
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

fn counted(stage: &str, done: usize, all: usize) -> String {
    format!("{stage} ({} of {all})", done.min(all))
}

/// Prints a line for each stage that still runs after the first moment, and at times how many crates are compiled.
fn lines(stages: &Receiver<Message>) {
    // A closed stderr is ignored.
    let say = |what: &str| drop(writeln!(std::io::stderr(), "bundler: {what} …"));
    let started = Instant::now();
    // `said`: when the last number was printed.
    let (mut stage, mut last, mut said) = (None, "", None::<Instant>);
    loop {
        let next = match stage {
            None => stages.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(_) => stages.recv_timeout(MOMENT.saturating_sub(started.elapsed()).max(BLINK)),
        };
        match (next, stage.take()) {
            (Ok(Message::Stage(new)), _) => (stage, last) = (Some(new), new),
            (Ok(Message::Crates(done, all)), waiting) => {
                let is_due = match waiting {
                    Some(_) => started.elapsed() > MOMENT,
                    None => said.is_none_or(|said| said.elapsed() > PAUSE),
                };
                if is_due {
                    say(&counted(last, done, all));
                    said = Some(Instant::now());
                } else {
                    stage = waiting;
                }
            }
            (Err(RecvTimeoutError::Timeout), Some(slow)) => {
                say(slow);
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
