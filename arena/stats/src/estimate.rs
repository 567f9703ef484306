//! An estimate with its uncertainty.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::normal::{two_sided, Z_95};

/// A value with a 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The value itself.
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
        Self::within(samples, Z_95)
    }

    /// Mean of samples, with an interval that misses the truth with probability `alpha`.
    pub fn of_at(samples: &[f64], alpha: f64) -> Self {
        Self::within(samples, two_sided(alpha))
    }

    fn within(samples: &[f64], z: f64) -> Self {
        let count = samples.len() as f64;
        let mean = if samples.is_empty() { 0.5 } else { samples.iter().sum::<f64>() / count };
        let (padded, padded_count) = ([0.0, 0.0, 1.0, 1.0].iter().chain(samples), count + 4.0);
        let centre = padded.clone().sum::<f64>() / padded_count;
        let variance = padded.map(|x| (x - centre).powi(2)).sum::<f64>() / (padded_count - 1.0);
        let half = z * (variance / padded_count).sqrt();
        Self { mean, low: (centre - half).max(0.0).min(mean), high: (centre + half).min(1.0).max(mean) }
    }

    /// A normally distributed value with its standard error.
    pub fn normal(mean: f64, standard_error: f64) -> Self {
        let half = Z_95 * standard_error;
        Self { mean, low: mean - half, high: mean + half }
    }

    /// Half the interval's width: what stands behind the ± sign, also where the interval isn't symmetric.
    pub fn error(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// `12.3 (95 %: -4.5 to 29.1)`, with one digit behind the point or as many as the format says, and with all signs
/// if it says `+`.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (digits, Self { mean, low, high }) = (f.precision().unwrap_or(1), self);
        if f.sign_plus() {
            write!(f, "{mean:+.digits$} (95 %: {low:+.digits$} to {high:+.digits$})")
        } else {
            write!(f, "{mean:.digits$} (95 %: {low:.digits$} to {high:.digits$})")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn it_is_shown_with_its_interval() {
        let estimate = Estimate { mean: 12.34, low: -4.5, high: 29.06 };
        assert_eq!(estimate.to_string(), "12.3 (95 %: -4.5 to 29.1)");
        assert_eq!(format!("{estimate:.0}"), "12 (95 %: -4 to 29)");
        assert_eq!(format!("{estimate:+}"), "+12.3 (95 %: -4.5 to +29.1)");
    }
}
