//! A sample of scores.

use serde::{Deserialize, Serialize};

use super::elo;
use super::estimate::Estimate;
use super::normal::{probability_below, Z_95};

/// The prior of each cell if fewer than two cells are filled: half a sample.
const PRIOR: f64 = 0.5;

/// A score and its count.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// Between 0 (all lost) and 1 (all won).
    pub score: f64,
    /// The number of samples.
    pub count: u64,
}

/// The count of each score in independent samples.
///
/// A sample is a game, or a pair of games with the same opening and the sides swapped, or another group of
/// games whose results depend on each other. Pairs give narrower intervals than
/// the same games one by one, since good and bad openings cancel out.
///
/// No result is infinite or NaN. If fewer than two cells are filled (no samples, all won,
/// all drawn), the sample variance would be 0: then each cell counts half a sample more.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcomes {
    /// Ascending by score, from 0 to 1.
    cells: Vec<Cell>,
    /// The number of games per sample.
    games_per_sample: u32,
}

impl Outcomes {
    /// Single games.
    #[cfg(test)]
    pub fn trinomial(wins: u64, losses: u64, draws: u64) -> Self {
        Self::evenly_spaced(&[losses, draws, wins], 1)
    }

    /// Pairs of games, by points: 0, 1/2, 1 (a win and a loss, or two draws), 3/2, 2.
    pub fn pentanomial(counts: &[u64; 5]) -> Self {
        Self::evenly_spaced(counts, 2)
    }

    /// Pairs of games: two losses, loss and draw, win and loss, two draws, win and draw, two wins.
    #[cfg(test)]
    pub fn pentanomial_of_six(&[ll, ld, wl, dd, wd, ww]: &[u64; 6]) -> Self {
        Self::pentanomial(&[ll, ld, wl + dd, wd, ww])
    }

    /// Groups of `games_per_sample` games (at least 1), given by their scores and the number of groups of each.
    ///
    /// A score is from 0 to 1: against several others, the share of those beaten, ties counted half,
    /// averaged over the group's games. Scores outside are clamped, and NaN
    /// counts as one half.
    pub(super) fn from_scores(scores: impl Iterator<Item = Cell>, games_per_sample: u32) -> Self {
        let bounded = |score: f64| if score.is_nan() { 0.5 } else { score.clamp(0.0, 1.0) };
        let mut sorted = scores.map(|cell| Cell { score: bounded(cell.score), ..cell }).collect::<Vec<_>>();
        sorted.sort_by(|a, b| a.score.total_cmp(&b.score));
        // The ends of the range may not have occurred.
        let mut cells = [0.0, 0.5, 1.0].map(|score| Cell { score, count: 0 }).to_vec();
        for Cell { score, count } in sorted {
            // Sums of thirds in another order may differ by rounding. Scores ascend, so that only the last cell and the
            // first three can be equal.
            let last = cells.len() - 1;
            let is_equal = |cell: &Cell| (cell.score - score).abs() < 1e-9;
            match [0, 1, 2, last].into_iter().find(|&cell| is_equal(&cells[cell])) {
                Some(cell) => cells[cell].count += count,
                None => cells.push(Cell { score, count }),
            }
        }
        cells.sort_by(|a, b| a.score.total_cmp(&b.score));
        Self { cells, games_per_sample: games_per_sample.max(1) }
    }

    /// Leads on independent seeds, in any unit; see `Scoring::lead`. The largest finite one, and every infinite
    /// one, counts as a whole win: normalised Elo and the likelihood of superiority depend on the ratio of mean and
    /// deviation, not on the unit.
    pub(super) fn from_leads(leads: impl Iterator<Item = Cell> + Clone) -> Self {
        let finite = leads.clone().map(|lead| lead.score.abs()).filter(|lead| lead.is_finite());
        let largest = finite.fold(0.0, f64::max);
        let share = |lead: f64| if lead == 0.0 { 0.0 } else { lead / largest.max(f64::MIN_POSITIVE) };
        let score = |lead: Cell| Cell { score: 0.5 + share(lead.score).clamp(-1.0, 1.0) / 2.0, ..lead };
        Self::from_scores(leads.map(score), 1)
    }

    fn evenly_spaced(counts: &[u64], games_per_sample: u32) -> Self {
        let steps = (counts.len() - 1) as f64;
        let cells = counts.iter().enumerate().map(|(i, &count)| Cell { score: i as f64 / steps, count });
        Self { cells: cells.collect(), games_per_sample }
    }

    /// The cells in ascending order, with empty ones.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The number of samples.
    pub fn samples(&self) -> u64 {
        self.cells.iter().map(|cell| cell.count).sum()
    }

    /// The number of games per sample: 2 for pairs.
    pub fn games_per_sample(&self) -> u32 {
        self.games_per_sample
    }

    /// The mean score with its interval, within [0, 1].
    pub fn score(&self) -> Estimate {
        let Estimate { low, high, .. } = self.normal_score();
        let mean = self.mean();
        Estimate { mean, low: low.clamp(0.0, mean), high: high.clamp(mean, 1.0) }
    }

