//! How to learn: the stages of a course, their steps, the targets.

use std::path::PathBuf;

use coppice::Rng;
use serde::{Deserialize, Serialize};

use crate::loss::Loss;

/// How to learn: in one stage or several, each of which goes on with the weights of the one before.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Recipe {
    /// The file of packed weights to begin with; without it, weights drawn from the seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<PathBuf>,
    /// The stages.
    pub stages: Vec<Stage>,
    /// Learn winning chances, with a chance of 73 % at this many points; without it, points.
    pub scale: Option<f32>,
    /// Targets beyond this many points count as this many.
    pub widest: f32,
    /// How many of the latest generations of games to learn from.
    pub generations: u32,
    /// The number of the latest of them; without it, the last that is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latest: Option<u32>,
    /// Seed of the order, and of the first weights.
    pub seed: u64,
}

/// A stage of a course.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Stage {
    /// Passes over the positions.
    pub epochs: u32,
    /// Positions in a step.
    pub batch: u32,
    /// The first step's size, in points; it falls to a hundredth along half a cosine.
    pub rate: f32,
    /// The share of a game's result in a target; the rest is the search's score.
    pub share: f32,
    /// Train on one in N of the positions that no game reached: 1 for all, 0 for none.
    pub aside: u32,
}

impl Recipe {
    /// One stage, from the two latest generations, where points are values from -1 to 1.
    pub fn of_values(stage: Stage) -> Recipe {
        let stages = vec![stage];
        Recipe { from: None, stages, scale: None, widest: 1.0, generations: 2, latest: None, seed: 1 }
    }

    /// What an error costs.
    pub fn loss(&self) -> Loss {
        self.scale.map_or(Loss::Squared, |scale| Loss::Logistic { scale })
    }

    /// Passes over positions, in all stages.
    pub fn epochs(&self) -> u32 {
        self.stages.iter().map(|stage| stage.epochs).sum()
    }
}

impl Stage {
    /// The step's size after this share of the stage.
    pub(crate) fn rate_after(&self, done: f32) -> f32 {
        self.rate * (0.01 + 0.99 * (0.5 + 0.5 * (std::f32::consts::PI * done).cos()))
    }
}

/// Puts positions into a random order.
pub(crate) fn shuffle(order: &mut [u32], rng: &mut Rng) {
    for i in (1..order.len()).rev() {
        order.swap(i, rng.below(i as u32 + 1) as usize);
    }
}
