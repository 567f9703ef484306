//! Fits a quadratic model of strength to all games of a tuning run by maximum likelihood.
//!
//! A bot's strength in Elo, relative to its strength at the centre c, is g'u + u'Hu/2 with u = x - c; the probability
//! of a win is the logistic function of Elo, as in Bradley and Terry, *Rank Analysis of Incomplete Block
//! Designs*, 1952.
//! Games determine only differences of strength. The coefficients have a normal prior (ridge regression: Hoerl and
//! Kennard, 1970), so that the fit exists for any number of games; a coefficient that the games don't determine keeps
//! the prior's error. The errors are Laplace's: from the curvature of the likelihood at its maximum,
//! times the dispersion of the scores, which draws and equal seeds make smaller than that of single games
//! (McCullagh and Nelder, *Generalized Linear Models*, 1989, section 4.5). Since each trial depends on the results
//! before it, the errors are a little too small: in simulated tunes 104 of 120 of the 95 % intervals held the truth.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

/// Elo to the natural logarithm of the odds.
const LOG_ODDS: f64 = std::f64::consts::LN_10 / 400.0;

/// The prior's standard deviation of a slope, in Elo over the whole range.
const SLOPE_PRIOR: f64 = 400.0;

/// The prior's standard deviation of a second derivative: a loss of 400 Elo from the middle of the range to
/// its edge is 3,200.
const CURVATURE_PRIOR: f64 = 3200.0;

/// The prior's standard deviation of the strength a quarter of the range from the centre.
const QUARTER_PRIOR: f64 = 141.0;

/// With more parameters than this, interactions are left out: they would have hundreds of coefficients.
pub const MOST_TOGETHER: usize = 10;

/// Maximum number of Newton steps, far more than convergence takes.
const MOST_STEPS: usize = 200;

/// A derivative of less than this share of the sizes of its terms is 0.
const BALANCED: f64 = 1e-8;

/// The longest Newton step that may remain, in Elo over the whole range.
const SETTLED: f64 = 1e-4;

/// A Newton step ends where the slope along it, as a share of that at its beginning, is in this range.
const SLOPES: std::ops::RangeInclusive<f64> = -0.1..=0.5;

/// The share of a Newton step to which its end is found.
const RESOLUTION: f64 = 1e-9;

/// A trial's result: two points of the unit cube, and the mean score of the first, from 0 to 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    /// The points.
    pub points: [Vec<f64>; 2],
    /// The mean score of the first.
    pub score: f64,
    /// The number of games.
    pub games: u32,
}

/// A quadratic model of strength over the unit cube.
#[derive(Debug, Clone)]
pub struct Fit {
    centre: Vec<f64>,
    coefficients: Vec<f64>,
    precision: Precision,
}

/// The Cholesky factor of the coefficients' precision, the inverse of their covariance.
type Precision = Cholesky<f64, Dyn>;

/// A difference of strengths in Elo.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// The estimate.
    pub elo: f64,
    /// Standard error of the value.
    pub standard_error: f64,
    /// The standard error without any game.
    pub prior: f64,
}

impl Difference {
    /// Whether the games tell much more than the prior: they at least halve the standard error, and to that of a quarter of
    /// the range where the points are farther apart.
    pub fn is_told(&self) -> bool {
        self.standard_error <= 0.5 * self.prior.min(QUARTER_PRIOR)
    }

    /// Half the width of the 95 % interval.
    pub fn error(&self) -> f64 {
        1.96 * self.standard_error
    }
}

impl Fit {
    /// Fits the results, around `centre`.
    pub fn new(centre: &[f64], seen: &[Seen]) -> Self {
        let rows: Vec<Row> = seen.iter().map(|seen| Row::new(centre, seen)).collect();
        let ridge: Vec<f64> = priors(centre.len()).map(|prior| prior.powi(-2)).collect();
        let plain = Posterior { rows: &rows, ridge, dispersion: 1.0 };
        let dispersion = dispersion(&rows, &plain.maximum().0);
        let (coefficients, precision) = Posterior { dispersion, ..plain }.maximum();
        Self { centre: centre.to_vec(), coefficients, precision }
    }

