//! Points of a game with simultaneous moves as scores.

use coppice::{Joint, Score};

/// How many units of a score a point is: thousandths, or whole points where they are more than 900, the most that a score
/// holds.
fn unit<G: Joint>() -> f64 {
    if G::MAX_POINTS <= Score::MAX_ESTIMATE / 1000 {
        1000.0
    } else {
        1.0
    }
}

/// Points as a score.
pub(crate) fn score<G: Joint>(points: f64) -> Score {
    Score::estimate((points * unit::<G>()).round() as i32)
}

/// The points of a score.
#[cfg(all(feature = "serve", not(bundled)))]
pub(crate) fn points_of<G: Joint>(score: Score) -> f64 {
    f64::from(score.value()) / unit::<G>()
}
