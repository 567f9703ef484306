//! The generalised sequential probability ratio test (GSPRT) of a match.

use serde::{Deserialize, Serialize};

use super::elo;
use super::likelihood::{self, Distribution, LikelihoodError};
use super::outcomes::Outcomes;

/// Weight of an empty cell, in samples: the likelihood of a hypothesis is then never 0, and an outcome that hasn't occurred
/// isn't ruled out. As in fishtest and fastchess.
const EMPTY_CELL: f64 = 1e-3;
/// Hypotheses farther apart or farther from 0 make no sense, and what is beyond a score of 0.997 can't be
/// told from certainty.
const FARTHEST_ELO: f64 = 1000.0;
/// Largest hypothesis in normalised Elo, as the t-value of a sample: the mean lies two standard deviations from one half.
const FARTHEST_T_VALUE: f64 = 2.0;

/// Unit of a test's bounds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Model {
    /// Normalised Elo: a test takes as many games whatever the share of draws
    #[default]
    #[cfg_attr(feature = "clap", value(alias = "normalized"))]
    Normalised,
    /// Elo of the score
    Logistic,
}

/// A generalised sequential probability ratio test between two strengths.
///
/// After Wald (*Sequential Tests of Statistical Hypotheses*, 1945), with the likelihoods maximised under each
/// hypothesis (Van den Bergh, *Comments on normalized Elo*, proposition 1.1 and section 4.1).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: Model,
}

/// Where a test stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The difference is not above `elo0`, as far as the test can tell from `elo1`.
    AcceptH0,
    /// The difference is `elo1` rather than `elo0`.
    AcceptH1,
    /// More games are needed.
    Undecided,
}

/// Why a test makes no sense.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SprtError {
    /// The hypotheses are in the wrong order, or the same.
    #[error("elo0 must be below elo1, but {elo0} is not below {elo1}; to show an improvement try 0 and 10")]
    Order {
        /// The lower hypothesis.
        elo0: f64,
        /// The upper hypothesis.
        elo1: f64,
    },
    /// A hypothesis is out of range.
    #[error("{name} is {value}, but must lie between -{limit:.0} and {limit:.0}")]
    Elo {
        /// `elo0` or `elo1`.
        name: &'static str,
        /// The given value.
        value: f64,
        /// The farthest that makes sense.
        limit: f64,
    },
    /// An error rate is out of range.
    #[error("{name} is {value}, but must be above 0 and below 0.5; usual is 0.05")]
    Rate {
        /// `alpha` or `beta`.
        name: &'static str,
        /// The given value.
        value: f64,
    },
}

