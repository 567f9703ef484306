//! The most likely distribution of scores under a constraint.
//!
//! Michel Van den Bergh, *Comments on normalized Elo*: proposition 1.1 for a given mean, section 4.1 for a
//! given t-value.

/// A distribution over scores: each with its probability, which is above 0.
pub(super) type Distribution = Vec<(f64, f64)>;

/// Maximum number of iterations, far more than needed, so that every input terminates.
const MOST_STEPS: u32 = 200;
/// Probabilities that change less have settled.
const SETTLED: f64 = 1e-11;

/// The most likely distribution with the mean `mean`, given the one observed, which has scores on both sides
/// of it (proposition 1.1).
pub(super) fn with_mean(observed: &[(f64, f64)], mean: f64) -> Distribution {
    let directions = observed.iter().map(|&(score, _)| score - mean).collect::<Vec<_>>();
    // Infeasible constraints leave the distribution unchanged.
    tilted(observed, &directions).unwrap_or_else(|| observed.to_vec())
}

/// The most likely distribution whose mean lies `t_value` of its standard deviations above one half, given
/// the one observed, which has the scores 0 and 1.
///
/// The constraint is not linear in the probabilities. Section 4.1 makes it so around the last estimate,
/// solves, and repeats. The first estimate is not the uniform distribution as there, but the one of 0 and 1
/// alone that meets the constraint: around it there is a solution for any t-value. Where a step leads out of
/// what can be solved, half of it is tried.
pub(super) fn with_t_value(observed: &[(f64, f64)], t_value: f64) -> Distribution {
    let share = t_value / t_value.hypot(1.0);
    let mut last = Moments { mean: (1.0 + share) / 2.0, deviation: (1.0 - share * share).sqrt() / 2.0 };
    let mut before = last;
    let mut best = observed.to_vec();
    for _ in 0..MOST_STEPS {
        let Some(next) = tilted(observed, &linearised(observed, last, t_value)) else {
            last = last.halfway(before);
            continue;
        };
        let change = next.iter().zip(&best).map(|(a, b)| (a.1 - b.1).abs()).fold(0.0, f64::max);
        before = std::mem::replace(&mut last, Moments::of(&next));
        best = next;
        if change < SETTLED {
            break;
        }
    }
    best
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

    fn halfway(self, other: Self) -> Self {
        Self { mean: (self.mean + other.mean) / 2.0, deviation: (self.deviation + other.deviation) / 2.0 }
    }
}

/// The derivative of the constraint by each probability (section 4.1), around a distribution with these
/// moments: its mean is 0 exactly where the t-value is as wanted.
fn linearised(observed: &[(f64, f64)], around: Moments, t_value: f64) -> Vec<f64> {
    let Moments { mean, deviation } = around;
    let direction =
        |score: f64| score - 0.5 - t_value * deviation / 2.0 * (1.0 + ((score - mean) / deviation).powi(2));
    observed.iter().map(|&(score, _)| direction(score)).collect()
}

/// The most likely distribution under which `directions` have the mean 0: p / (1 + x d) with the x that
/// solves the secular equation, the sum of p d / (1 + x d) being 0 (proposition 1.1). `None` if the
/// directions don't lie on both sides of 0.
fn tilted(observed: &[(f64, f64)], directions: &[f64]) -> Option<Distribution> {
    let lowest = directions.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = directions.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !(lowest < 0.0 && highest > 0.0) {
        return None;
    }
    let terms = || observed.iter().map(|&(_, p)| p).zip(directions.iter().copied());
    // Falling from infinity to minus infinity between these two.
    let (mut low, mut high) = (-1.0 / highest, -1.0 / lowest);
    let mut x = 0.0;
    for _ in 0..MOST_STEPS {
        let value = terms().map(|(p, d)| p * d / (1.0 + x * d)).sum::<f64>();
        let slope = -terms().map(|(p, d)| p * (d / (1.0 + x * d)).powi(2)).sum::<f64>();
        if value > 0.0 {
            low = x;
        } else {
            high = x;
        }
        // Newton's step, or the middle where it would leave the bracket.
        let newton = x - value / slope;
        let next = if newton > low && newton < high { newton } else { (low + high) / 2.0 };
        let step = (next - x).abs();
        x = next;
        if step <= 1e-14 * (1.0 + x.abs()) {
            break;
        }
    }
    Some(observed.iter().zip(directions).map(|(&(score, p), d)| (score, p / (1.0 + x * d))).collect())
}

#[cfg(test)]
mod tests {
    use coppice::rng::Rng;

    use super::*;

    fn total(distribution: &[(f64, f64)]) -> f64 {
        distribution.iter().map(|(_, p)| p).sum()
    }

    fn log_likelihood(observed: &[(f64, f64)], distribution: &[(f64, f64)]) -> f64 {
        observed.iter().zip(distribution).map(|(o, d)| o.1 * d.1.ln()).sum()
    }

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

    #[test]
    fn the_mean_is_as_wanted() {
        for observed in samples() {
            for wanted in [0.2, 0.5, 0.514, 0.9] {
                let found = with_mean(&observed, wanted);
                let (total, mean) = (total(&found), Moments::of(&found).mean);
                assert!((total - 1.0).abs() < 1e-7 && (mean - wanted).abs() < 1e-7, "{observed:?} {wanted}");
            }
        }
    }

    #[test]
    fn the_t_value_is_as_wanted() {
        for observed in samples() {
            for wanted in [-0.8, -0.05, 0.0, 0.02, 0.1, 0.4, 1.0] {
                let found = with_t_value(&observed, wanted);
                let (total, Moments { mean, deviation }) = (total(&found), Moments::of(&found));
                let t_value = (mean - 0.5) / deviation;
                assert!((total - 1.0).abs() < 1e-6, "{observed:?} {wanted} {total}");
                assert!((t_value - wanted).abs() < 1e-6, "{observed:?} {wanted} {t_value}");
            }
        }
    }

    /// Slightly other distributions that meet the constraint as well are less likely.
    #[test]
    fn none_is_likelier() {
        for observed in samples().take(200) {
            let best = with_t_value(&observed, 0.1);
            let most = log_likelihood(&observed, &best);
            for other in samples().skip(200).take(20) {
                let mixed = observed.iter().zip(&other).map(|(o, x)| (o.0, 0.9 * o.1 + 0.1 * x.1));
                let rival = with_t_value(&mixed.collect::<Vec<_>>(), 0.1);
                assert!(log_likelihood(&observed, &rival) <= most + 1e-9, "{observed:?} {other:?}");
            }
        }
    }

    #[test]
    fn what_meets_the_constraint_stays() {
        let observed = vec![(0.0, 0.3), (0.5, 0.4), (1.0, 0.3)];
        for result in [with_mean(&observed, 0.5), with_t_value(&observed, 0.0)] {
            assert!(observed.iter().zip(&result).all(|(a, b)| (a.1 - b.1).abs() < 1e-9), "{result:?}");
        }
    }
}