    /// The strength at `to` minus that at `from`.
    pub fn difference(&self, from: &[f64], to: &[f64]) -> Difference {
        let features = between(&self.centre, from, to);
        let prior = features.iter().zip(priors(self.centre.len())).map(|(f, prior)| (f * prior).powi(2));
        Difference {
            elo: dot(&features, &self.coefficients),
            standard_error: standard_error(&self.precision, &features),
            prior: prior.sum::<f64>().sqrt(),
        }
    }

    /// The interaction of two parameters: the gain of moving both by `step` beyond the sum of moving each
    /// alone, in Elo;
    /// `None` if interactions were left out.
    pub fn together(&self, first: usize, second: usize, step: f64) -> Option<Difference> {
        let count = self.centre.len();
        let at = pairs(count).position(|pair| pair == (first, second))? + 2 * count;
        let mut features = vec![0.0; self.coefficients.len()];
        features[at] = step * step;
        let standard_error = standard_error(&self.precision, &features);
        let elo = dot(&features, &self.coefficients);
        Some(Difference { elo, standard_error, prior: step * step * CURVATURE_PRIOR })
    }
}

/// A trial as features.
struct Row {
    features: Vec<f64>,
    score: f64,
    games: f64,
}

impl Row {
    fn new(centre: &[f64], seen: &Seen) -> Self {
        let [first, second] = &seen.points;
        Self { features: between(centre, second, first), score: seen.score, games: f64::from(seen.games) }
    }

    /// The probabilities that the first wins and that it loses.
    fn chances(&self, coefficients: &[f64]) -> [f64; 2] {
        let odds = LOG_ODDS * dot(&self.features, coefficients);
        [-odds, odds].map(|odds| 1.0 / (1.0 + odds.exp()))
    }
}

/// The pairs of parameters with an interaction.
fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    let count = if count > MOST_TOGETHER { 0 } else { count };
    (0..count).flat_map(move |i| (i + 1..count).map(move |j| (i, j)))
}

/// The features of a point: for slopes, second derivatives and interactions.
fn features(centre: &[f64], point: &[f64]) -> Vec<f64> {
    let u: Vec<f64> = point.iter().zip(centre).map(|(x, c)| x - c).collect();
    let squares = u.iter().map(|x| x * x / 2.0);
    let mixed = pairs(u.len()).map(|(i, j)| u[i] * u[j]);
    u.iter().copied().chain(squares).chain(mixed).collect()
}

fn between(centre: &[f64], from: &[f64], to: &[f64]) -> Vec<f64> {
    features(centre, to).iter().zip(features(centre, from)).map(|(b, a)| b - a).collect()
}

fn priors(count: usize) -> impl Iterator<Item = f64> {
    let slopes = std::iter::repeat_n(SLOPE_PRIOR, count);
    slopes.chain(std::iter::repeat_n(CURVATURE_PRIOR, count + pairs(count).count()))
}

/// The posterior of the coefficients: the likelihood of all games, divided by the dispersion, times the prior.
struct Posterior<'a> {
    rows: &'a [Row],
    /// The prior's precisions.
    ridge: Vec<f64>,
    dispersion: f64,
}

/// The derivative of the logarithm of the posterior.
struct Gradient {
    values: Vec<f64>,
    /// The sum of the sizes of the terms of each: what rounding errors are measured by.
    sizes: Vec<f64>,
}

impl Gradient {
    /// Whether each derivative is 0, as far as the sum of its terms can tell: the equation of the maximum.
    fn is_zero(&self) -> bool {
        self.values.iter().zip(&self.sizes).all(|(value, size)| value.abs() <= BALANCED * size)
    }
}

