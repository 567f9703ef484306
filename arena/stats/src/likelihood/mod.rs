//! The most likely distribution of scores under a constraint.
//!
//! Michel Van den Bergh, *Comments on normalized Elo*: proposition 1.1 for a given mean, section 4.1 for a
//! given t-value. Every distribution is checked before it is returned: it sums to 1 and meets its constraint.

mod tilt;

#[cfg(test)]
mod laws;
#[cfg(test)]
mod reference;

use tilt::tilted;

/// A distribution over scores: each with its probability, which is above 0.
pub(super) type Distribution = Vec<(f64, f64)>;

/// The largest deviation of the sum of probabilities from 1, and of a constraint from its value.
const TOLERANCE: f64 = 1e-9;

/// The number of points, evenly spaced on a logarithmic scale, at which maxima are looked for. With 32 two maxima of
/// (0, 55, 353412, 17, 0) were taken for one.
const SCANNED: u32 = 128;

/// Limit of steps; bisection alone ends earlier.
const MOST_STEPS: u32 = 120;

/// No distribution was found that satisfies its own equations.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error(
    "internal error: no distribution of scores with {constraint} {value} was found, so the likelihood ratio is \
     unknown; please report the counts of the pairs"
)]
pub struct LikelihoodError {
    /// The constrained quantity.
    constraint: &'static str,
    /// The value that it was to have.
    value: f64,
}

/// The most likely distribution with the mean `mean`, given the one observed, which has scores on both sides
/// of it (proposition 1.1).
pub(super) fn with_mean(observed: &[(f64, f64)], mean: f64) -> Result<Distribution, LikelihoodError> {
    let directions = observed.iter().map(|&(score, _)| score - mean).collect::<Vec<_>>();
    tilted(observed, &directions)
        .filter(|found| sums_to_one(found) && (Moments::of(found).mean - mean).abs() <= TOLERANCE)
        .ok_or(LikelihoodError { constraint: "the mean", value: mean })
}

/// The most likely distribution whose mean lies `t_value` of its standard deviations above one half, given
/// the one observed, which has the scores 0 and 1.
///
/// The constraint is not linear in the probabilities. Section 4.1 makes it so around an estimate, solves, and repeats:
/// a maximum is a fixed point. With m the mean above one half, the derivative of the constraint at a score u above
/// one half is c u² / m - 2 u + m, where c = t² / (1 + t²), so that the estimate is the single number m. Far from even,
/// or where nearly all scores are equal, there are several fixed points; all of them are found by a scan over m, and the
/// most likely one is returned.
pub(super) fn with_t_value(observed: &[(f64, f64)], t_value: f64) -> Result<Distribution, LikelihoodError> {
    if t_value == 0.0 {
        return with_mean(observed, 0.5);
    }
    if t_value < 0.0 {
        // Seen from the other side.
        let mirrored = observed.iter().rev().map(|&(score, p)| (1.0 - score, p)).collect::<Vec<_>>();
        let found =
            with_t_value(&mirrored, -t_value).map_err(|error| LikelihoodError { value: t_value, ..error })?;
        let back = found.iter().rev().zip(observed);
        return Ok(back.map(|(&(_, p), &(score, _))| (score, p)).collect());
    }
    let constraint = Constraint { observed, t_value };
    let is_solution = |found: &Distribution| {
        let Moments { mean, deviation } = Moments::of(found);
        sums_to_one(found) && ((mean - 0.5) / deviation - t_value).abs() <= TOLERANCE
    };
    constraint
        .maxima()
        .into_iter()
        .filter(is_solution)
        .max_by(|a, b| log_likelihood(observed, a).total_cmp(&log_likelihood(observed, b)))
        .ok_or(LikelihoodError { constraint: "the t-value", value: t_value })
}

/// Whether the probabilities are those of a distribution.
fn sums_to_one(distribution: &[(f64, f64)]) -> bool {
    let total = distribution.iter().map(|(_, p)| p).sum::<f64>();
    (total - 1.0).abs() <= TOLERANCE && distribution.iter().all(|&(_, p)| p > 0.0)
}

/// The mean log-likelihood of an observation.
fn log_likelihood(observed: &[(f64, f64)], distribution: &[(f64, f64)]) -> f64 {
    observed.iter().zip(distribution).map(|(o, d)| o.1 * d.1.ln()).sum()
}

/// Mean and standard deviation.
#[derive(Debug, Clone, Copy)]
struct Moments {
    mean: f64,
    deviation: f64,
}

impl Moments {
    fn of(distribution: &[(f64, f64)]) -> Self {
        let mean = distribution.iter().map(|(score, p)| score * p).sum::<f64>();
        let variance = distribution.iter().map(|(score, p)| (score - mean).powi(2) * p).sum::<f64>();
        Self { mean, deviation: variance.sqrt() }
    }
}

/// That the mean lies `t_value`, which is above 0, of the standard deviations above one half.
struct Constraint<'a> {
    observed: &'a [(f64, f64)],
    t_value: f64,
}

/// The distribution that the constraint, linearised around an estimate, leads to.
struct Step {
    /// The estimate: a mean above one half.
    from: f64,
    /// How far the new mean is above the estimate.
    rise: f64,
    distribution: Distribution,
}

