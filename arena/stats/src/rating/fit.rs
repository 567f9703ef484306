//! Maximum-likelihood parameters of the rating model, and their uncertainty.
//!
//! The point is that of maximum a posteriori, by Newton's method. The covariance is that of White's sandwich
//! (*Maximum Likelihood Estimation of Misspecified Models*, 1982), `H^-1 J H^-1`: `H` is the information that
//! the model predicts with the prior's, `J` the observed variance of the score vectors of the groups. Few groups
//! estimate it badly, so `J` is mixed with the model's prediction, which counts as [`TRUSTED_VARIANCE`].

use std::collections::BTreeMap;

use nalgebra::{DMatrix, DVector};

use super::meetings::{Meeting, Meetings, Outcome};

/// Standard deviation of the prior on a rating: 500 Elo, worth half a game between equals.
const RATING_PRIOR: f64 = 500.0 / super::ELO_UNIT;
/// Standard deviation of the prior of a seat's advantage.
const SEAT_PRIOR: f64 = 250.0 / super::ELO_UNIT;
/// Centre of the prior on the logarithm of the weight of draws: one game in five between equals.
const DRAWS_CENTRE: f64 = -std::f64::consts::LN_2;
/// Standard deviation of the prior of draws: wide enough for almost no draws and for almost only draws.
const DRAWS_PRIOR: f64 = 2.0;
/// The variance of results that the model's prediction counts as: that of four even pairs of games. A few
/// similar groups would claim certainty; with 8 or more, intervals are too narrow where openings
/// favour a bot (they cover 92 % of 20 pairs in the simulation of the tests; with 2, 94 %).
const TRUSTED_VARIANCE: f64 = 2.0;
/// The precision of a prior that fixes a difference: more than a million games could change.
const TIE: f64 = 1e6;
/// The relative error of a few floating-point operations.
const ROUNDING: f64 = 4.0 * f64::EPSILON;
/// Maximum number of Newton steps, far more than convergence takes.
const MOST_STEPS: u32 = 200;
/// A derivative of less than this share of the sizes of its terms is 0.
const BALANCED: f64 = 1e-8;
/// The longest Newton step that may remain, in natural units; an Elo is 0.006 of them.
const SETTLED: f64 = 1e-6;
/// A Newton step ends where the slope along it, as a share of that at its beginning, is in this range.
const SLOPES: std::ops::RangeInclusive<f64> = -0.1..=0.5;
/// The share of a Newton step to which its end is found.
const RESOLUTION: f64 = 1e-9;

/// Ratings, then seats, then the logarithm of the weight of draws.
pub(super) struct Fit {
    parameters: DVector<f64>,
    covariance: DMatrix<f64>,
    /// The weight of a draw, that of a win and a loss between equals being 1.
    pub(super) draws: f64,
}

impl Fit {
    /// `count` parameters from `first` on with their mean taken off, and the covariance of that.
    pub(super) fn centred(&self, first: usize, count: usize) -> (DVector<f64>, DMatrix<f64>) {
        let off_mean =
            DMatrix::identity(count, count) - DMatrix::from_element(count, count, 1.0 / count as f64);
        let values = &off_mean * self.parameters.rows(first, count);
        let covariance = &off_mean * self.covariance.view((first, first), (count, count)) * &off_mean;
        (values, covariance)
    }
}

pub(super) fn fit(meetings: &Meetings) -> Fit {
    let shape = Shape { bots: meetings.bots(), seats: meetings.seats() };
    let prior = shape.prior();
    let parameters = most_likely(meetings, &prior, shape);
    let Curvature { inverse, variation } = Curvature::at(meetings, &parameters, &prior, shape);
    let covariance = &inverse * variation * &inverse;
    Fit { draws: parameters[shape.draws()].exp(), parameters, covariance }
}

/// The force with which the results pull two bots away from a fixed difference.
pub(super) struct Pull {
    /// The derivative of the log-likelihood by the difference, maximised over everything else. If the
    /// difference were true, this would be a random walk around 0 as games come in.
    pub(super) score: f64,
    /// Variance of `score`, if the difference is true.
    pub(super) variance: f64,
}