    /// Logistic Elo of the score; the interval's ends are those of the score.
    ///
    /// No end lies beyond the score at which all samples would be won (or lost) with a probability of
    /// 97.5 %: the samples can't distinguish more from certainty.
    pub fn elo(&self) -> Estimate {
        let Estimate { mean, low, high } = self.normal_score();
        let farthest = 0.975f64.powf(1.0 / self.samples().max(1) as f64);
        let mean = elo::of_score(mean);
        Estimate {
            mean,
            low: elo::of_score(low.max(1.0 - farthest)).min(mean),
            high: elo::of_score(high.min(farthest)).max(mean),
        }
    }

    /// Normalised Elo per game; the interval is that of the score divided by the sample's standard deviation.
    pub fn normalised_elo(&self) -> Estimate {
        let moments = self.moments();
        let of = |score| elo::normalised_of_t_value((score - 0.5) / moments.deviation, self.games_per_sample);
        let Estimate { mean, low, high } = self.normal_score();
        Estimate { mean: of(mean), low: of(low), high: of(high) }
    }

    /// The likelihood of superiority: the probability that the true score is above one half.
    pub fn los(&self) -> f64 {
        let moments = self.moments();
        probability_below((moments.mean - 0.5) / moments.standard_error)
    }

    /// The observed score; one half without samples.
    fn mean(&self) -> f64 {
        match self.samples() {
            0 => 0.5,
            samples => {
                self.cells.iter().map(|cell| cell.score * cell.count as f64).sum::<f64>() / samples as f64
            }
        }
    }

    /// The normal interval, which may extend beyond [0, 1].
    fn normal_score(&self) -> Estimate {
        let Moments { mean, standard_error, .. } = self.moments();
        let half = Z_95 * standard_error;
        Estimate { mean, low: mean - half, high: mean + half }
    }

    /// The weight of each cell: its count and, if needed, the prior.
    pub(super) fn weights(&self) -> impl Iterator<Item = f64> + '_ {
        let filled = self.cells.iter().filter(|cell| cell.count > 0).count();
        let prior = if filled < 2 { PRIOR } else { 0.0 };
        self.cells.iter().map(move |cell| cell.count as f64 + prior)
    }

    fn moments(&self) -> Moments {
        let scores = || self.cells.iter().map(|cell| cell.score).zip(self.weights());
        let total = self.weights().sum::<f64>();
        let mean = scores().map(|(score, weight)| score * weight).sum::<f64>() / total;
        let variance = scores().map(|(score, weight)| (score - mean).powi(2) * weight).sum::<f64>() / total;
        // The prior counts as one sample at most.
        let size = if self.samples() == 0 { 1.0 } else { total };
        Moments { mean, deviation: variance.sqrt(), standard_error: (variance / size).sqrt() }
    }
}

/// Mean and standard deviations of the weighted scores.
struct Moments {
    mean: f64,
    /// Of one sample; never 0.
    deviation: f64,
    /// Of the mean.
    standard_error: f64,
}

#[cfg(test)]
mod tests {
    use coppice::rng::Rng;

    use super::*;

