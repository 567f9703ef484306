//! Whether our figure and the published one agree.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::plan::Published;
use crate::stats::Estimate;

/// An interval that is wider than this on either side says too little to call it agreement.
const WIDEST: f64 = 0.15;

/// What the comparison comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The intervals allow the two to be one figure, and are narrow enough to say so.
    Agrees,
    /// They don't.
    Differs,
    /// They are too wide.
    TooFew,
    /// Nothing was published of this.
    New,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Agrees => "agrees",
            Self::Differs => "differs",
            Self::TooFew => "too few games to tell",
            Self::New => "",
        })
    }
}

/// The published share with the interval of its own number of games; `None` if no share was published.
pub fn share(published: Published) -> Option<Estimate> {
    let Published::Wins { wins, games } = published else { return None };
    // Half a win more or less makes no difference to the interval.
    let won = wins.round().clamp(0.0, f64::from(games)) as u32;
    let samples = (0..games).map(|game| if game < won { 1.0 } else { 0.0 }).collect::<Vec<_>>();
    Some(Estimate { mean: wins / f64::from(games.max(1)), ..Estimate::of(&samples) })
}

/// Compares a share of ours with what was published.
pub fn of_share(published: Option<Published>, ours: Estimate) -> Verdict {
    let judged = |is_claimed: bool, is_refuted: bool| match (is_claimed, is_refuted) {
        (true, _) => Verdict::Agrees,
        (_, true) => Verdict::Differs,
        _ => Verdict::TooFew,
    };
    match published {
        None | Some(Published::Within { .. }) => Verdict::New,
        Some(Published::Above { above }) => judged(ours.low > above, ours.high < above),
        Some(Published::Below { below }) => judged(ours.high < below, ours.low > below),
        Some(Published::About { about }) => same(Estimate { mean: about, low: about, high: about }, ours),
        Some(published @ Published::Wins { .. }) => {
            share(published).map_or(Verdict::New, |theirs| same(theirs, ours))
        }
    }
}

/// Whether the difference of two independent figures may be 0: their variances add up.
fn same(theirs: Estimate, ours: Estimate) -> Verdict {
    let error = theirs.error().hypot(ours.error());
    match (theirs.mean - ours.mean).abs() <= error {
        false => Verdict::Differs,
        true if ours.error() <= WIDEST => Verdict::Agrees,
        true => Verdict::TooFew,
    }
}

/// Compares seconds of ours with what was published.
pub fn of_seconds(published: Option<Published>, seconds: f64, solved: bool) -> Verdict {
    match published {
        Some(Published::Within { seconds: most }) if solved && seconds <= most => Verdict::Agrees,
        Some(Published::Within { .. }) => Verdict::Differs,
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
        let published = Some(Published::Wins { wins: 96.0, games: 100 });
        assert_eq!(of_share(published, ours(0.93, 0.05)), Verdict::Agrees);
        assert_eq!(of_share(published, ours(0.80, 0.05)), Verdict::Differs);
        assert_eq!(of_share(published, ours(0.80, 0.30)), Verdict::TooFew);
        // Ten games leave more doubt than a hundred.
        let few = Published::Wins { wins: 9.0, games: 10 };
        assert_eq!(of_share(Some(few), ours(0.75, 0.05)), Verdict::Agrees);
        let theirs = share(few).unwrap();
        assert!(theirs.mean == 0.9 && theirs.low < 0.7, "{theirs:?}");
    }

    #[test]
    fn orders_are_judged_by_ours_alone() {
        let above = Some(Published::Above { above: 0.5 });
        assert_eq!(of_share(above, ours(0.7, 0.1)), Verdict::Agrees);
        assert_eq!(of_share(above, ours(0.3, 0.1)), Verdict::Differs);
        assert_eq!(of_share(above, ours(0.55, 0.1)), Verdict::TooFew);
        let below = Some(Published::Below { below: 0.5 });
        assert_eq!(of_share(below, ours(0.3, 0.1)), Verdict::Agrees);
        let about = Some(Published::About { about: 0.5 });
        assert_eq!(of_share(about, ours(0.45, 0.06)), Verdict::Agrees);
        assert_eq!(of_share(about, ours(0.35, 0.06)), Verdict::Differs);
        assert_eq!(of_share(None, ours(0.5, 0.1)), Verdict::New);
    }

    #[test]
    fn seconds_count_only_if_it_was_solved() {
        let within = Some(Published::Within { seconds: 1.0 });
        assert_eq!(of_seconds(within, 0.5, true), Verdict::Agrees);
        assert_eq!(of_seconds(within, 0.5, false), Verdict::Differs);
        assert_eq!(of_seconds(within, 1.5, true), Verdict::Differs);
        assert_eq!(of_seconds(None, 1.5, true), Verdict::New);
    }
}
