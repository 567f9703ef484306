//! The interface of tuning methods: propose pairs of points, receive results, return the best point.
//!
//! A point has a number from 0 to 1 for each parameter. A method goes from round to round: all trials of a round
//! may be played at once and in any order, and the next round follows from their results alone. So whoever has
//! the results of all finished rounds can go on where somebody else was stopped.

/// Two points to be compared by games.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    /// The points; both are in the unit cube.
    pub points: [Vec<f64>; 2],
}

/// A way of tuning.
pub trait Method: Send {
    /// The trials to play now; the same until [`Method::tell`] is called.
    fn round(&self) -> Vec<Trial>;

    /// Takes the results of the round: for each trial the mean score of its first point, from 0 for all games lost
    /// to 1 for all won.
    ///
    /// # Panics
    /// If there are not as many as the round has trials.
    fn tell(&mut self, scores: &[f64]);

    /// What would be the answer now: a point in the unit cube. It is a mean of many points and never the best seen,
    /// which is the one that was luckiest.
    fn answer(&self) -> Vec<f64>;

    /// How far from the answer it looks now, for each parameter, as a share of the range.
    fn reach(&self) -> Vec<f64>;
}

/// How many pairs of games a trial has. A pair is two games from the same seed with the seats swapped.
pub const PAIRS_A_TRIAL: u32 = 2;

/// How many games a trial has.
pub const GAMES_A_TRIAL: u32 = 2 * PAIRS_A_TRIAL;
