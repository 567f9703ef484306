//! How the games of a run form samples, and how the points of bots that play alone are compared on the same seed.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::estimate::Estimate;
use super::outcomes::{Cell, Outcomes};
use super::student::t_95;

/// How two bots are compared on one seed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Compare {
    /// Which has more points
    #[default]
    Rank,
    /// How many points more
    Difference,
    /// How many times as many points, by the mean of the logarithms; scores must be above 0
    #[cfg_attr(feature = "clap", value(alias = "log-ratio"))]
    Ratio,
    /// By how much of the seed's best known score
    Relative,
}

/// How scores are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scoring {
    /// How two bots are compared on one seed.
    #[serde(default)]
    pub compare: Compare,
    /// Whether fewer points are better.
    #[serde(default)]
    pub lower_is_better: bool,
}

impl Scoring {
    /// Whether scores are read as everywhere: more is better, and only the order counts.
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }

    /// A score such that more is better; the worst for a bot that has failed.
    pub fn points(&self, score: i64, has_failed: bool) -> i64 {
        match (has_failed, self.lower_is_better) {
            (true, _) => i64::MIN,
            (false, true) => score.saturating_neg(),
            (false, false) => score,
        }
    }

    /// A score's share of the best one, from 0 to 1: `score / best`, or `best / score` if fewer points are better. A bot that
    /// has failed has 0. So has a score of 0 or below that isn't the best one, as no share is defined there.
    pub fn share(&self, points: i64, best: i64) -> f64 {
        let (part, whole) = match self.lower_is_better {
            true => (best.saturating_neg(), points.saturating_neg()),
            false => (points, best),
        };
        match (part > 0 && whole > 0, points == best) {
            _ if points == i64::MIN => 0.0,
            (_, true) => 1.0,
            (true, false) => (part as f64 / whole as f64).min(1.0),
            (false, false) => 0.0,
        }
    }

    /// A bot's result against another on a seed, from 0 to 1: by the order of their points, or by how far one is ahead: half
    /// the difference of their shares of the best score (or of the better of the two) above one half, or their part of the
    /// sum for ratios.
    pub fn result(&self, mine: i64, other: i64, known: Option<i64>) -> f64 {
        let of_shares = |known| Self { compare: Compare::Relative, ..*self }.lead(mine, other, known);
        match self.compare {
            Compare::Rank => match mine.cmp(&other) {
                Ordering::Less => 0.0,
                Ordering::Equal => 0.5,
                Ordering::Greater => 1.0,
            },
            Compare::Relative => 0.5 + of_shares(known) / 2.0,
            Compare::Difference => 0.5 + of_shares(None) / 2.0,
            Compare::Ratio => 1.0 / (1.0 + (-self.lead(mine, other, None)).exp()),
        }
    }

    /// How far one bot is ahead of another on a seed, in points or as the logarithm of the ratio: infinite if one of
    /// them has failed, 0 if both have. For ratios, a score below 1 counts as a failure. Relative leads are differences of
    /// [`Scoring::share`].
    ///
    /// `mine`, `other` and the best known ones are points, as [`Scoring::points`] returns them.
    pub fn lead(&self, mine: i64, other: i64, known: Option<i64>) -> f64 {
        if self.compare == Compare::Relative {
            let best = mine.max(other).max(known.unwrap_or(i64::MIN));
            return self.share(mine, best) - self.share(other, best);
        }
        let value = |points: i64| match self.compare {
            _ if points == i64::MIN => None,
            Compare::Ratio => {
                let score = if self.lower_is_better { points.saturating_neg() } else { points };
                let log = (score >= 1).then(|| (score as f64).ln())?;
                Some(if self.lower_is_better { -log } else { log })
            }
            Compare::Rank | Compare::Difference | Compare::Relative => Some(points as f64),
        };
        match (value(mine), value(other)) {
            (Some(mine), Some(other)) => mine - other,
            (Some(_), None) => f64::INFINITY,
            (None, Some(_)) => f64::NEG_INFINITY,
            (None, None) => 0.0,
        }
    }
}