impl Posterior<'_> {
    fn gradient(&self, coefficients: &[f64]) -> Gradient {
        let prior = coefficients.iter().zip(&self.ridge);
        let mut values: Vec<f64> = prior.map(|(b, r)| -b * r).collect();
        let mut sizes: Vec<f64> = values.iter().map(|value| value.abs()).collect();
        for row in self.rows {
            let [won, lost] = row.chances(coefficients);
            let scale = LOG_ODDS * row.games / self.dispersion;
            // Not score - won, in which everything cancels where the score is 1.
            let (up, down) = (scale * row.score * lost, scale * (1.0 - row.score) * won);
            for (i, feature) in row.features.iter().enumerate() {
                values[i] += (up - down) * feature;
                sizes[i] += (up + down) * feature.abs();
            }
        }
        Gradient { values, sizes }
    }

    fn precision(&self, coefficients: &[f64]) -> Precision {
        let size = self.ridge.len();
        let mut precision = vec![0.0; size * size];
        (0..size).for_each(|i| precision[i * size + i] = self.ridge[i]);
        for row in self.rows {
            let [won, lost] = row.chances(coefficients);
            let weight = LOG_ODDS * LOG_ODDS * row.games / self.dispersion * won * lost;
            for i in 0..size {
                let weighted = weight * row.features[i];
                let line = &mut precision[i * size..=i * size + i];
                line.iter_mut().zip(&row.features).for_each(|(sum, f)| *sum += weighted * f);
            }
        }
        for i in 0..size {
            (0..i).for_each(|j| precision[j * size + i] = precision[i * size + j]);
        }
        match Cholesky::new(DMatrix::from_vec(size, size, precision)) {
            Some(precision) => precision,
            None => unreachable!("the prior makes it positive definite"),
        }
    }

    /// The most probable coefficients, and their precision, by Newton's method. The logarithm of the posterior is strictly
    /// concave, so there is one maximum.
    ///
    /// # Panics
    /// If the equation of the maximum isn't met after [`MOST_STEPS`]: an internal error.
    fn maximum(&self) -> (Vec<f64>, Precision) {
        let mut coefficients = vec![0.0; self.ridge.len()];
        let mut gradient = self.gradient(&coefficients);
        for _ in 0..MOST_STEPS {
            let precision = self.precision(&coefficients);
            let change = precision.solve(&DVector::from_column_slice(&gradient.values));
            if gradient.is_zero() && change.amax() <= SETTLED {
                return (coefficients, precision);
            }
            // The logistic curve is flat far from its centre, so that a whole step may lead far beyond the maximum:
            // bisection finds where the slope along the step turns.
            let slope = dot(&gradient.values, change.as_slice());
            let (mut low, mut high, mut length) = (0.0, 1.0, 1.0);
            loop {
                let moved = coefficients.iter().zip(change.iter()).map(|(b, c)| b + length * c);
                let next: Vec<f64> = moved.collect();
                let there = self.gradient(&next);
                let left = dot(&there.values, change.as_slice()) / slope;
                let is_end = SLOPES.contains(&left) || length == 1.0 && left > 0.0;
                if is_end || high - low < RESOLUTION || there.is_zero() {
                    (coefficients, gradient) = (next, there);
                    break;
                }
                *(if left < 0.0 { &mut high } else { &mut low }) = length;
                length = (low + high) / 2.0;
            }
        }
        panic!("internal error: the fit of the tuned values did not converge; please report it with the log of the run")
    }
}

/// The scalar product.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// The variance of a linear combination of the coefficients.
fn standard_error(precision: &Precision, features: &[f64]) -> f64 {
    let features = DVector::from_column_slice(features);
    features.dot(&precision.solve(&features)).max(0.0).sqrt()
}

