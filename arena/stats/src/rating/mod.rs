//! Ratings of several bots from their games.
//!
//! The model is Davidson's (*On Extending the Bradley-Terry Model to Accommodate Ties*, 1970) with a term for
//! each seat (Davidson and Beaver, *On Extending the Bradley-Terry Model to Incorporate Within-Pair Order
//! Effects*, 1977): win, draw and loss are to each other as `e^(d/2)`, `v` and `e^(-d/2)`, where `d` is the
//! difference of ratings and seats. Rao and Kupper's model (1967) would do as well; Davidson's was taken
//! because it is an exponential family: a rating depends on a bot's points alone, and the likelihood has one
//! maximum, found by Newton's method.
//!
//! A normal prior on each parameter keeps everything finite and connected, also for bots that won all games or
//! never met. The errors don't rely on the model: the variance of the results of groups of games (such as the pair of
//! an opening) is estimated from the groups. Everything is computed from counts, so the order
//! of the games doesn't matter, to the last bit.

mod design;
mod fit;
mod meetings;

use std::f64::consts::LN_10;

use nalgebra::{DMatrix, DVector};

pub use design::Design;
pub use meetings::{Meeting, Meetings, Outcome};

use super::estimate::Estimate;
use super::normal::probability_below;

/// Elo of a difference of 1 in the model, without draws.
const ELO_UNIT: f64 = 400.0 / LN_10;
/// The difference, in Elo, for which anytime bounds are sharpest. Larger differences are decided soon anyway.
const ANYTIME_ELO: f64 = 50.0;

/// The ratings of the bots, with mean 0.
#[derive(Debug, Clone, PartialEq)]
pub struct Ratings {
    /// By bot, in Elo.
    ratings: DVector<f64>,
    /// Their covariance, in Elo squared.
    covariance: DMatrix<f64>,
    /// The seats' advantages in Elo, with mean 0, and their covariance.
    seats: DVector<f64>,
    seat_covariance: DMatrix<f64>,
    draw_share: f64,
    /// Elo of a difference of 1 in the model.
    unit: f64,
}

impl Ratings {
    /// The most probable ratings after the meetings, and their errors.
    pub fn of(meetings: &Meetings) -> Self {
        let fit = fit::fit(meetings);
        let (bots, seats) = (meetings.bots(), meetings.seats());
        // Near equality, the score then rises with the rating as with Elo: by 1 / (4 ELO_UNIT).
        let unit = ELO_UNIT * 2.0 / (2.0 + fit.draws);
        let (ratings, covariance) = fit.centred(0, bots);
        let (seat_terms, seat_covariance) = fit.centred(bots, seats);
        Self {
            ratings: ratings * unit,
            covariance: covariance * (unit * unit),
            seats: seat_terms * unit,
            seat_covariance: seat_covariance * (unit * unit),
            draw_share: fit.draws / (2.0 + fit.draws),
            unit,
        }
    }

    /// The number of bots.
    pub fn bots(&self) -> usize {
        self.ratings.len()
    }

    /// A bot's rating above the mean of all, in Elo.
    pub fn rating(&self, bot: usize) -> Estimate {
        Estimate::normal(self.ratings[bot], self.covariance[(bot, bot)].max(0.0).sqrt())
    }

    /// The rating of bot `a` minus that of bot `b`, in Elo.
    pub fn difference(&self, a: usize, b: usize) -> Estimate {
        Estimate::normal(self.ratings[a] - self.ratings[b], self.difference_error(a, b))
    }

    /// The likelihood that bot `a` is stronger than bot `b`.
    pub fn los(&self, a: usize, b: usize) -> f64 {
        let error = self.difference_error(a, b);
        let difference = self.ratings[a] - self.ratings[b];
        if error > 0.0 {
            probability_below(difference / error)
        } else {
            0.5
        }
    }

    /// The bots from the strongest to the weakest.
    pub fn order(&self) -> Vec<usize> {
        let mut order = (0..self.bots()).collect::<Vec<_>>();
        order.sort_by(|&a, &b| self.ratings[b].total_cmp(&self.ratings[a]));
        order
    }

    /// The advantage of each seat above the mean of the seats, in Elo.
    pub fn seats(&self) -> Vec<Estimate> {
        let error = |seat| self.seat_covariance[(seat, seat)].max(0.0).sqrt();
        (0..self.seats.len()).map(|seat| Estimate::normal(self.seats[seat], error(seat))).collect()
    }

    /// The advantage of seat `a` over seat `b`, in Elo.
    pub fn seat_difference(&self, a: usize, b: usize) -> Estimate {
        Estimate::normal(self.seats[a] - self.seats[b], difference_error(&self.seat_covariance, a, b))
    }

    /// The share of draws between equal bots on equal seats.
    pub fn draw_share(&self) -> f64 {
        self.draw_share
    }

    /// The bot that is significantly more than `elo` stronger than every other, if there is one. `meetings` are those
    /// of these ratings.
    ///
    /// This may be called after every game: the probability that it ever names the wrong bot is at most 5 %, shared
    /// among the others. Each of them is fixed at `elo` below the best: if that were true, the force of the results
    /// would be a random walk that seldom reaches the bound (Robbins, 1970).
    pub fn surely_best(&self, meetings: &Meetings, elo: f64) -> Option<usize> {
        let best = *self.order().first()?;
        let others = (0..self.bots()).filter(|&other| other != best);
        let alpha = 0.05 / others.clone().count().max(1) as f64;
        let is_ahead = |other: usize| {
            // The cheap test first.
            self.ratings[best] - self.ratings[other] > elo && {
                let pull = fit::pull(meetings, [best, other], elo / self.unit);
                pull.score > reaches(pull.variance, alpha)
            }
        };
        others.into_iter().all(is_ahead).then_some(best)
    }

    fn difference_error(&self, a: usize, b: usize) -> f64 {
        difference_error(&self.covariance, a, b)
    }
}

/// The standard error of the difference of two values.
fn difference_error(covariance: &DMatrix<f64>, a: usize, b: usize) -> f64 {
    (covariance[(a, a)] + covariance[(b, b)] - 2.0 * covariance[(a, b)]).max(0.0).sqrt()
}

/// The maximum that a random walk reaches by the time its variance is this, with a probability of `1 - alpha`: the
/// mixture of Robbins (*Statistical Methods Related to the Law of the Iterated Logarithm*, 1970).
fn reaches(variance: f64, alpha: f64) -> f64 {
    let prior = (ELO_UNIT / ANYTIME_ELO).powi(2);
    let total = variance + prior;
    // One side of the bound for both sides at 2 alpha.
    (total * (total / prior / (4.0 * alpha * alpha)).ln()).sqrt()
}

#[cfg(test)]
mod design_tests;
#[cfg(test)]
mod tests;
