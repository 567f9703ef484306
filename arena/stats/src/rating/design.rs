//! Chooses the games that teach most about the ratings.
//!
//! The rule is that of Glickman and Jensen (*Adaptive Paired Comparison Design*, 2005), with the sum of the variances of
//! all ratings as the uncertainty (A-optimality) in place of the entropy: the next group of games is that whose expected
//! result makes the sum smallest. In the normal approximation a group between two bots with information `I` about their
//! difference, along `v = e_a - e_b`, turns the covariance `C` into `C - C v v' C I / (1 + I v' C v)`, so that the sum
//! of variances shrinks by `|C v|^2 I / (1 + I v' C v)`. `I` is the number of games times the variance of a result,
//! which is largest between equals; it is averaged over the uncertain difference. So an uncertain bot plays first, and
//! against whom it may be equal to.

use nalgebra::{DMatrix, DVector};

use super::Ratings;

/// Points at which the average over an uncertain difference is taken, within three standard deviations.
const POINTS: usize = 25;

/// The ratings and their covariance while groups of games are being planned.
#[derive(Debug, Clone)]
pub struct Design {
    /// The bots that may play, by their numbers.
    bots: Vec<usize>,
    /// Their ratings and covariance, with mean 0, in natural units.
    ratings: DVector<f64>,
    covariance: DMatrix<f64>,
    /// The weight of a draw; see the model.
    draws: f64,
}

impl Design {
    /// A design for some of the bots.
    pub fn new(ratings: &Ratings, bots: &[usize]) -> Self {
        let (count, unit) = (bots.len(), ratings.unit);
        let off_mean =
            DMatrix::identity(count, count) - DMatrix::from_element(count, count, 1.0 / count.max(1) as f64);
        let covariance = DMatrix::from_fn(count, count, |i, j| ratings.covariance[(bots[i], bots[j])]);
        let share = ratings.draw_share;
        Self {
            bots: bots.to_vec(),
            ratings: DVector::from_fn(count, |i, _| ratings.ratings[bots[i]] / unit),
            covariance: &off_mean * covariance * &off_mean / (unit * unit),
            draws: 2.0 * share / (1.0 - share).max(1e-9),
        }
    }

    /// The sum of the variances of the ratings, in natural units.
    #[cfg(test)]
    pub fn uncertainty(&self) -> f64 {
        self.covariance.trace()
    }

    /// The `size` bots of the next group of `games` games, ascending; none if there are too few bots. The covariance
    /// becomes that which is expected after it, so that the next call chooses the group after it.
    pub fn next(&mut self, size: usize, games: u32) -> Option<Vec<usize>> {
        if size < 2 || self.bots.len() < size {
            return None;
        }
        let mut chosen = self.best_pair(games);
        while chosen.len() < size {
            let others = (0..self.bots.len()).filter(|bot| !chosen.contains(bot));
            let with = |bot: usize| [&chosen[..], &[bot]].concat();
            let gain = |bot: &usize| self.after(&with(*bot), games).1;
            let best = first_of_largest(others.map(|bot| (bot, gain(&bot))))?;
            chosen.push(best);
        }
        chosen.sort_unstable();
        self.covariance = self.after(&chosen, games).0;
        Some(chosen.into_iter().map(|bot| self.bots[bot]).collect())
    }

    /// Takes account of a group of games that is planned already.
    pub fn expect(&mut self, lineup: &[usize], games: u32) {
        let places = lineup.iter().filter_map(|bot| self.bots.iter().position(|known| known == bot));
        self.covariance = self.after(&places.collect::<Vec<_>>(), games).0;
    }

    /// The pair whose games reduce the uncertainty most; ties go to the first.
    fn best_pair(&self, games: u32) -> Vec<usize> {
        let count = self.bots.len();
        let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| [a, b]));
        let gains = pairs.map(|pair| (pair, self.gain(&self.covariance, pair, games).0));
        first_of_largest(gains).map_or_else(Vec::new, Vec::from)
    }

    /// The covariance after a group between all of these, and the reduction of the uncertainty.
    fn after(&self, lineup: &[usize], games: u32) -> (DMatrix<f64>, f64) {
        let mut covariance = self.covariance.clone();
        for (place, &a) in lineup.iter().enumerate() {
            for &b in &lineup[..place] {
                let (_, step, along) = self.gain(&covariance, [a, b], games);
                covariance -= &along * along.transpose() * step;
            }
        }
        let reduction = self.covariance.trace() - covariance.trace();
        (covariance, reduction)
    }

    /// The reduction of the uncertainty by a group between two; the factor of the update and its direction.
    fn gain(&self, covariance: &DMatrix<f64>, [a, b]: [usize; 2], games: u32) -> (f64, f64, DVector<f64>) {
        let along = covariance.column(a) - covariance.column(b);
        let variance = (along[a] - along[b]).max(0.0);
        let information =
            f64::from(games) * self.variance_of_result(self.ratings[a] - self.ratings[b], variance);
        let step = information / (1.0 + information * variance);
        (along.norm_squared() * step, step, along)
    }

    /// The expected variance of a game's result, a win being 1 and a draw 1/2, if the difference of the two is normally
    /// distributed.
    fn variance_of_result(&self, difference: f64, variance: f64) -> f64 {
        let deviation = variance.sqrt();
        let (mut sum, mut total) = (0.0, 0.0);
        for point in 0..POINTS {
            let z = 6.0 * (point as f64 / (POINTS - 1) as f64) - 3.0;
            let weight = (-z * z / 2.0).exp();
            let half = (difference + z * deviation) / 2.0;
            // Divided by the larger of the two, so that nothing overflows.
            let (win, loss) = ((half - half.abs()).exp(), (-half - half.abs()).exp());
            let all = win + loss + self.draws * (-half.abs()).exp();
            let mean = (win - loss) / all / 2.0;
            sum += weight * ((win + loss) / all / 4.0 - mean * mean);
            total += weight;
        }
        sum / total
    }
}

/// The first item with the largest value. Values closer than rounding are equal.
fn first_of_largest<T>(items: impl Iterator<Item = (T, f64)>) -> Option<T> {
    let mut best: Option<(T, f64)> = None;
    for (item, value) in items {
        if best.as_ref().is_none_or(|(_, most)| value > most * (1.0 + 1e-9)) {
            best = Some((item, value));
        }
    }
    best.map(|(item, _)| item)
}