/// The dispersion of the scores relative to single games with a winner; 1 if there are too few to estimate it.
fn dispersion(rows: &[Row], coefficients: &[f64]) -> f64 {
    let free = rows.len() as f64 - coefficients.len() as f64;
    if free < 20.0 {
        return 1.0;
    }
    let scatter = |row: &Row| {
        let [won, lost] = row.chances(coefficients);
        (row.score - won).powi(2) * row.games / (won * lost).max(1e-6)
    };
    (rows.iter().map(scatter).sum::<f64>() / free).clamp(0.05, 4.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use coppice::Rng;

    /// The maximum by bisection of one derivative after another, until all are 0: slow, and without Newton's steps.
    fn slow_maximum(rows: &[Row], ridge: &[f64]) -> Vec<f64> {
        let derivative = |coefficients: &[f64], i: usize| {
            let pull = |row: &Row| {
                let odds = LOG_ODDS * dot(&row.features, coefficients);
                LOG_ODDS * row.games * row.features[i] * (row.score - 1.0 / (1.0 + (-odds).exp()))
            };
            rows.iter().map(pull).sum::<f64>() - ridge[i] * coefficients[i]
        };
        let mut coefficients = vec![0.0; ridge.len()];
        for _ in 0..400 {
            for i in 0..ridge.len() {
                let (mut low, mut high) = (-1e6, 1e6);
                for _ in 0..80 {
                    coefficients[i] = (low + high) / 2.0;
                    match derivative(&coefficients, i) > 0.0 {
                        true => low = coefficients[i],
                        false => high = coefficients[i],
                    }
                }
            }
        }
        coefficients
    }

    /// An accepted fit is the maximum, for results of every kind, from none to a million games a trial.
    #[test]
    fn the_fit_solves_its_equation() {
        let (mut rng, centre) = (Rng::new(8), [0.5]);
        let ridge: Vec<f64> = priors(1).map(|prior| prior.powi(-2)).collect();
        for round in 0..24 {
            let unit = |rng: &mut Rng| f64::from(rng.below(1 << 20)) / f64::from(1 << 20);
            let games = [1, 4, 1000, 1_000_000][rng.below(4) as usize];
            let kind = rng.below(4);
            let count = rng.below(12);
            let seen = (0..count).map(|_| {
                let points = [0, 1].map(|_| vec![unit(&mut rng)]);
                // Lost, won, won by the larger value, or anything.
                let score =
                    [0.0, 1.0, f64::from(u8::from(points[0] > points[1])), unit(&mut rng)][kind as usize];
                Seen { points, score, games }
            });
            let seen: Vec<Seen> = seen.collect();
            let rows: Vec<Row> = seen.iter().map(|seen| Row::new(&centre, seen)).collect();
            let (found, _) = Posterior { rows: &rows, ridge: ridge.clone(), dispersion: 1.0 }.maximum();
            let expected = slow_maximum(&rows, &ridge);
            for (found, expected) in found.iter().zip(&expected) {
                // In Elo.
                assert!(
                    (found - expected).abs() <= 1e-3 * expected.abs().max(1.0),
                    "{round}: {found} and {expected}"
                );
            }
        }
    }

    /// 16 games, all won, of a whole number from 0 to 1: too few to say that it has no effect.
    #[test]
    fn a_wide_interval_tells_nothing() {
        let won = Seen { points: [vec![1.0], vec![0.0]], score: 1.0, games: 2 };
        let difference = Fit::new(&[0.0], &vec![won; 8]).difference(&[0.0], &[1.0]);
        assert!(
            difference.elo > 400.0 && difference.error() > difference.elo && !difference.is_told(),
            "{difference:?}"
        );
        let quarter = Fit::new(&[0.0], &[]).difference(&[0.0], &[0.25]);
        assert!((quarter.prior - QUARTER_PRIOR).abs() < 1.0, "{quarter:?}");
    }

    /// Many parameters, and every trial was won.
    #[test]
    fn a_fit_of_many_parameters_ends() {
        let mut rng = Rng::new(2);
        let mut point = || (0..12).map(|_| f64::from(rng.below(2))).collect::<Vec<_>>();
        let seen: Vec<Seen> =
            (0..500).map(|_| Seen { points: [point(), point()], score: 1.0, games: 4_000_000 }).collect();
        let centre = vec![0.0; 12];
        let fit = Fit::new(&centre, &seen);
        assert!(fit.difference(&seen[0].points[1], &seen[0].points[0]).elo.is_finite());
    }
}
