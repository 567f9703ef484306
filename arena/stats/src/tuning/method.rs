//! The interface of tuning methods: propose pairs of points, receive results, return the best point.
//!
//! A point has a number from 0 to 1 for each parameter. A method proceeds in rounds: all trials of a round can be
//! played in parallel and in any order, and the next round depends only on their results. So the results of
//! all finished rounds are enough to resume a run.

/// Two points to be compared by playing games.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    /// The points; both are in the unit cube.
    pub points: [Vec<f64>; 2],
}

/// A tuning method.
pub trait Method: Send {
    /// The trials of the current round; the same until [`Method::tell`] is called.
    fn round(&self) -> Vec<Trial>;

    /// Takes the results of the round: for each trial the mean score of its first point, from 0 for all games lost
    /// to 1 for all won.
    ///
    /// # Panics
    /// If their number isn't the round's number of trials.
    fn tell(&mut self, scores: &[f64]);

    /// The current answer: a point in the unit cube. It is a mean of many points and never the best seen,
    /// whose result was partly luck.
    fn answer(&self) -> Vec<f64>;

    /// The current distance of trials from the answer, for each parameter, as a share of the range.
    fn reach(&self) -> Vec<f64>;
}

/// The number of pairs of games per trial. A pair is two games from the same seed with the seats swapped.
pub const PAIRS_A_TRIAL: u32 = 2;

/// The number of games per trial.
pub const GAMES_A_TRIAL: u32 = 2 * PAIRS_A_TRIAL;