/// Fixes bot `a` at `difference` (in natural units) above bot `b`.
pub(super) fn pull(meetings: &Meetings, [a, b]: [usize; 2], difference: f64) -> Pull {
    let shape = Shape { bots: meetings.bots(), seats: meetings.seats() };
    let mut direction = DVector::zeros(shape.size());
    (direction[a], direction[b]) = (1.0, -1.0);
    let free = shape.prior();
    let held = Prior { tie: Some((direction.clone(), difference)), ..shape.prior() };
    let parameters = most_likely(meetings, &held, shape);
    // The constraint's force at the maximum.
    let score = TIE * (direction.dot(&parameters) - difference);
    let Curvature { inverse, variation } = Curvature::at(meetings, &parameters, &free, shape);
    let along = &inverse * &direction;
    let variance = along.dot(&(variation * &along)) / direction.dot(&along).powi(2);
    Pull { score, variance }
}

/// The two matrices of the sandwich estimator.
struct Curvature {
    inverse: DMatrix<f64>,
    variation: DMatrix<f64>,
}

impl Curvature {
    fn at(meetings: &Meetings, parameters: &DVector<f64>, prior: &Prior, shape: Shape) -> Self {
        let expected = Expectation::at(meetings, parameters, shape);
        let hessian = expected.total(|group| &group.information, shape) + prior.precision();
        let variation = expected.total(|group| &group.variation, shape) + prior.precision();
        Self { inverse: invert(hessian), variation }
    }
}

/// The indices of the parameters.
#[derive(Clone, Copy)]
struct Shape {
    bots: usize,
    seats: usize,
}

impl Shape {
    fn draws(self) -> usize {
        self.bots + self.seats
    }

    fn size(self) -> usize {
        self.draws() + 1
    }

    fn prior(self) -> Prior {
        let deviations = [(RATING_PRIOR, self.bots), (SEAT_PRIOR, self.seats), (DRAWS_PRIOR, 1)];
        let weights = deviations.iter().flat_map(|&(sd, count)| std::iter::repeat_n(sd.powi(-2), count));
        let mut centre = DVector::zeros(self.size());
        centre[self.draws()] = DRAWS_CENTRE;
        Prior { weights: DVector::from_iterator(self.size(), weights), centre, tie: None }
    }
}

struct Prior {
    weights: DVector<f64>,
    centre: DVector<f64>,
    /// The fixed value of a direction.
    tie: Option<(DVector<f64>, f64)>,
}

impl Prior {
    fn precision(&self) -> DMatrix<f64> {
        let mut precision = DMatrix::from_diagonal(&self.weights);
        if let Some((direction, _)) = &self.tie {
            precision += direction * direction.transpose() * TIE;
        }
        precision
    }

    /// The derivatives of the density's logarithm, and the sums of the sizes of their terms.
    fn gradient(&self, parameters: &DVector<f64>) -> (DVector<f64>, DVector<f64>) {
        let mut values = -(parameters - &self.centre).component_mul(&self.weights);
        let mut sizes = values.abs();
        if let Some((direction, at)) = &self.tie {
            values -= direction * (TIE * (direction.dot(parameters) - at));
            // The difference cancels: its error is that of its terms.
            let terms = direction.abs().dot(&parameters.abs()) + at.abs();
            sizes += direction.abs() * (TIE * ROUNDING * terms / BALANCED);
        }
        (values, sizes)
    }
}

/// The derivative of the logarithm of the posterior by the parameters.
struct Gradient {
    values: DVector<f64>,
    /// The sum of the sizes of the terms of each: what rounding errors are measured by.
    sizes: DVector<f64>,
}