/// How the games of a run form independent samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grouping {
    /// The number of games in a group, which share a seed and an opening.
    pub size: u32,
    /// Whether each game has one bot, and bots are compared over the games of a group.
    pub alone: bool,
    /// How scores are read.
    pub scoring: Scoring,
}

impl Grouping {
    /// Pairs of games with the seats swapped; only the order of the scores counts.
    pub const PAIRS: Self =
        Self { size: 2, alone: false, scoring: Scoring { compare: Compare::Rank, lower_is_better: false } };

    /// Whether samples are leads instead of scores from 0 to 1.
    pub fn has_leads(&self) -> bool {
        self.alone && self.scoring.compare != Compare::Rank
    }

    /// The plural of the word for what a bot plays: it runs cases where it is alone and its scores are compared.
    pub fn noun(&self) -> &'static str {
        if self.has_leads() {
            "cases"
        } else {
            "games"
        }
    }

    /// The outcomes of whole groups, each given by a bot's mean score or lead in it.
    pub fn outcomes(&self, samples: &[f64]) -> Outcomes {
        self.outcomes_of(samples.iter().map(|&score| Cell { score, count: 1 }))
    }

    /// Outcomes of mean scores or leads with their counts.
    pub(super) fn outcomes_of(&self, samples: impl Iterator<Item = Cell> + Clone) -> Outcomes {
        match (self.has_leads(), self.alone, self.size) {
            (true, ..) => Outcomes::from_leads(samples),
            (_, true, _) => Outcomes::from_scores(samples, 1),
            (_, false, 2) => {
                let mut cells = [0; 5];
                samples.for_each(|sample| cells[(sample.score * 4.0).round() as usize] += sample.count);
                Outcomes::pentanomial(&cells)
            }
            (_, false, size) => Outcomes::from_scores(samples, size),
        }
    }

    /// A bot's sample of one group: its lead over the others on average, or the share of them that it beat, ties counted
    /// half. `known` are the points of the seed's best known score.
    pub fn sample(&self, mine: i64, others: impl Iterator<Item = i64>, known: Option<i64>) -> f64 {
        let value = |other: i64| match (self.has_leads(), mine.cmp(&other)) {
            (true, _) => self.scoring.lead(mine, other, known),
            (false, Ordering::Less) => 0.0,
            (false, Ordering::Equal) => 0.5,
            (false, Ordering::Greater) => 1.0,
        };
        let (sum, count) = others.map(value).fold((0.0, 0), |(sum, count), value| (sum + value, count + 1));
        sum / f64::from(count.max(1))
    }
}

/// The mean lead of a bot over another.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Lead {
    /// How two scores are compared.
    pub compare: Compare,
    /// In points, or as a factor (the geometric mean), over the seeds on which no bot failed. The interval is Student's.
    pub mean: Estimate,
    /// The number of other seeds.
    pub failed: u64,
}