    fn each(values: &[f64]) -> impl Iterator<Item = Cell> + Clone + '_ {
        values.iter().map(|&score| Cell { score, count: 1 })
    }

    #[test]
    fn leads_have_no_unit() {
        let leads = [3.0, -1.0, 0.0, 2.0, 5.0, -2.0, 4.0];
        let thousandfold = leads.map(|lead| lead * 1000.0);
        let (a, b) = (Outcomes::from_leads(each(&leads)), Outcomes::from_leads(each(&thousandfold)));
        assert!((a.normalised_elo().mean - b.normalised_elo().mean).abs() < 1e-9);
        // The t-value of a sample is its mean over its deviation.
        let mean = leads.iter().sum::<f64>() / 7.0;
        let deviation = (leads.iter().map(|lead| (lead - mean).powi(2)).sum::<f64>() / 7.0).sqrt();
        near(a.normalised_elo().mean, elo::normalised_of_t_value(mean / deviation, 1), 1e-9);
        assert_eq!(Outcomes::from_leads(each(&[f64::INFINITY, f64::NEG_INFINITY])).score().mean, 0.5);
        assert_eq!(Outcomes::from_leads(each(&[0.0, 0.0])).score().mean, 0.5);
        assert!(Outcomes::from_leads(each(&[])).los().is_finite());
    }

    fn near(value: f64, expected: f64, tolerance: f64) {
        assert!((value - expected).abs() <= tolerance, "{value} instead of {expected}");
    }

    fn is_sound(estimate: Estimate) -> bool {
        let Estimate { mean, low, high } = estimate;
        [mean, low, high].iter().all(|x| x.is_finite()) && low <= mean && mean <= high && low < high
    }

    #[test]
    fn published_values_of_five_cells() {
        let small = Outcomes::pentanomial(&[10, 40, 100, 60, 20]).elo();
        near(small.mean, 30.29, 0.005);
        near(small.low, 8.61, 0.005);
        near(small.high, 52.21, 0.005);
        let large = Outcomes::pentanomial(&[39, 8843, 26675, 9240, 44]).elo();
        near(large.mean, 1.577, 0.0005);
        near(large.low, 0.546, 0.0005);
        near(large.high, 2.607, 0.0005);
    }

    #[test]
    fn published_values_of_six_cells() {
        let outcomes = Outcomes::pentanomial_of_six(&[34, 54, 31, 32, 64, 75]);
        near(outcomes.elo().mean, 55.58, 0.005);
        near(outcomes.elo().error(), 27.65, 0.005);
        near(outcomes.normalised_elo().mean, 57.94, 0.005);
        near(outcomes.normalised_elo().error(), 28.28, 0.005);
    }

    #[test]
    fn published_values_of_single_games() {
        let outcomes = Outcomes::trinomial(76, 89, 123);
        near(outcomes.normalised_elo().mean, -20.76, 0.005);
        near(outcomes.normalised_elo().error(), 40.13, 0.005);
        near(outcomes.los() * 100.0, 15.53, 0.005);
    }

    #[test]
    fn few_or_equal_samples_are_finite_and_honest() {
        let mut cases =
            vec![Outcomes::from_scores(each(&[]), 2), Outcomes::from_scores(each(&[1.0 / 3.0; 4]), 3)];
        for count in [0, 1, 2, 10, 1_000_000] {
            for cell in 0..5 {
                let mut counts = [0; 5];
                counts[cell] = count;
                cases.push(Outcomes::pentanomial(&counts));
                counts[(cell + 1) % 5] = 1;
                cases.push(Outcomes::pentanomial(&counts));
            }
            cases.push(Outcomes::trinomial(count, 0, 0));
            cases.push(Outcomes::trinomial(0, count, 0));
            cases.push(Outcomes::trinomial(0, 0, count));
        }
        for outcomes in cases {
            let all = [outcomes.score(), outcomes.elo(), outcomes.normalised_elo()];
            assert!(all.into_iter().all(is_sound), "{outcomes:?}: {all:?}");
            assert!((0.0..=1.0).contains(&outcomes.los()), "{outcomes:?}");
        }
    }

    #[test]
    fn nothing_known_is_everything_possible() {
        let none = Outcomes::pentanomial(&[0; 5]);
        assert_eq!(none.score(), Estimate { mean: 0.5, low: 0.0, high: 1.0 });
        assert_eq!(none.los(), 0.5);
        assert!(none.elo().low < -600.0 && none.elo().high > 600.0, "{:?}", none.elo());
    }

    #[test]
    fn all_won_is_a_lower_bound_that_grows() {
        let won = |pairs| Outcomes::pentanomial(&[0, 0, 0, 0, pairs]);
        assert_eq!(won(10).score().mean, 1.0);
        assert!(won(1).elo().low < 0.0, "{:?}", won(1).elo());
        // Ten pairs of a bot that wins a pair with probability 0.69 are all won with 2.5 %.
        assert!(won(10).score().low > 0.69 && won(10).score().low < 0.8, "{:?}", won(10).score());
        assert!(won(1000).elo().low > won(10).elo().low + 200.0);
    }

    #[test]
    fn both_ways_round_is_the_same() {
        let (forth, back) =
            (Outcomes::pentanomial(&[3, 9, 4, 1, 0]), Outcomes::pentanomial(&[0, 1, 4, 9, 3]));
        near(forth.elo().low, -back.elo().high, 1e-9);
        near(forth.normalised_elo().mean, -back.normalised_elo().mean, 1e-9);
        near(forth.los(), 1.0 - back.los(), 1e-9);
    }

    #[test]
    fn scores_fall_into_cells() {
        let by_scores = Outcomes::from_scores(each(&[1.0, 0.75, 0.0, 0.75, 0.5, 0.25]), 2);
        let by_counts = Outcomes::pentanomial(&[1, 1, 1, 2, 1]);
        assert_eq!(by_scores, by_counts);
        let thirds = Outcomes::from_scores(each(&[1.0 / 3.0, 1.0 - 2.0 / 3.0, 7.0, f64::NAN]), 3);
        assert_eq!(thirds.cells().iter().map(|cell| cell.count).collect::<Vec<_>>(), [0, 2, 1, 1]);
    }

    /// 95 of 100 intervals hold the truth; with 4,000 of them, three standard deviations are 1 %.
    #[test]
    fn intervals_cover() {
        let mut rng = Rng::new(1);
        let shares = [5u32, 20, 40, 25, 10];
        let truth = elo::of_score((0.25 * 20.0 + 0.5 * 40.0 + 0.75 * 25.0 + 10.0) / 100.0);
        let covered = (0..4000).filter(|_| {
            let mut counts = [0; 5];
            for _ in 0..150 {
                let mut drawn = rng.below(100);
                let cell = shares.iter().position(|&share| {
                    let here = drawn < share;
                    drawn = drawn.wrapping_sub(share);
                    here
                });
                counts[cell.unwrap()] += 1;
            }
            let elo = Outcomes::pentanomial(&counts).elo();
            elo.low <= truth && truth <= elo.high
        });
        let share = covered.count() as f64 / 4000.0;
        assert!((0.94..0.96).contains(&share), "{share}");
    }
}