impl Gradient {
    fn at(meetings: &Meetings, parameters: &DVector<f64>, prior: &Prior, shape: Shape) -> Self {
        let (values, sizes) = prior.gradient(parameters);
        let mut gradient = Self { values, sizes };
        for (group, count) in meetings.groups() {
            for meeting in group {
                Chances::of(meeting, parameters, shape).score(meeting, shape, |at, term| {
                    gradient.values[at] += count as f64 * term;
                    gradient.sizes[at] += count as f64 * term.abs();
                });
            }
        }
        gradient
    }

    /// Whether each derivative is 0, as far as the sum of its terms can tell: the equation of the maximum.
    fn is_zero(&self) -> bool {
        self.values.iter().zip(&self.sizes).all(|(value, size)| value.abs() <= BALANCED * size)
    }
}

/// Newton's method. The logarithm of the posterior is strictly concave, so there is one maximum.
///
/// # Panics
/// If the equation of the maximum isn't met after [`MOST_STEPS`]: an internal error.
fn most_likely(meetings: &Meetings, prior: &Prior, shape: Shape) -> DVector<f64> {
    let gradient_at = |parameters: &DVector<f64>| Gradient::at(meetings, parameters, prior, shape);
    let mut parameters = prior.centre.clone();
    let mut gradient = gradient_at(&parameters);
    for _ in 0..MOST_STEPS {
        let mut hessian = prior.precision();
        for (group, count) in meetings.groups() {
            for meeting in group {
                let chances = Chances::of(meeting, &parameters, shape);
                chances.add_information(meeting, shape, count as f64, &mut hessian);
            }
        }
        let step = invert(hessian) * &gradient.values;
        if gradient.is_zero() && step.amax() <= SETTLED {
            return parameters;
        }
        // Far from the maximum a whole step may lead beyond it: bisection finds where the slope along the step turns.
        let slope = step.dot(&gradient.values);
        let (mut low, mut high, mut length) = (0.0, 1.0, 1.0);
        loop {
            let next = &parameters + &step * length;
            let there = gradient_at(&next);
            let left = step.dot(&there.values) / slope;
            let is_end = SLOPES.contains(&left) || length == 1.0 && left > 0.0;
            if is_end || high - low < RESOLUTION || there.is_zero() {
                (parameters, gradient) = (next, there);
                break;
            }
            *(if left < 0.0 { &mut high } else { &mut low }) = length;
            length = (low + high) / 2.0;
        }
    }
    panic!("internal error: the ratings did not converge; please report it with the file of games")
}

/// The inverse of a matrix that the prior makes positive definite.
fn invert(matrix: DMatrix<f64>) -> DMatrix<f64> {
    match matrix.cholesky() {
        Some(decomposed) => decomposed.inverse(),
        None => unreachable!("the prior makes it positive definite"),
    }
}

/// The probabilities of a meeting's outcomes.
struct Chances {
    loss: f64,
    draw: f64,
    win: f64,
}

impl Chances {
    fn of(meeting: &Meeting, parameters: &DVector<f64>, shape: Shape) -> Self {
        let difference = signs(meeting, shape).iter().map(|&(at, sign)| sign * parameters[at]).sum::<f64>();
        let weights = [-difference / 2.0, parameters[shape.draws()], difference / 2.0];
        let highest = weights.into_iter().fold(f64::NEG_INFINITY, f64::max);
        let total = highest + weights.map(|w| (w - highest).exp()).iter().sum::<f64>().ln();
        let [loss, draw, win] = weights.map(|w| (w - total).exp());
        Self { loss, draw, win }
    }

    /// The expected result: a win 1/2, a loss -1/2.
    fn mean(&self) -> f64 {
        (self.win - self.loss) / 2.0
    }

    fn variance(&self) -> f64 {
        (self.win + self.loss) / 4.0 - self.mean().powi(2)
    }

