//! The few statistics that results are given with.

use serde::{Deserialize, Serialize};

/// The normal distribution's 97.5 % quantile: two-sided 95 %.
const Z_95: f64 = 1.959_963_984_540_054;

/// A mean of values between 0 and 1 with a 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Estimate {
    /// From independent samples between 0 and 1.
    ///
    /// The interval is the normal one over the samples and four invented ones, two 0 and two 1, as Agresti and
    /// Coull advise ("Approximate is better than 'exact'", 1998): with a few equal samples the variance alone
    /// would pretend to certainty.
    pub fn of(samples: &[f64]) -> Self {
        let count = samples.len() as f64;
        let mean = if samples.is_empty() { 0.5 } else { samples.iter().sum::<f64>() / count };
        let (padded, padded_count) = ([0.0, 0.0, 1.0, 1.0].iter().chain(samples), count + 4.0);
        let centre = padded.clone().sum::<f64>() / padded_count;
        let variance = padded.map(|x| (x - centre).powi(2)).sum::<f64>() / (padded_count - 1.0);
        let half = Z_95 * (variance / padded_count).sqrt();
        Self { mean, low: (centre - half).max(0.0).min(mean), high: (centre + half).min(1.0).max(mean) }
    }
}

/// Answer times in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Times {
    /// How many answers.
    pub count: usize,
    /// The median; 0 without answers, as are the others.
    pub p50_ms: f64,
    /// 99 of 100 were not slower.
    pub p99_ms: f64,
    /// The slowest.
    pub max_ms: f64,
}

impl Times {
    /// From times in any order.
    pub fn of(times_ms: &[f64]) -> Self {
        let mut sorted = times_ms.to_vec();
        sorted.sort_by(f64::total_cmp);
        let at = |percent| percentile(&sorted, percent).unwrap_or(0.0);
        Self { count: sorted.len(), p50_ms: at(50), p99_ms: at(99), max_ms: at(100) }
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
    }

    #[test]
    fn an_interval_by_hand() {
        // With two 0 and two 1: centre 0.5, squares 6 * 0.25 + 2 * 0 over 7, so the half width is
        // 1.96 * sqrt(0.214286 / 8).
        let estimate = Estimate::of(&[0.0, 1.0, 0.5, 0.5]);
        assert!((estimate.mean - 0.5).abs() < 1e-12);
        assert!((estimate.low - 0.179_226).abs() < 1e-5, "{estimate:?}");
        assert!((estimate.high - 0.820_774).abs() < 1e-5, "{estimate:?}");
    }

    #[test]
    fn equal_samples_leave_doubt_that_shrinks() {
        let few = Estimate::of(&[1.0; 3]);
        let many = Estimate::of(&[1.0; 300]);
        assert!(few.mean == 1.0 && few.high == 1.0 && few.low < 0.6, "{few:?}");
        assert!(many.low > 0.98 && many.low < 1.0, "{many:?}");
    }
}
