//! Differential evolution: a child replaces its parent if it beats it head to head.
//!
//! Storn and Price, *Differential Evolution: A Simple and Efficient Heuristic for Global Optimization over Continuous
//! Spaces*, 1997, in the form DE/rand/1/bin, with games in place of a function's value, as the program MiniFrame
//! tunes its bots. All children of a generation are made from the same population. The answer is the population's
//! mean: a member is there because it won a few games, which says little of it alone.
//!
//! Whole numbers are continuous in the population and rounded for the games (Lampinen and Zelinka, *Mixed
//! Integer-Discrete-Continuous Optimization by Differential Evolution*, 1999). A child that rounds to its parent would play
//! itself: one of its values is moved to a neighbouring one.

use coppice::rng::mix;
use coppice::Rng;

use super::method::{Method, Trial};
use super::space::Space;
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
    space: Space,
    /// The number of trials left.
    left: u32,
    seed: u64,
    generation: u64,
    members: Vec<Vec<f64>>,
}

impl Evolution {
    /// A search of `trials` trials in `space`. The start is the first member; the others are uniform in the unit cube.
    pub fn new(space: Space, trials: u32, seed: u64, options: Options) -> Evolution {
        let (mut rng, start) = (Rng::new(mix(seed)), space.start());
        let drawn = (1..options.population.max(4)).map(|_| start.iter().map(|_| unit(&mut rng)).collect());
        let members = std::iter::once(start.clone()).chain(drawn.collect::<Vec<_>>()).collect();
        Evolution { options, space, left: trials, seed, generation: 0, members }
    }

    /// A child, and whether it was moved away from its parent.
    fn child(&self, parent: usize, rng: &mut Rng) -> (Vec<f64>, bool) {
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
        let mut child: Vec<f64> = parent.iter().enumerate().map(coordinate).collect();
        let is_moved = self.space.values(&child) == self.space.values(parent);
        if is_moved {
            child[forced] = self.space.0[forced].neighbour(child[forced], rng.below(2) == 1);
        }
        (child, is_moved)
    }

    /// The children of the generation.
    fn children(&self) -> Vec<(Vec<f64>, bool)> {
        let mut rng = Rng::new(mix(self.seed ^ mix(self.generation + 1)));
        let count = self.members.len().min(self.left as usize);
        (0..count).map(|parent| self.child(parent, &mut rng)).collect()
    }
}

impl Method for Evolution {
    fn round(&self) -> Vec<Trial> {
        let both = self.children().into_iter().zip(&self.members);
        both.map(|((child, _), parent)| Trial { points: [child, parent.clone()] }).collect()
    }

    fn tell(&mut self, scores: &[f64]) {
        let children = self.children();
        assert_eq!(scores.len(), children.len(), "one score a trial");
        for (member, ((child, is_moved), &score)) in
            self.members.iter_mut().zip(children.into_iter().zip(scores))
        {
            // After a draw the child stays, so that the population keeps moving where points are equal. One that was only
            // moved must win: the population had agreed on its parent's values.
            if score > 0.5 || score == 0.5 && !is_moved {
                *member = child;
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