    /// Calls `add` with the terms of the derivative of the log-likelihood: parameter and value. They are sums of
    /// probabilities: the difference of result and mean would cancel where a result is certain.
    fn score(&self, meeting: &Meeting, shape: Shape, mut add: impl FnMut(usize, f64)) {
        let (surprise, drawn) = match meeting.outcome {
            Outcome::Win => (self.loss + self.draw / 2.0, -self.draw),
            Outcome::Draw => (-self.mean(), self.win + self.loss),
            Outcome::Loss => (-self.win - self.draw / 2.0, -self.draw),
        };
        signs(meeting, shape).into_iter().for_each(|(at, sign)| add(at, sign * surprise));
        add(shape.draws(), drawn);
    }

    /// Adds Fisher's information: the covariance of the derivative.
    fn add_information(&self, meeting: &Meeting, shape: Shape, weight: f64, to: &mut DMatrix<f64>) {
        let draws = shape.draws();
        for (at, sign) in signs(meeting, shape) {
            for (other, other_sign) in signs(meeting, shape) {
                to[(at, other)] += weight * sign * other_sign * self.variance();
            }
            let with_draws = -weight * sign * self.mean() * self.draw;
            to[(at, draws)] += with_draws;
            to[(draws, at)] += with_draws;
        }
        to[(draws, draws)] += weight * self.draw * (1.0 - self.draw);
    }
}

/// The parameters whose sum is the difference between the two, with their signs.
fn signs(meeting: &Meeting, shape: Shape) -> [(usize, f64); 4] {
    let ([a, b], [s, t]) = (meeting.bots, meeting.seats);
    [(a, 1.0), (b, -1.0), (shape.bots + s, 1.0), (shape.bots + t, -1.0)]
}

/// The expected and the observed variance of the groups between the same bots.
struct Expectation {
    by_bots: BTreeMap<Vec<usize>, GroupExpectation>,
}

struct GroupExpectation {
    groups: f64,
    /// Of the results, as sums.
    variance: f64,
    information: DMatrix<f64>,
    /// Of the groups' score vectors, after mixing.
    variation: DMatrix<f64>,
}

impl Expectation {
    fn at(meetings: &Meetings, parameters: &DVector<f64>, shape: Shape) -> Self {
        let mut by_bots = BTreeMap::<Vec<usize>, GroupExpectation>::new();
        for (group, count) in meetings.groups() {
            let count = count as f64;
            let same = by_bots.entry(bots_of(group)).or_insert_with(|| GroupExpectation::new(shape));
            let mut score = DVector::<f64>::zeros(shape.size());
            for meeting in group {
                let chances = Chances::of(meeting, parameters, shape);
                chances.score(meeting, shape, |at, term| score[at] += term);
                chances.add_information(meeting, shape, count, &mut same.information);
                same.variance += count * chances.variance();
            }
            same.variation += &score * score.transpose() * count;
            same.groups += count;
        }
        by_bots.values_mut().for_each(GroupExpectation::mix);
        Self { by_bots }
    }

    fn total(&self, of: impl Fn(&GroupExpectation) -> &DMatrix<f64>, shape: Shape) -> DMatrix<f64> {
        let zero = DMatrix::zeros(shape.size(), shape.size());
        self.by_bots.values().fold(zero, |sum, group| sum + of(group))
    }
}

impl GroupExpectation {
    fn new(shape: Shape) -> Self {
        let zero = DMatrix::zeros(shape.size(), shape.size());
        Self { groups: 0.0, variance: 0.0, information: zero.clone(), variation: zero }
    }

    /// Mixes the observed variance with the predicted one, and corrects for the fitted parameter.
    fn mix(&mut self) {
        let observed_share = self.variance / (self.variance + TRUSTED_VARIANCE);
        let fitted = if self.groups > 1.0 { self.groups / (self.groups - 1.0) } else { 1.0 };
        self.variation *= observed_share * fitted;
        self.variation += &self.information * (1.0 - observed_share);
    }
}

fn bots_of(group: &[Meeting]) -> Vec<usize> {
    let mut bots = group.iter().flat_map(|meeting| meeting.bots).collect::<Vec<_>>();
    bots.sort_unstable();
    bots.dedup();
    bots
}

#[cfg(test)]
mod tests;
