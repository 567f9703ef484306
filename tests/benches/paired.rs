//! Two things measured against each other in one process, in turns, so that what the machine does
//! beside them hits both alike.

use std::time::{Duration, Instant};

/// Work done and the time that it took.
#[derive(Default)]
pub struct Timed {
    /// In any unit.
    pub work: u64,
    /// In all.
    pub time: Duration,
}

impl Timed {
    /// Does some work and adds it, and its time, to what was done before. What is prepared outside
    /// of `work` (tables, trees) isn't counted.
    pub fn add(&mut self, work: impl FnOnce() -> u64) {
        let start = Instant::now();
        self.work += work();
        self.time += start.elapsed();
    }

    /// Work a second.
    pub fn rate(&self) -> f64 {
        self.work as f64 / self.time.as_secs_f64()
    }
}

/// Rates of two sides over the same rounds, in work per second.
pub struct Paired {
    /// One a round.
    pub ours: Vec<f64>,
    /// One a round.
    pub theirs: Vec<f64>,
}

/// Runs each side once a round, after one round that doesn't count.
pub fn measure(rounds: usize, mut ours: impl FnMut() -> Timed, mut theirs: impl FnMut() -> Timed) -> Paired {
    let mut paired = Paired { ours: Vec::new(), theirs: Vec::new() };
    for round in 0..=rounds {
        let (a, b) = (ours(), theirs());
        if round > 0 {
            paired.ours.push(a.rate());
            paired.theirs.push(b.rate());
        }
    }
    paired
}

impl Paired {
    /// The ratio of the rates, by rounds: geometric mean and half of its 95 % interval.
    pub fn ratio(&self) -> (f64, f64) {
        let logs: Vec<f64> = self.ours.iter().zip(&self.theirs).map(|(a, b)| (a / b).ln()).collect();
        let n = logs.len() as f64;
        let mean = logs.iter().sum::<f64>() / n;
        let variance = logs.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0);
        (mean.exp(), mean.exp() * 1.96 * (variance / n).sqrt())
    }

    /// One line of the report.
    pub fn print(&self, what: &str, unit: &str, scale: f64, bar: f64) {
        let median = |rates: &[f64]| {
            let mut rates = rates.to_vec();
            rates.sort_by(f64::total_cmp);
            rates[rates.len() / 2] / scale
        };
        let (ratio, error) = self.ratio();
        println!(
            "{what:<28} {:>8.2} {:>8.2} {unit:<12} {ratio:>6.2} ± {error:.2}  (bar {bar}: {})",
            median(&self.ours),
            median(&self.theirs),
            if ratio >= bar { "met" } else { "MISSED" }
        );
    }
}