impl Sprt {
    /// A test of `elo0` (H0) against `elo1` (H1), in the Elo of `model`. It accepts a wrong H1 with the
    /// probability `alpha`, a wrong H0 with the probability `beta`.
    ///
    /// # Errors
    /// If `elo0` isn't below `elo1`, one of them is farther from 0 than 1000 Elo (for normalised Elo 491, two
    /// standard deviations of a pair), or `alpha` or `beta` isn't between 0 and 0.5.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: Model) -> Result<Self, SprtError> {
        let limit = match model {
            Model::Logistic => FARTHEST_ELO,
            Model::Normalised => elo::normalised_of_t_value(FARTHEST_T_VALUE, 2).floor(),
        };
        for (name, value) in [("elo0", elo0), ("elo1", elo1)] {
            // Not a number is in no range.
            if !(-limit..=limit).contains(&value) {
                return Err(SprtError::Elo { name, value, limit });
            }
        }
        if elo0 >= elo1 {
            return Err(SprtError::Order { elo0, elo1 });
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(value > 0.0 && value < 0.5) {
                return Err(SprtError::Rate { name, value });
            }
        }
        Ok(Self { elo0, elo1, alpha, beta, model })
    }

    /// The hypotheses `elo0` and `elo1`.
    pub fn hypotheses(&self) -> (f64, f64) {
        (self.elo0, self.elo1)
    }

    /// The error rates `alpha` and `beta`.
    pub fn error_rates(&self) -> (f64, f64) {
        (self.alpha, self.beta)
    }

    /// Unit of the hypotheses.
    pub fn model(&self) -> Model {
        self.model
    }

    /// The log-likelihood ratios at which H0 and H1 are accepted (Wald, section 3.4).
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The logarithm of how much likelier the outcomes are under H1 than under H0; 0 without samples.
    ///
    /// # Errors
    /// If the most likely distribution under a hypothesis wasn't found: a ratio is never computed from numbers that
    /// don't sum to 1 or miss the hypothesis by more than 1e-9.
    pub fn llr(&self, outcomes: &Outcomes) -> Result<f64, LikelihoodError> {
        if outcomes.samples() == 0 {
            return Ok(0.0);
        }
        let (observed, total) = self.observed(outcomes);
        let h0 = self.most_likely(&observed, self.elo0, outcomes.games_per_sample())?;
        let h1 = self.most_likely(&observed, self.elo1, outcomes.games_per_sample())?;
        let ratio = observed.iter().zip(h0.iter().zip(&h1)).map(|((_, p), (h0, h1))| p * (h1.1 / h0.1).ln());
        Ok(total * ratio.sum::<f64>())
    }

    /// The distribution of the outcomes, in which no cell is empty, and the weight of all samples.
    pub(super) fn observed(&self, outcomes: &Outcomes) -> (Distribution, f64) {
        let weights = outcomes.weights().map(|weight| weight.max(EMPTY_CELL)).collect::<Vec<_>>();
        let total = weights.iter().sum::<f64>();
        let scores = outcomes.cells().iter().map(|cell| cell.score);
        (scores.zip(&weights).map(|(score, weight)| (score, weight / total)).collect(), total)
    }

    fn most_likely(
        &self,
        observed: &[(f64, f64)],
        elo: f64,
        games_per_sample: u32,
    ) -> Result<Distribution, LikelihoodError> {
        match self.model {
            Model::Logistic => likelihood::with_mean(observed, elo::score_of(elo)),
            Model::Normalised => likelihood::with_t_value(observed, elo::t_value_of(elo, games_per_sample)),
        }
    }

    /// The verdict at a log-likelihood ratio.
    pub fn verdict(&self, llr: f64) -> Verdict {
        match self.bounds() {
            (lower, _) if llr <= lower => Verdict::AcceptH0,
            (_, upper) if llr >= upper => Verdict::AcceptH1,
            _ => Verdict::Undecided,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(elo0: f64, elo1: f64, model: Model) -> Sprt {
        Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap()
    }

    fn near(value: f64, expected: f64, tolerance: f64) {
        assert!((value - expected).abs() <= tolerance, "{value} instead of {expected}");
    }

    #[test]
    fn published_ratios_of_single_games() {
        let normalised = Outcomes::trinomial(36433, 36027, 68692);
        near(test(0.0, 2.0, Model::Normalised).llr(&normalised).unwrap(), 0.92, 0.005);
        let logistic = Outcomes::trinomial(21404, 21184, 40708);
        near(test(0.5, 2.5, Model::Logistic).llr(&logistic).unwrap(), -1.57, 0.005);
    }

    #[test]
    fn published_ratios_of_six_cells() {
        let cases = [
            ([365, 16618, 36029, 200, 16974, 390], test(0.0, 2.0, Model::Normalised), 2.25),
            ([127, 4883, 10311, 401, 5150, 104], test(-1.75, 0.25, Model::Normalised), 3.01),
            ([223, 9863, 20279, 1000, 10037, 246], test(0.5, 2.5, Model::Logistic), -3.07),
        ];
        for (cells, sprt, expected) in cases {
            near(sprt.llr(&Outcomes::pentanomial_of_six(&cells)).unwrap(), expected, 0.005);
        }
    }

    #[test]
    fn published_ratios_of_five_cells() {
        let cases = [
            ([39, 8843, 26675, 9240, 44], (0.5, 2.5), 2.94168),
            ([10, 40, 100, 60, 20], (0.0, 5.0), 0.78342),
            ([30, 50, 10, 60, 50], (-3.0, 3.0), 0.83376),
        ];
        for (cells, (elo0, elo1), expected) in cases {
            let llr = test(elo0, elo1, Model::Normalised).llr(&Outcomes::pentanomial(&cells)).unwrap();
            near(llr, expected, 5e-6);
        }
    }

    #[test]
    fn bounds_are_those_of_wald() {
        let (lower, upper) = test(0.0, 10.0, Model::Normalised).bounds();
        near(lower, -19f64.ln(), 1e-12);
        near(upper, 19f64.ln(), 1e-12);
        let uneven = Sprt::new(0.0, 10.0, 0.01, 0.2, Model::Normalised).unwrap();
        near(uneven.bounds().0, (0.2f64 / 0.99).ln(), 1e-12);
        near(uneven.bounds().1, 80f64.ln(), 1e-12);
    }

    #[test]
    fn a_verdict_is_where_a_bound_is_reached() {
        let sprt = test(0.0, 10.0, Model::Logistic);
        let (lower, upper) = sprt.bounds();
        assert_eq!(sprt.verdict(lower), Verdict::AcceptH0);
        assert_eq!(sprt.verdict(upper), Verdict::AcceptH1);
        assert_eq!(sprt.verdict(lower + 1e-9), Verdict::Undecided);
        assert_eq!(sprt.verdict(upper - 1e-9), Verdict::Undecided);
    }

    #[test]
    fn the_other_side_of_the_board_sees_the_other_sign() {
        for model in [Model::Normalised, Model::Logistic] {
            let forth = test(-2.0, 7.0, model).llr(&Outcomes::pentanomial(&[5, 20, 40, 31, 9])).unwrap();
            let back = test(-7.0, 2.0, model).llr(&Outcomes::pentanomial(&[9, 31, 40, 20, 5])).unwrap();
            near(forth, -back, 1e-9);
        }
    }

    #[test]
    fn few_or_equal_samples_are_finite_and_decide_nothing_at_once() {
        for model in [Model::Normalised, Model::Logistic] {
            for (elo0, elo1) in [(0.0, 10.0), (-400.0, 400.0), (480.0, 490.0)] {
                let sprt = test(elo0, elo1, model);
                assert_eq!(sprt.llr(&Outcomes::pentanomial(&[0; 5])), Ok(0.0));
                for count in [1, 2, 30, 100_000] {
                    for cell in 0..25 {
                        let mut counts = [0; 5];
                        counts[cell / 5] = count;
                        counts[cell % 5] += 1;
                        let llr = sprt.llr(&Outcomes::pentanomial(&counts)).unwrap();
                        assert!(llr.is_finite(), "{sprt:?} {counts:?}");
                        let early = count == 1 && elo1 == 10.0;
                        assert!(!early || sprt.verdict(llr) == Verdict::Undecided, "{counts:?} {llr}");
                    }
                }
            }
        }
    }

    #[test]
    fn winning_all_is_decided_soon() {
        let sprt = test(0.0, 10.0, Model::Normalised);
        let pairs = (1..).find(|&pairs| {
            let won = Outcomes::pentanomial(&[0, 0, 0, 0, pairs]);
            sprt.verdict(sprt.llr(&won).unwrap()) == Verdict::AcceptH1
        });
        assert!((5..100).contains(&pairs.unwrap()), "{pairs:?}");
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let refused = |elo0, elo1, alpha, beta, model| {
            Sprt::new(elo0, elo1, alpha, beta, model).unwrap_err().to_string()
        };
        let order = refused(5.0, 5.0, 0.05, 0.05, Model::Normalised);
        assert!(order.contains("5 is not below 5"), "{order}");
        for rate in [0.0, 0.5, -1.0, f64::NAN] {
            assert!(refused(0.0, 5.0, rate, 0.05, Model::Logistic).contains("alpha is"));
            assert!(refused(0.0, 5.0, 0.05, rate, Model::Logistic).contains("beta is"));
        }
        assert!(refused(0.0, f64::INFINITY, 0.05, 0.05, Model::Logistic).contains("elo1 is inf"));
        assert!(refused(0.0, f64::NAN, 0.05, 0.05, Model::Normalised).contains("elo1 is NaN"));
        assert!(refused(0.0, 600.0, 0.05, 0.05, Model::Normalised).contains("between -491 and 491"));
    }
}
