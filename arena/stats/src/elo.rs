//! Elo: the scale of ratings. A player 400 Elo stronger is expected to score ten points for each one lost.
//!
//! Logistic Elo follows from the score alone. Normalised Elo measures the score in standard deviations of one
//! game's result: it says how easily a difference is shown, whatever the share of draws and however balanced
//! the openings (Van den Bergh, *Comments on normalized Elo*, section 2).

use std::f64::consts::LN_10;

/// Normalised Elo of a score one standard deviation of a game above one half. With few draws a small
/// difference then has about as many normalised as logistic Elo.
pub const NORMALISED_UNIT: f64 = 800.0 / LN_10;

/// The expected score between 0 and 1 of a player who is `elo` stronger.
pub fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// How much stronger a player is who scores `score`; infinite for 0 and 1.
pub fn of_score(score: f64) -> f64 {
    // Not minus 400 times the inverse: an even score is 0, not -0.
    400.0 * (score / (1.0 - score)).log10()
}

/// The t-value of a sample of `games` games that a normalised Elo amounts to: its mean above one half in
/// standard deviations of the sample. Games that even each other out raise it by the root of their number.
pub fn t_value_of(normalised_elo: f64, games: u32) -> f64 {
    normalised_elo / NORMALISED_UNIT * f64::from(games).sqrt()
}

/// The normalised Elo of a t-value of samples of `games` games: the inverse of [`t_value_of`].
pub fn normalised_of_t_value(t_value: f64, games: u32) -> f64 {
    t_value / f64::from(games).sqrt() * NORMALISED_UNIT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_hundred_elo_are_ten_to_one() {
        assert!((score_of(400.0) - 10.0 / 11.0).abs() < 1e-12);
        assert!((of_score(1.0 / 11.0) + 400.0).abs() < 1e-9);
        assert_eq!((score_of(0.0), of_score(0.5)), (0.5, 0.0));
    }

    #[test]
    fn there_and_back() {
        for elo in [-900.0, -35.5, 0.0, 1.0, 250.0] {
            assert!((of_score(score_of(elo)) - elo).abs() < 1e-9);
            for games in 1..4 {
                assert!((normalised_of_t_value(t_value_of(elo, games), games) - elo).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn without_draws_small_differences_are_the_same_on_both_scales() {
        let score = score_of(1.0);
        let normalised = (score - 0.5) / (score * (1.0 - score)).sqrt() * NORMALISED_UNIT;
        assert!((normalised - 1.0).abs() < 1e-4, "{normalised}");
    }
}
