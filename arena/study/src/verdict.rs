//! Decides whether our figure and the published one agree.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::published::Published;
use coppice_stats::normal::Z_95;
use coppice_stats::Estimate;

/// The maximum half-width of our interval for a verdict of agreement.
const WIDEST: f64 = 0.15;
/// The maximum half-width of a published figure's interval for a verdict: from about 15 games on.
const WIDEST_PUBLISHED: f64 = 0.25;

/// The result of the comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The intervals overlap and are narrow enough.
    Agrees,
    /// The intervals exclude each other.
    Differs,
    /// An interval is too wide.
    TooFew,
    /// The published figure is of too few games.
    PublishedTooFew,
    /// No figure was published.
    New,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Agrees => "agrees",
            Self::Differs => "differs",
            Self::TooFew => "too few games to tell",
            Self::PublishedTooFew => "published too few to tell",
            Self::New => "",
        })
    }
}

/// The published share with the interval of its own sample size; `None` if no share was published.
pub(crate) fn share(published: Published) -> Option<Estimate> {
    let Published::Wins { wins, games } = published else { return None };
    // Half a win more or less doesn't matter to the interval.
    let won = wins.round().clamp(0.0, f64::from(games)) as u32;
    let samples = (0..games).map(|game| if game < won { 1.0 } else { 0.0 }).collect::<Vec<_>>();
    Some(Estimate { mean: wins / f64::from(games.max(1)), ..Estimate::of(&samples) })
}

/// Compares our share with the published figure.
pub(crate) fn of_share(published: Published, ours: Estimate) -> Verdict {
    match published {
        Published::Above { above } => judged(ours.low > above, ours.high < above),
        Published::Below { below } => judged(ours.high < below, ours.low > below),
        Published::About { about } => same(exactly(about), ours),
        Published::Wins { .. } => share(published).map_or(Verdict::New, |theirs| same(theirs, ours)),
        Published::Ranked { .. } => Verdict::New,
        Published::Within { .. } | Published::AllWithin { .. } | Published::Times { .. } => Verdict::New,
    }
}

/// Compares our share of completed tasks, and the slowest answer in seconds, with the published figure.
pub(crate) fn of_tasks(published: Published, ours: Estimate, slowest: f64) -> Verdict {
    match published {
        Published::AllWithin { all_within } => {
            let is_all = ours.mean == 1.0 && slowest <= all_within;
            judged(is_all && ours.error() <= WIDEST, !is_all)
        }
        _ => of_share(published, ours),
    }
}

/// Compares our ratio with the published one.
pub(crate) fn of_times(published: Published, ours: Estimate) -> Verdict {
    match published {
        Published::Times { from, to } => {
            let overlaps = ours.low <= to && ours.high >= from;
            judged(overlaps && ours.error() <= WIDEST * ours.mean, !overlaps)
        }
        _ => Verdict::New,
    }
}

/// The verdict on a claim that is shown to hold, or not to hold, or neither.
pub(crate) fn judged(is_claimed: bool, is_refuted: bool) -> Verdict {
    match (is_claimed, is_refuted) {
        (true, _) => Verdict::Agrees,
        (_, true) => Verdict::Differs,
        _ => Verdict::TooFew,
    }
}

/// Whether the difference of two independent figures may be 0.
fn same(theirs: Estimate, ours: Estimate) -> Verdict {
    match off(theirs, ours).abs() <= Z_95 {
        _ if theirs.error() > WIDEST_PUBLISHED => Verdict::PublishedTooFew,
        false => Verdict::Differs,
        true if ours.error() <= WIDEST => Verdict::Agrees,
        true => Verdict::TooFew,
    }
}

/// The difference of two independent figures in standard errors, by the sides of their intervals that face each other: the
/// squares of those add up (Newcombe, *Interval estimation for the difference between independent proportions*, 1998,
/// method 10).
fn off(theirs: Estimate, ours: Estimate) -> f64 {
    let (lower, upper) = if theirs.mean < ours.mean { (theirs, ours) } else { (ours, theirs) };
    let reach = (lower.high - lower.mean).hypot(upper.mean - upper.low);
    let difference = ours.mean - theirs.mean;
    // Equal figures may both be without doubt.
    if difference == 0.0 {
        0.0
    } else {
        Z_95 * difference / reach
    }
}

/// How far our share is from the published one, in standard errors; 0 for a claim of an order that holds. `None` if no share
/// was published.
pub(crate) fn deviation_of_share(published: Published, ours: Estimate) -> Option<f64> {
    let from = |bound: f64| off(exactly(bound), ours);
    match published {
        Published::About { about } => Some(from(about)),
        Published::Above { above } => Some(from(above).min(0.0)),
        Published::Below { below } => Some(from(below).max(0.0)),
        _ => share(published).map(|theirs| off(theirs, ours)),
    }
}

/// A figure without doubt.
fn exactly(mean: f64) -> Estimate {
    Estimate { mean, low: mean, high: mean }
}

/// How far our ratio is from the published range, in standard errors.
pub(crate) fn deviation_of_times(published: Published, ours: Estimate) -> Option<f64> {
    let Published::Times { from, to } = published else { return None };
    let nearest = ours.mean.clamp(from, to);
    Some(off(exactly(nearest), ours))
}

/// The probability with which a row differs although both figures are equal: that of its interval, or of one side of it for
/// a claim that one is better, if both are as good. Claims of time are not a matter of chance.
pub(crate) fn chance(published: Published) -> f64 {
    match published {
        Published::Wins { .. } | Published::About { .. } | Published::Times { .. } => 0.05,
        Published::Above { .. } | Published::Below { .. } | Published::Ranked { .. } => 0.025,
        Published::Within { .. } | Published::AllWithin { .. } => 0.0,
    }
}

