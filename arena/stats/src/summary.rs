//! The statistics of a match of two bots, for the table and `--json`.

use serde::{Deserialize, Serialize};

use super::estimate::Estimate;
use super::gsprt::{Sprt, Verdict};
use super::likelihood::LikelihoodError;
use super::outcomes::{Cell, Outcomes};
use super::scoring::Lead;

/// The result of a match for the first of two bots.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The number of independent samples: pairs, in a match with paired openings.
    pub samples: u64,
    /// The number of games per sample.
    pub games_per_sample: u32,
    /// The scores of the samples and their counts: five for pairs of games.
    pub cells: Vec<Cell>,
    /// The score, between 0 and 1.
    pub score: Estimate,
    /// Logistic Elo.
    pub elo: Estimate,
    /// Normalised Elo.
    pub normalised_elo: Estimate,
    /// The likelihood of superiority, between 0 and 1.
    pub los: f64,
    /// The mean difference or ratio of scores, where seeds are compared so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lead: Option<Lead>,
}

impl From<&Outcomes> for Comparison {
    fn from(outcomes: &Outcomes) -> Self {
        Self {
            samples: outcomes.samples(),
            games_per_sample: outcomes.games_per_sample(),
            cells: outcomes.cells().to_vec(),
            score: outcomes.score(),
            elo: outcomes.elo(),
            normalised_elo: outcomes.normalised_elo(),
            los: outcomes.los(),
            lead: None,
        }
    }
}

/// The state of a sequential test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SprtState {
    /// The test itself: `elo0`, `elo1`, `alpha`, `beta`, `model`.
    #[serde(flatten)]
    pub test: Sprt,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// At or below this, H0 is accepted.
    pub lower: f64,
    /// At or above this, H1 is accepted.
    pub upper: f64,
    /// The verdict so far.
    pub verdict: Verdict,
}

impl SprtState {
    /// Evaluates the test on these outcomes.
    ///
    /// # Errors
    /// As for [`Sprt::llr`].
    pub fn of(test: Sprt, outcomes: &Outcomes) -> Result<Self, LikelihoodError> {
        Ok(Self::at(test, test.llr(outcomes)?))
    }

    /// The state at a log-likelihood ratio.
    pub fn at(test: Sprt, llr: f64) -> Self {
        let (lower, upper) = test.bounds();
        Self { test, llr, lower, upper, verdict: test.verdict(llr) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Model;
    use super::*;

    #[test]
    fn json_holds_numbers_only_and_comes_back() {
        for counts in [[0; 5], [0, 0, 0, 0, 3], [1, 2, 3, 4, 5]] {
            let comparison = Comparison::from(&Outcomes::pentanomial(&counts));
            let json = serde_json::to_string(&comparison).unwrap();
            assert!(!json.contains("null"), "{json}");
            let back = serde_json::from_str::<Comparison>(&json).unwrap();
            assert_eq!((back.samples, back.cells), (comparison.samples, comparison.cells));
        }
    }

    #[test]
    fn a_test_in_json_names_its_bounds_and_verdict() {
        let test = Sprt::new(0.0, 10.0, 0.05, 0.05, Model::Normalised).unwrap();
        let state = SprtState::of(test, &Outcomes::pentanomial(&[0, 0, 10, 40, 50])).unwrap();
        let json = serde_json::to_value(state).unwrap();
        assert_eq!((&json["elo1"], &json["model"]), (&10.0.into(), &"normalised".into()));
        assert_eq!(json["verdict"], "accept-h1");
        assert!(json["llr"].as_f64() > json["upper"].as_f64());
    }
}
