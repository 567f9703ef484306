//! Simultaneous perturbation stochastic approximation, with an average of the iterates as its answer.
//!
//! Each trial finds out in which direction along a random diagonal the bot plays better, and moves the iterate that way
//! (Spall, *Multivariate Stochastic Approximation Using a Simultaneous Perturbation Gradient Approximation*, 1992).
//! A trial costs the same whatever the number of parameters. The answer is the mean of the last half of the iterates
//! (Polyak and Juditsky, *Acceleration of Stochastic Approximation by Averaging*, 1992), which averages out most of the
//! noise of single iterates.

use coppice::rng::mix;
use coppice::Rng;

use super::method::{Method, Trial, GAMES_A_TRIAL};

/// The method's constants.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// The distance of a trial's two points from the iterate, in each parameter.
    pub perturbation: f64,
    /// The same at the edge of the cube.
    pub least_perturbation: f64,
    /// The length of the last step in each parameter for a net result of one game.
    pub last_step: f64,
    /// The exponent with which step lengths fall with the trial's number: Spall, *Implementation of the Simultaneous
    /// Perturbation Algorithm*, 1998.
    pub decay: f64,
    /// Trials added to each number, as a share of all, so that the first steps aren't too long. Also from Spall.
    pub stability: f64,
    /// The share of the last iterates whose mean is the answer.
    pub averaged: f64,
}

impl Default for Options {
    /// The best constants in the simulated game of `tests.rs`.
    fn default() -> Options {
        Options {
            perturbation: 0.25,
            least_perturbation: 0.1,
            last_step: 0.008,
            decay: 0.602,
            stability: 0.1,
            averaged: 0.7,
        }
    }
}

/// SPSA.
#[derive(Debug, Clone)]
pub struct Spsa {
    options: Options,
    /// The number of trials.
    trials: u32,
    /// The number of trials in a round.
    at_once: u32,
    seed: u64,
    /// The iterate after each trial so far; the first is the start.
    iterates: Vec<Vec<f64>>,
}

impl Spsa {
    /// A search of `trials` trials from `start`, a point of the unit cube; the `at_once` trials of a round
    /// start from the same iterate.
    pub fn new(start: Vec<f64>, trials: u32, at_once: u32, seed: u64, options: Options) -> Spsa {
        Spsa { options, trials, at_once: at_once.max(1), seed, iterates: vec![start] }
    }

    /// The number of finished trials.
    fn finished(&self) -> u32 {
        self.iterates.len() as u32 - 1
    }

    /// The iterate from which the next trials start.
    pub fn iterate(&self) -> &[f64] {
        &self.iterates[self.iterates.len() - 1]
    }

    /// The length of step number `trial`, from 0.
    pub fn step(&self, trial: u32) -> f64 {
        let Options { last_step, decay, stability, .. } = self.options;
        let all = f64::from(self.trials.max(1));
        last_step * ((1.0 + stability) * all / (f64::from(trial + 1) + stability * all)).powf(decay)
    }

    /// The distance of a trial's points from an iterate's coordinate: smaller near the edge, so that the trial stays
    /// symmetric. Asymmetric trials would pull optima away from the edge.
    fn reach_from(&self, x: f64) -> f64 {
        let Options { perturbation, least_perturbation, .. } = self.options;
        x.min(1.0 - x).clamp(least_perturbation.min(perturbation), perturbation)
    }

    /// The random diagonal of a trial: 1 or -1 for each parameter.
    fn diagonal(&self, trial: u32) -> Vec<f64> {
        let mut rng = Rng::new(mix(self.seed ^ mix(u64::from(trial))));
        self.iterate().iter().map(|_| if rng.below(2) == 0 { -1.0 } else { 1.0 }).collect()
    }
}

impl Method for Spsa {
    fn round(&self) -> Vec<Trial> {
        let first = self.finished();
        let end = (first + self.at_once).min(self.trials);
        let trial = |trial| {
            let diagonal = self.diagonal(trial);
            let at = |sign: f64| {
                let moved = self.iterate().iter().zip(&diagonal);
                moved.map(|(x, d)| (x + sign * self.reach_from(*x) * d).clamp(0.0, 1.0)).collect()
            };
            Trial { points: [at(1.0), at(-1.0)] }
        };
        (first..end).map(trial).collect()
    }

    fn tell(&mut self, scores: &[f64]) {
        assert_eq!(scores.len(), self.round().len(), "one score a trial");
        let first = self.finished();
        for (trial, score) in (first..).zip(scores) {
            let net_games = (2.0 * score - 1.0) * f64::from(GAMES_A_TRIAL);
            let length = self.step(trial) * net_games;
            let moved = self.iterate().iter().zip(self.diagonal(trial));
            let next = moved.map(|(x, d)| (x + length * d).clamp(0.0, 1.0)).collect();
            self.iterates.push(next);
        }
    }

    fn answer(&self) -> Vec<f64> {
        let count = ((self.iterates.len() as f64 * self.options.averaged).ceil() as usize).max(1);
        mean(&self.iterates[self.iterates.len() - count..])
    }

    fn reach(&self) -> Vec<f64> {
        self.iterate().iter().map(|&x| self.reach_from(x)).collect()
    }
}

/// The mean of at least one point.
pub(super) fn mean(points: &[Vec<f64>]) -> Vec<f64> {
    let sum = |i: usize| points.iter().map(|point| point[i]).sum::<f64>();
    (0..points[0].len()).map(|i| sum(i) / points.len() as f64).collect()
}
