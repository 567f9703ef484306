//! Differential evolution: a child replaces its parent if it beats it head to head.
//!
//! Storn and Price, *Differential Evolution: A Simple and Efficient Heuristic for Global Optimization over Continuous
//! Spaces*, 1997, in the form DE/rand/1/bin, with games in place of a function's value, as the program MiniFrame
//! tunes its bots. All children of a generation are made from the same population. The answer is the population's
//! mean: a member is there because it won a few games, which says little of it alone.

use coppice::rng::mix;
use coppice::Rng;

use super::method::{Method, Trial};
use super::spsa::mean;

/// The method's constants.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// The number of points; at least four.
    pub population: usize,
    /// The factor of the difference of two members that is added to a third (F).
    pub weight: f64,
    /// The probability that a coordinate comes from that sum and not from the parent (CR). At least one always does.
    pub crossover: f64,
}

impl Options {
    /// The default settings for this number of parameters.
    pub fn new(parameters: usize) -> Options {
        Options { population: (4 * parameters).clamp(8, 40), weight: 0.6, crossover: 0.9 }
    }

    /// The default settings, with a population of this size if one is given.
    pub fn of(population: Option<u32>, parameters: usize) -> Options {
        let usual = Options::new(parameters);
        Options { population: population.map_or(usual.population, |size| size as usize), ..usual }
    }
}

/// Differential evolution.
#[derive(Debug, Clone)]
pub struct Evolution {
    options: Options,
    /// The number of trials left.
    left: u32,
    seed: u64,
    generation: u64,
    members: Vec<Vec<f64>>,
}

impl Evolution {
    /// A search of `trials` trials from `start`, a point of the unit cube. `start` is the first member; the others are
    /// uniform in the cube.
    pub fn new(start: Vec<f64>, trials: u32, seed: u64, options: Options) -> Evolution {
        let mut rng = Rng::new(mix(seed));
        let drawn = (1..options.population.max(4)).map(|_| start.iter().map(|_| unit(&mut rng)).collect());
        let members = std::iter::once(start.clone()).chain(drawn.collect::<Vec<_>>()).collect();
        Evolution { options, left: trials, seed, generation: 0, members }
    }

    fn child(&self, parent: usize, rng: &mut Rng) -> Vec<f64> {
        // Three different members.
        let mut chosen = vec![parent];
        while chosen.len() < 4 {
            let i = rng.below(self.members.len() as u32) as usize;
            if !chosen.contains(&i) {
                chosen.push(i);
            }
        }
        let parent = &self.members[parent];
        let forced = rng.below(parent.len() as u32) as usize;
        let coordinate = |(i, &old): (usize, &f64)| {
            if i != forced && unit(rng) >= self.options.crossover {
                return old;
            }
            let [a, b, c] = [1, 2, 3].map(|k| self.members[chosen[k]][i]);
            inside(a + self.options.weight * (b - c))
        };
        parent.iter().enumerate().map(coordinate).collect()
    }
}

impl Method for Evolution {
    fn round(&self) -> Vec<Trial> {
        let mut rng = Rng::new(mix(self.seed ^ mix(self.generation + 1)));
        let count = self.members.len().min(self.left as usize);
        let mut trial = |parent: usize| {
            let child = self.child(parent, &mut rng);
            Trial { points: [child, self.members[parent].clone()] }
        };
        (0..count).map(&mut trial).collect()
    }

    fn tell(&mut self, scores: &[f64]) {
        let round = self.round();
        assert_eq!(scores.len(), round.len(), "one score a trial");
        for (parent, (trial, &score)) in round.into_iter().zip(scores).enumerate() {
            // After a draw the child stays, so that the population keeps moving where points are equal.
            if score >= 0.5 {
                let [child, _] = trial.points;
                self.members[parent] = child;
            }
        }
        self.left -= scores.len() as u32;
        self.generation += 1;
    }

    fn answer(&self) -> Vec<f64> {
        mean(&self.members)
    }

    /// The standard deviation of the population.
    fn reach(&self) -> Vec<f64> {
        let centre = self.answer();
        let variance = |i: usize| {
            let squares = self.members.iter().map(|member| (member[i] - centre[i]).powi(2));
            squares.sum::<f64>() / self.members.len() as f64
        };
        (0..centre.len()).map(|i| variance(i).sqrt()).collect()
    }
}

/// A uniform number in [0, 1) with 53 random bits.
pub(super) fn unit(rng: &mut Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// Mirrors a coordinate outside the cube at its edge.
fn inside(x: f64) -> f64 {
    let mirrored = if x < 0.0 { -x } else { x.min(2.0 - x) };
    mirrored.clamp(0.0, 1.0)
}
