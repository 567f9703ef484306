//! Progress on the standard error: a bar with the time left on a terminal, else a line now and then.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Interval between two lines without a terminal.
const BETWEEN_LINES: Duration = Duration::from_secs(30);

/// The progress of one step.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    unit: &'static str,
    last_line: Option<Mutex<Instant>>,
}

impl Progress {
    /// The progress of a step of `planned` units; an earlier run has done `done` of them.
    pub fn new(unit: &'static str, planned: u64, done: u64) -> Progress {
        let bar = ProgressBar::with_draw_target(Some(planned), ProgressDrawTarget::stderr());
        let template = format!("{{bar:24}} {{pos}}/{{len}} {unit}, {{eta}} left  {{wide_msg}}");
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style);
        }
        bar.set_position(done);
        bar.reset_eta();
        let last_line = (!std::io::stderr().is_terminal()).then(|| Mutex::new(Instant::now()));
        Progress { bar, unit, last_line }
    }

    /// Counts finished units.
    pub fn advance(&self, units: u64) {
        self.bar.inc(units);
        let Some(Ok(mut last)) = self.last_line.as_ref().map(Mutex::lock) else { return };
        if last.elapsed() >= BETWEEN_LINES {
            *last = Instant::now();
            let (done, planned) = (self.bar.position(), self.bar.length().unwrap_or(0));
            let left = HumanDuration(self.bar.eta());
            eprintln!("{done}/{planned} {}, {left} left  {}", self.unit, self.bar.message());
        }
    }

    /// Changes the text after the numbers.
    pub fn say(&self, message: String) {
        self.bar.set_message(message);
    }

    /// Removes the bar.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}