impl Lead {
    /// The mean of leads; `None` without two finite ones, since one alone doesn't show how much they vary.
    pub fn of(compare: Compare, leads: &[f64]) -> Option<Self> {
        let finite = leads.iter().copied().filter(|lead| lead.is_finite()).collect::<Vec<_>>();
        let count = finite.len() as f64;
        if finite.len() < 2 {
            return None;
        }
        let mean = finite.iter().sum::<f64>() / count;
        let variance = finite.iter().map(|lead| (lead - mean).powi(2)).sum::<f64>() / (count - 1.0);
        let half = t_95(finite.len() as u64 - 1) * (variance / count).sqrt();
        let unit = |value: f64| if compare == Compare::Ratio { value.exp() } else { value };
        let mean = Estimate { mean: unit(mean), low: unit(mean - half), high: unit(mean + half) };
        Some(Self { compare, mean, failed: (leads.len() - finite.len()) as u64 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lead(compare: Compare, lower_is_better: bool, mine: (i64, bool), other: (i64, bool)) -> f64 {
        let scoring = Scoring { compare, lower_is_better };
        scoring.lead(scoring.points(mine.0, mine.1), scoring.points(other.0, other.1), None)
    }

    #[test]
    fn shares_are_of_the_best_known_score() {
        let lead = |lower_is_better, mine: (i64, bool), other: (i64, bool), known: Option<i64>| {
            let scoring = Scoring { compare: Compare::Relative, lower_is_better };
            let points = |(score, has_failed)| scoring.points(score, has_failed);
            scoring.lead(points(mine), points(other), known.map(|known| points((known, false))))
        };
        assert_eq!(lead(false, (40, false), (60, false), Some(80)), 0.5 - 0.75);
        assert_eq!(
            lead(false, (40, false), (60, true), None),
            1.0,
            "without a known one, the best of the two"
        );
        assert_eq!(lead(true, (40, false), (80, false), Some(20)), 0.5 - 0.25);
        assert_eq!(lead(true, (40, true), (80, true), Some(20)), 0.0);
        assert_eq!(lead(false, (0, false), (0, false), None), 0.0);
        assert_eq!(lead(false, (-5, false), (0, false), Some(7)), 0.0, "no share of 7");
        assert_eq!(lead(true, (0, false), (3, false), None), 1.0);
        let result =
            |compare, mine, other| Scoring { compare, lower_is_better: false }.result(mine, other, Some(200));
        assert_eq!(result(Compare::Rank, 50, 100), 0.0);
        assert_eq!(result(Compare::Relative, 50, 100), 0.375);
        assert_eq!(result(Compare::Difference, 50, 100), 0.25);
        assert!((result(Compare::Ratio, 50, 100) - 1.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn leads_are_differences_or_ratios_whichever_way_is_better() {
        let ok = |score| (score, false);
        assert_eq!(lead(Compare::Difference, false, ok(30), ok(20)), 10.0);
        assert_eq!(lead(Compare::Difference, true, ok(30), ok(20)), -10.0);
        assert!((lead(Compare::Ratio, false, ok(30), ok(20)) - 1.5f64.ln()).abs() < 1e-12);
        assert!((lead(Compare::Ratio, true, ok(30), ok(20)) + 1.5f64.ln()).abs() < 1e-12);
    }

    /// The intervals of few leads hold the truth as often as they claim.
    #[test]
    fn the_interval_of_a_lead_covers_the_truth() {
        assert_eq!(Lead::of(Compare::Difference, &[3.0, f64::INFINITY]), None);
        let mut rng = coppice::Rng::new(9);
        for count in [2, 3, 5, 20] {
            let mut held = 0;
            for _ in 0..4_000 {
                let mut normal =
                    || (0..12).map(|_| f64::from(rng.below(1 << 24)) / f64::from(1 << 24) - 0.5).sum::<f64>();
                let leads = (0..count).map(|_| 1.5 + normal()).collect::<Vec<_>>();
                let mean = Lead::of(Compare::Difference, &leads).unwrap().mean;
                held += u32::from(mean.low <= 1.5 && 1.5 <= mean.high);
            }
            // 95 % are 3,800, and four standard deviations 55.
            assert!((3_745..=3_855).contains(&held), "{held} of 4000 with {count} seeds");
        }
    }

    #[test]
    fn a_failed_bot_is_behind_every_other() {
        for compare in [Compare::Difference, Compare::Ratio] {
            for lower in [false, true] {
                assert_eq!(lead(compare, lower, (5, true), (7, false)), f64::NEG_INFINITY);
                assert_eq!(lead(compare, lower, (5, false), (7, true)), f64::INFINITY);
                assert_eq!(lead(compare, lower, (5, true), (7, true)), 0.0);
            }
        }
        assert_eq!(lead(Compare::Ratio, false, (0, false), (7, false)), f64::NEG_INFINITY);
        assert_eq!(lead(Compare::Ratio, true, (0, false), (7, false)), f64::NEG_INFINITY);
    }
}
