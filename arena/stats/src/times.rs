//! Statistics of answer times.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Answer times in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Times {
    /// The number of answers.
    pub count: usize,
    /// The median; 0 without answers, like the others.
    pub p50_ms: f64,
    /// The 99th percentile.
    pub p99_ms: f64,
    /// The maximum.
    pub max_ms: f64,
}

impl Times {
    /// Statistics of times in any order.
    pub fn of(times_ms: &[f64]) -> Self {
        let mut sorted = times_ms.to_vec();
        sorted.sort_by(f64::total_cmp);
        let at = |percent| percentile(&sorted, percent).unwrap_or(0.0);
        Self { count: sorted.len(), p50_ms: at(50), p99_ms: at(99), max_ms: at(100) }
    }
}

/// Counts answer times, to the microsecond: memory grows with the number of different times, not of answers.
#[derive(Debug, Clone, Default)]
pub struct TimesTally {
    counts: BTreeMap<u64, usize>,
}

impl TimesTally {
    /// Counts a time in milliseconds.
    pub fn add(&mut self, ms: f64) {
        *self.counts.entry((ms * 1e3).round() as u64).or_default() += 1;
    }

    /// Their statistics.
    pub fn times(&self) -> Times {
        let count = self.counts.values().sum::<usize>();
        let at = |percent: usize| {
            let mut left = (count * percent).div_ceil(100);
            let reached = self.counts.iter().find(|(_, &here)| {
                left = left.saturating_sub(here);
                left == 0
            });
            reached.map_or(0.0, |(&us, _)| us as f64 / 1e3)
        };
        Times { count, p50_ms: at(50), p99_ms: at(99), max_ms: at(100) }
    }
}

/// The nearest-rank percentile: the smallest value that `percent` of 100 values don't exceed.
fn percentile(sorted: &[f64], percent: usize) -> Option<f64> {
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted.get(rank.checked_sub(1)?).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_occurred() {
        let times = (1..=200).rev().map(f64::from).collect::<Vec<_>>();
        let expected = Times { count: 200, p50_ms: 100.0, p99_ms: 198.0, max_ms: 200.0 };
        assert_eq!(Times::of(&times), expected);
        assert_eq!(Times::of(&[7.5]), Times { count: 1, p50_ms: 7.5, p99_ms: 7.5, max_ms: 7.5 });
        assert_eq!(Times::of(&[]), Times::default());
        let mut tally = TimesTally::default();
        assert_eq!(tally.times(), Times::default());
        times.iter().for_each(|&time| tally.add(time + 0.123));
        let shifted = times.iter().map(|time| time + 0.123).collect::<Vec<_>>();
        assert_eq!(tally.times(), Times::of(&shifted));
    }
}
