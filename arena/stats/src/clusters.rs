//! Means of values that come in clusters: the moves of a game depend on each other, the games don't.

use serde::Serialize;

use super::student::t_95;

/// The values of one cluster.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Cluster {
    /// The number of values.
    pub count: u64,
    /// Their sum.
    pub sum: f64,
}

impl Cluster {
    /// Adds a value.
    pub fn add(&mut self, value: f64) {
        self.count += 1;
        self.sum += value;
    }
}

/// A mean over clusters, or a difference of two.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ClusteredMean {
    /// The value itself.
    pub mean: f64,
    /// Half the width of its 95 % interval, which is Student's; `None` without two clusters.
    pub error: Option<f64>,
}

impl ClusteredMean {
    /// The mean of all values; `None` if there are none. Clusters are independent of each other, and their sizes are a part
    /// of the sample: the variance is that of a ratio estimator (W. G. Cochran, *Sampling Techniques*, 1977, 6.3).
    pub fn of(clusters: &[Cluster]) -> Option<Self> {
        let total = Total::of(clusters)?;
        Some(Self { mean: total.mean, error: error(clusters.iter().map(|c| (c.count, total.residual(c)))) })
    }

    /// The mean of `first` less that of `second`; `None` if one has no values. Both have a cluster for each game, in the same
    /// order: what happens to both in a game doesn't count as independent.
    pub fn difference(first: &[Cluster], second: &[Cluster]) -> Option<Self> {
        let (one, other) = (Total::of(first)?, Total::of(second)?);
        let pairs = first.iter().zip(second);
        let residuals = pairs.map(|(a, b)| (a.count + b.count, one.residual(a) - other.residual(b)));
        Some(Self { mean: one.mean - other.mean, error: error(residuals) })
    }
}

/// All values of several clusters.
struct Total {
    count: f64,
    mean: f64,
}

impl Total {
    fn of(clusters: &[Cluster]) -> Option<Self> {
        let count = clusters.iter().map(|cluster| cluster.count).sum::<u64>();
        let sum = clusters.iter().map(|cluster| cluster.sum).sum::<f64>();
        (count > 0).then(|| Self { count: count as f64, mean: sum / count as f64 })
    }

    /// By how much a cluster moves the mean.
    fn residual(&self, cluster: &Cluster) -> f64 {
        (cluster.sum - self.mean * cluster.count as f64) / self.count
    }
}

/// The error of a sum of residuals, each with the size of its cluster. Empty clusters say nothing.
fn error(residuals: impl Iterator<Item = (u64, f64)>) -> Option<f64> {
    let squares = residuals.filter(|(count, _)| *count > 0).map(|(_, residual)| residual.powi(2));
    let squares = squares.collect::<Vec<_>>();
    let degrees = (squares.len() as u64).checked_sub(1).filter(|&degrees| degrees > 0)?;
    let variance = squares.iter().sum::<f64>() * squares.len() as f64 / degrees as f64;
    Some(t_95(degrees) * variance.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cluster(values: &[f64]) -> Cluster {
        let mut cluster = Cluster::default();
        values.iter().for_each(|&value| cluster.add(value));
        cluster
    }

    #[test]
    fn clusters_of_one_value_are_a_plain_sample() {
        let clusters = [1.0, 2.0, 6.0].map(|value| cluster(&[value]));
        let mean = ClusteredMean::of(&clusters).unwrap();
        // The variance is 7, and Student's quantile for two degrees 4.303.
        assert!((mean.mean - 3.0).abs() < 1e-12);
        assert!((mean.error.unwrap() - 4.3027 * (7.0f64 / 3.0).sqrt()).abs() < 1e-3, "{mean:?}");
    }

    #[test]
    fn an_error_needs_two_clusters_and_a_mean_one_value() {
        assert_eq!(ClusteredMean::of(&[]), None);
        assert_eq!(ClusteredMean::of(&[cluster(&[])]), None);
        let one = [cluster(&[1.0, 2.0]), cluster(&[])];
        assert_eq!(ClusteredMean::of(&one), Some(ClusteredMean { mean: 1.5, error: None }));
        assert_eq!(ClusteredMean::difference(&one, &[cluster(&[]); 2]), None);
    }

    #[test]
    fn what_both_share_in_a_game_cancels() {
        let first = [1.0, 5.0, 9.0].map(|value| cluster(&[value, value]));
        let second = [0.0, 4.0, 8.0].map(|value| cluster(&[value]));
        let difference = ClusteredMean::difference(&first, &second).unwrap();
        assert!((difference.mean - 1.0).abs() < 1e-12 && difference.error.unwrap() < 1e-9);
        assert!(ClusteredMean::of(&first).unwrap().error.unwrap() > 5.0);
    }

    /// Of clusters of different sizes, whose values depend on each other, the interval holds the truth as often as it claims.
    #[test]
    fn the_interval_covers_the_truth() {
        let mut rng = coppice::Rng::new(5);
        let mut uniform = || f64::from(rng.below(1 << 24)) / f64::from(1 << 24) - 0.5;
        let mut held = 0;
        for _ in 0..2_000 {
            let mut game = || {
                let shared = uniform();
                let size = 10 + ((uniform() + 0.5) * 20.0) as usize;
                cluster(&(0..size).map(|_| 3.0 + shared + uniform()).collect::<Vec<_>>())
            };
            let clusters = (0..30).map(|_| game()).collect::<Vec<_>>();
            let ClusteredMean { mean, error } = ClusteredMean::of(&clusters).unwrap();
            held += u32::from((mean - 3.0).abs() <= error.unwrap());
        }
        // 95 % are 1,900, and four standard deviations 39.
        assert!((1_861..=1_939).contains(&held), "{held} of 2000");
    }
}