impl Constraint<'_> {
    /// The linearised constraint's most likely distribution; `None` if no distribution meets it.
    fn step(&self, from: f64) -> Option<Step> {
        let c = self.t_value.powi(2) / (1.0 + self.t_value.powi(2));
        let direction = |&(score, _): &(f64, f64)| {
            let u = score - 0.5;
            // Negative at probable scores, so that the order is that of the means.
            c * u * u / from - 2.0 * u + from
        };
        let distribution = tilted(self.observed, &self.observed.iter().map(direction).collect::<Vec<_>>())?;
        let rise = distribution.iter().map(|(score, p)| (score - 0.5) * p).sum::<f64>() - from;
        Some(Step { from, rise, distribution })
    }

    /// The fixed points that are maxima: the mean rises below each and falls above it.
    ///
    /// An estimate m can be solved if a score u has u/m between k - r and k + r, with k = 1 + 1/t² and r² = k (k - 1).
    /// At the lower end of such a range the mean rises to that of the range's lowest score, at the upper end it falls to
    /// that of its highest.
    fn maxima(&self) -> Vec<Distribution> {
        let k = 1.0 + self.t_value.powi(-2);
        let reach = k + (k * (k - 1.0)).sqrt();
        let above = self.observed.iter().map(|(score, _)| score - 0.5).filter(|&u| u > 0.0);
        let lowest = above.fold(0.5, f64::min) / reach;
        let ratio = (0.5 / lowest).powf(f64::from(SCANNED).recip());
        let mut found = Vec::new();
        let mut before: Option<Step> = None;
        let mut low = lowest;
        for _ in 0..SCANNED {
            let high = low * ratio;
            let here = self.step(high);
            let rises_below = before.as_ref().is_none_or(|step| step.rise >= 0.0);
            let falls_above = here.as_ref().is_none_or(|step| step.rise < 0.0);
            if rises_below && falls_above && !(before.is_none() && here.is_none()) {
                found.extend(self.between(low, before.take(), high, &here));
            }
            (before, low) = (here, high);
        }
        found
    }

    /// The fixed point between an estimate from which the mean rises and one from which it falls; one without a step lies
    /// outside of what can be solved. `None` if its mean isn't the estimate's.
    fn between(
        &self,
        low: f64,
        rising: Option<Step>,
        high: f64,
        falling: &Option<Step>,
    ) -> Option<Distribution> {
        let (mut low, mut high) = (low.ln(), high.ln());
        let mut ends = [rising.map(|step| step.rise), falling.as_ref().map(|step| step.rise)];
        let mut best: Option<Step> = None;
        for _ in 0..MOST_STEPS {
            // The secant's zero (Illinois: an end that stays counts half), or the middle where it isn't inside.
            let secant = match ends {
                [Some(up), Some(down)] if up > down => low + (high - low) * up / (up - down),
                _ => f64::NAN,
            };
            let at = if secant > low && secant < high { secant } else { low + (high - low) / 2.0 };
            if at <= low || at >= high {
                break;
            }
            match self.step(at.exp()) {
                None if ends[0].is_none() => low = at,
                None => high = at,
                Some(step) => {
                    let rise = step.rise;
                    let is_settled = rise.abs() <= 1e-14 * step.from;
                    if best.as_ref().is_none_or(|best| rise.abs() < best.rise.abs()) {
                        best = Some(step);
                    }
                    if is_settled {
                        break;
                    }
                    if rise >= 0.0 {
                        (low, ends) = (at, [Some(rise), ends[1].map(|down| down / 2.0)]);
                    } else {
                        (high, ends) = (at, [ends[0].map(|up| up / 2.0), Some(rise)]);
                    }
                }
            }
        }
        best.filter(|step| step.rise.abs() <= TOLERANCE * step.from).map(|step| step.distribution)
    }
}

#[cfg(test)]
mod tests {
    use coppice::rng::Rng;

    use super::*;

    /// Distributions over five cells, among them very uneven ones.
    fn samples() -> impl Iterator<Item = Distribution> {
        let mut rng = Rng::new(7);
        (0..2000).map(move |_| {
            let weights = [0.0, 0.25, 0.5, 0.75, 1.0].map(|score| {
                let uniform = f64::from(rng.below(1 << 20) + 1) / f64::from(1 << 20);
                (score, uniform.powi(1 + rng.below(9) as i32).max(1e-6))
            });
            let total = weights.iter().map(|(_, weight)| weight).sum::<f64>();
            weights.map(|(score, weight)| (score, weight / total)).to_vec()
        })
    }

    /// Slightly other distributions that meet the constraint as well are less likely.
    #[test]
    fn none_is_likelier() {
        for observed in samples().take(200) {
            let best = with_t_value(&observed, 0.1).unwrap();
            let most = log_likelihood(&observed, &best);
            for other in samples().skip(200).take(20) {
                let mixed = observed.iter().zip(&other).map(|(o, x)| (o.0, 0.9 * o.1 + 0.1 * x.1));
                let rival = with_t_value(&mixed.collect::<Vec<_>>(), 0.1).unwrap();
                assert!(log_likelihood(&observed, &rival) <= most + 1e-9, "{observed:?} {other:?}");
            }
        }
    }

    #[test]
    fn what_meets_the_constraint_stays() {
        let observed = vec![(0.0, 0.3), (0.5, 0.4), (1.0, 0.3)];
        for result in [with_mean(&observed, 0.5), with_t_value(&observed, 0.0)] {
            let result = result.unwrap();
            assert!(observed.iter().zip(&result).all(|(a, b)| (a.1 - b.1).abs() < 1e-9), "{result:?}");
        }
    }

    #[test]
    fn what_no_distribution_meets_is_an_error() {
        let error = with_mean(&[(0.0, 0.5), (0.5, 0.5)], 0.7).unwrap_err();
        assert!(
            error.to_string().starts_with("internal error: no distribution of scores with the mean 0.7"),
            "{error}"
        );
        // A probability that isn't one, as a solver's mistake would leave it.
        assert!(!sums_to_one(&[(0.0, 2e14), (1.0, 0.5)]) && !sums_to_one(&[(0.0, 1.5), (1.0, -0.5)]));
        assert!(!sums_to_one(&[(0.0, f64::NAN), (1.0, 1.0)]));
    }
}
