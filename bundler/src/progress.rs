//! What is being done, shown on a terminal when it takes more than a moment.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::{Duration, Instant};

/// A line on stderr that goes away by itself.
pub struct Progress {
    bar: ProgressBar,
    started: Instant,
}

impl Progress {
    /// Shows nothing unless asked to, and then only on a terminal.
    pub fn new(shown: bool) -> Progress {
        let target = if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
            bar.set_style(style);
        }
        Progress { bar, started: Instant::now() }
    }

    /// Says what comes next.
    pub fn say(&self, what: &'static str) {
        self.bar.set_message(what);
        if self.started.elapsed() > Duration::from_secs(1) {
            self.bar.tick();
        } else {
            self.bar.enable_steady_tick(Duration::from_millis(1000));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
