//! Measures the machine's own latency while games are played, with a bot that only echoes.

use std::fmt;
use std::io;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::bot::{Bot, Reply};
use crate::process::command_line::CommandLine;
use crate::process::{self, Process};
use crate::text::millis;
use coppice_stats::Times;

/// The subcommand that is the idle bot.
pub const IDLE_COMMAND: &str = "echo";

/// The end of the names of programs that have this subcommand: `arena`, and `NAME-arena` as `arena new` writes it.
const PROGRAM: &str = "arena";

/// Interval between two measurements: frequent enough to see what disturbs bots, rare enough not to disturb them.
const PAUSE: Duration = Duration::from_millis(50);

/// If a line takes longer than this, measuring ends.
const PATIENCE: Duration = Duration::from_secs(10);

/// Round trips of a line to an idle process and back.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Noise {
    /// The number of round trips; at least one.
    pub trips: usize,
    /// The median.
    pub p50_ms: f64,
    /// The 99th percentile.
    pub p99_ms: f64,
    /// The slowest: a bot's delay of this length may be the machine's.
    pub max_ms: f64,
    /// Milliseconds of processor time that the machine's host kept from it meanwhile, of all processors together;
    /// `None` where the system doesn't tell.
    #[serde(default)]
    pub stolen_ms: Option<f64>,
}

impl Noise {
    /// Starts to measure, with this program as the idle bot; `None` if the program isn't an arena by its name.
    pub fn start() -> Prober {
        let program = std::env::current_exe().ok();
        let program = program
            .filter(|path| path.file_stem().is_some_and(|stem| stem.to_string_lossy().ends_with(PROGRAM)));
        program.map_or_else(Prober::idle, |path| Self::start_with(CommandLine::new(path, &[IDLE_COMMAND])))
    }

    /// Starts measuring with the given idle bot, which answers each line with a line and exits when its input ends.
    pub fn start_with(idle_bot: CommandLine) -> Prober {
        let (stop, stopped) = mpsc::channel::<()>();
        let stolen_before = process::stolen_time();
        let measure = move || {
            let mut trips_ms = Vec::new();
            let Ok(mut bot) = Process::start(&idle_bot) else { return trips_ms };
            // The first round trip includes the start of the process.
            let mut is_first = true;
            while let Reply::Answer { after, .. } = bot.ask("0\n", 1, PATIENCE) {
                if !is_first {
                    trips_ms.push(millis(after));
                }
                is_first = false;
                if stopped.recv_timeout(PAUSE) != Err(RecvTimeoutError::Timeout) {
                    break;
                }
            }
            trips_ms
        };
        match thread::Builder::new().name("noise".to_owned()).spawn(measure) {
            Ok(thread) => Prober { running: Some((stop, thread)), stolen_before },
            Err(_) => Prober::idle(),
        }
    }

    fn of(trips_ms: &[f64], stolen: Option<Duration>) -> Option<Self> {
        let Times { count, p50_ms, p99_ms, max_ms } = Times::of(trips_ms);
        (count > 0).then_some(Self { trips: count, p50_ms, p99_ms, max_ms, stolen_ms: stolen.map(millis) })
    }
}

/// The noise of one of several machines.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MachineNoise {
    /// The machine's name.
    pub machine: String,
    /// The number of games that it has played.
    pub games: u32,
    /// The machine's delays, if they were measured.
    pub noise: Option<Noise>,
}

/// A line, without a line end.
impl fmt::Display for MachineNoise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { machine, games, noise } = self;
        write!(f, "{machine}: {games} game{}", if *games == 1 { "" } else { "s" })?;
        noise.iter().try_for_each(|noise| {
            write!(f, "; ")?;
            noise.figures(f)
        })
    }
}

/// A line, without a line end.
impl fmt::Display for Noise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "machine: ")?;
        self.figures(f)
    }
}

impl Noise {
    fn figures(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { p50_ms, p99_ms, max_ms, stolen_ms, .. } = self;
        write!(f, "round trips of an idle bot {p50_ms:.2} / {p99_ms:.2} / {max_ms:.2} ms (50 / 99 / 100 %)")?;
        match stolen_ms {
            Some(ms) if *ms > 0.0 => write!(f, "; its host took {:.2} s of processor time", ms / 1e3),
            _ => Ok(()),
        }
    }
}

/// Measures until it is finished or dropped.
#[derive(Debug)]
pub struct Prober {
    running: Option<(Sender<()>, JoinHandle<Vec<f64>>)>,
    stolen_before: Option<Duration>,
}

impl Prober {
    fn idle() -> Self {
        Self { running: None, stolen_before: None }
    }

    /// Ends the idle bot; `None` if nothing was measured.
    pub fn finish(mut self) -> Option<Noise> {
        let trips_ms = self.stop()?;
        let stolen = process::stolen_time().zip(self.stolen_before);
        Noise::of(&trips_ms, stolen.map(|(now, before)| now.saturating_sub(before)))
    }

    fn stop(&mut self) -> Option<Vec<f64>> {
        let (stop, thread) = self.running.take()?;
        drop(stop);
        thread.join().ok()
    }
}

impl Drop for Prober {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Runs the idle bot: echoes each line until its input ends or its output is closed.
pub fn answer_at_once(input: impl io::BufRead, mut out: impl io::Write) {
    for line in input.lines() {
        let answered = line.and_then(|line| writeln!(out, "{line}")).and_then(|()| out.flush());
        if answered.is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_for_a_line() {
        let mut out = Vec::new();
        answer_at_once("1\n2\n".as_bytes(), &mut out);
        assert_eq!(out, b"1\n2\n");
    }

    #[test]
    fn noise_is_one_line() {
        let trips = (1..=200).map(|i| f64::from(i) / 100.0).collect::<Vec<_>>();
        let noise = Noise::of(&trips, Some(Duration::ZERO)).unwrap();
        let expected = "machine: round trips of an idle bot 1.00 / 1.98 / 2.00 ms (50 / 99 / 100 %)";
        assert_eq!((noise.trips, noise.to_string().as_str()), (200, expected));
        let disturbed = Noise::of(&trips, Some(Duration::from_millis(1230))).unwrap().to_string();
        assert_eq!(disturbed, format!("{expected}; its host took 1.23 s of processor time"));
        assert_eq!(Noise::of(&[], None), None);
    }

    #[test]
    fn what_cannot_be_measured_is_no_failure() {
        // This test program isn't `arena`, and must not be started as the idle bot.
        assert_eq!(Noise::start().finish(), None);
        assert_eq!(Noise::start_with(CommandLine::new("./no/such/program", &[])).finish(), None);
        drop(Noise::start_with(CommandLine::new("./no/such/program", &[])));
    }
}