/// Compares our time in seconds with the published one.
pub(crate) fn of_seconds(published: Published, seconds: f64, solved: bool) -> Verdict {
    match published {
        Published::Within { seconds: most } => judged(solved && seconds <= most, !solved || seconds > most),
        _ => Verdict::New,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ours(mean: f64, error: f64) -> Estimate {
        Estimate { mean, low: mean - error, high: mean + error }
    }

    #[test]
    fn shares_are_compared_by_both_intervals() {
        let published = Published::Wins { wins: 96.0, games: 100 };
        assert_eq!(of_share(published, ours(0.93, 0.05)), Verdict::Agrees);
        assert_eq!(of_share(published, ours(0.80, 0.05)), Verdict::Differs);
        assert_eq!(of_share(published, ours(0.80, 0.30)), Verdict::TooFew);
        // One or two games tell nothing, whatever ours are.
        for (wins, games) in [(1.0, 1), (2.0, 2), (1.0, 2), (3.0, 6)] {
            for mean in [0.1, 0.5, 0.9] {
                let verdict = of_share(Published::Wins { wins, games }, ours(mean, 0.02));
                assert_eq!(verdict, Verdict::PublishedTooFew, "{wins} of {games}, {mean}");
            }
        }
        // Ten games leave more doubt than a hundred.
        let few = Published::Wins { wins: 9.0, games: 10 };
        assert_eq!(of_share(few, ours(0.75, 0.05)), Verdict::Agrees);
        let theirs = share(few).unwrap();
        assert!(theirs.mean == 0.9 && theirs.low < 0.7, "{theirs:?}");
    }

    #[test]
    fn a_deviation_beyond_the_interval_is_a_difference() {
        for mean in [0.80, 0.88, 0.90, 0.93, 0.96] {
            let published = Published::Wins { wins: 96.0, games: 100 };
            let deviation = deviation_of_share(published, ours(mean, 0.05)).unwrap();
            let verdict = of_share(published, ours(mean, 0.05));
            assert_eq!(deviation < -Z_95, verdict == Verdict::Differs, "{mean}: {deviation}");
        }
        let about = deviation_of_share(Published::About { about: 0.5 }, ours(0.6, 0.1)).unwrap();
        assert!((about - Z_95).abs() < 1e-9, "{about}");
        let times =
            |mean| deviation_of_times(Published::Times { from: 5.0, to: 6.0 }, ours(mean, 0.5)).unwrap();
        assert!((times(5.5), times(6.5)) == (0.0, Z_95), "{}", times(6.5));
        // A claim of an order is wrong on one side only.
        let off = |published, mean| deviation_of_share(published, ours(mean, 0.1)).unwrap();
        let (above, below) = (Published::Above { above: 0.5 }, Published::Below { below: 0.5 });
        assert_eq!((off(above, 0.6), off(below, 0.4)), (0.0, 0.0));
        assert!((off(above, 0.4) + Z_95).abs() < 1e-9 && (off(below, 0.6) - Z_95).abs() < 1e-9);
        assert_eq!(deviation_of_share(Published::Within { seconds: 1.0 }, ours(0.6, 0.1)), None);
    }

    #[test]
    fn orders_are_judged_by_ours_alone() {
        let above = Published::Above { above: 0.5 };
        assert_eq!(of_share(above, ours(0.7, 0.1)), Verdict::Agrees);
        assert_eq!(of_share(above, ours(0.3, 0.1)), Verdict::Differs);
        assert_eq!(of_share(above, ours(0.55, 0.1)), Verdict::TooFew);
        let below = Published::Below { below: 0.5 };
        assert_eq!(of_share(below, ours(0.3, 0.1)), Verdict::Agrees);
        let about = Published::About { about: 0.5 };
        assert_eq!(of_share(about, ours(0.45, 0.06)), Verdict::Agrees);
        assert_eq!(of_share(about, ours(0.35, 0.06)), Verdict::Differs);
    }

    #[test]
    fn seconds_count_only_if_it_was_solved() {
        let within = Published::Within { seconds: 1.0 };
        assert_eq!(of_seconds(within, 0.5, true), Verdict::Agrees);
        assert_eq!(of_seconds(within, 0.5, false), Verdict::Differs);
        assert_eq!(of_seconds(within, 1.5, true), Verdict::Differs);
    }

    #[test]
    fn tasks_are_all_done_or_not() {
        let published = Published::AllWithin { all_within: 1.0 };
        assert_eq!(of_tasks(published, ours(1.0, 0.02), 0.5), Verdict::Agrees);
        assert_eq!(of_tasks(published, ours(1.0, 0.02), 1.5), Verdict::Differs);
        assert_eq!(of_tasks(published, ours(0.99, 0.02), 0.5), Verdict::Differs);
        assert_eq!(of_tasks(published, ours(1.0, 0.4), 0.5), Verdict::TooFew);
        assert_eq!(of_tasks(Published::Above { above: 0.5 }, ours(0.9, 0.1), 9.0), Verdict::Agrees);
    }

    #[test]
    fn a_ratio_agrees_if_it_may_be_the_published_one() {
        let published = Published::Times { from: 5.0, to: 6.0 };
        assert_eq!(of_times(published, ours(5.5, 0.5)), Verdict::Agrees);
        assert_eq!(of_times(published, ours(4.5, 0.6)), Verdict::Agrees);
        assert_eq!(of_times(published, ours(4.0, 0.6)), Verdict::Differs);
        assert_eq!(of_times(published, ours(5.5, 2.0)), Verdict::TooFew);
    }
}
