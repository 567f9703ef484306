//! Progress output of a long run: a bar on a terminal, otherwise an occasional line.

use std::fmt::Display;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::text::readable;
use crate::text::terminal::Wrapping;

/// Shorter runs print no progress.
const QUIET: Duration = Duration::from_secs(1);

/// Interval between two lines without a terminal.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// Interval between two texts on a terminal, if they take time to make.
const BETWEEN_TEXTS: Duration = Duration::from_millis(100);

/// The progress of a run, on the standard error.
pub struct Progress {
    bar: ProgressBar,
    noun: &'static str,
    start: Instant,
    last_line: Instant,
    done: usize,
    planned: usize,
    message: String,
    is_terminal: bool,
}

impl Progress {
    /// The progress of a run that begins now.
    pub fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let now = Instant::now();
        let mut progress = Self {
            bar,
            noun: "",
            start: now,
            last_line: now,
            done: 0,
            planned: 0,
            message: String::new(),
            is_terminal: std::io::stderr().is_terminal(),
        };
        progress.count("games");
        progress
    }

    /// Names what is counted, in the plural.
    pub fn count(&mut self, noun: &'static str) {
        self.noun = noun;
        let template = format!("{{bar:24}} {{pos}}/{{len}} {noun}, {{eta}} left  {{wide_msg}}");
        if let Ok(style) = ProgressStyle::with_template(&template) {
            self.bar.set_style(style);
        }
    }

    /// Sets the number of planned games, and how many of them had been played before.
    pub fn begin(&mut self, done: usize, planned: usize) {
        (self.done, self.planned) = (done, planned);
        self.bar.set_length(planned as u64);
        self.bar.set_position(done as u64);
        self.bar.reset_eta();
    }

    /// Counts a finished game.
    pub fn advance(&mut self) {
        self.done += 1;
        self.bar.inc(1);
    }

    /// Whether a new text would be seen: enough time has passed since the last one.
    pub fn is_due(&self) -> bool {
        let between = if self.is_terminal { BETWEEN_TEXTS } else { BETWEEN_LINES };
        let now = Instant::now();
        now.duration_since(self.start) >= QUIET && now.duration_since(self.last_line) >= between
    }

    /// Changes the text after the numbers.
    pub fn update(&mut self, message: impl Display) {
        self.message = message.to_string();
        self.show();
    }

    /// Prints a line above the bar.
    pub fn say(&self, text: impl Display) {
        self.bar.suspend(|| {
            let _ = writeln!(Wrapping::new(std::io::stderr()), "{}", readable(&text.to_string()));
        });
    }

    /// Removes the bar.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }

    fn show(&mut self) {
        let now = Instant::now();
        if now.duration_since(self.start) < QUIET {
            return;
        }
        if self.is_terminal {
            if self.bar.is_hidden() {
                self.bar.set_draw_target(ProgressDrawTarget::stderr());
            }
            self.last_line = now;
            self.bar.set_message(self.message.clone());
        } else if now.duration_since(self.last_line) >= BETWEEN_LINES {
            self.last_line = now;
            let _ = writeln!(
                std::io::stderr(),
                "{} of {} {}; {}",
                self.done,
                self.planned,
                self.noun,
                self.message
            );
        }
    }
}

impl Default for Progress {
    fn default() -> Self {
        Self::new()
    }
}
