//! Simultaneous perturbation stochastic approximation, with an average of the iterates as its answer.
//!
//! Each trial finds out in which direction along a random diagonal the bot plays better, and moves the iterate that way
//! (Spall, *Multivariate Stochastic Approximation Using a Simultaneous Perturbation Gradient Approximation*, 1992).
//! A trial costs the same whatever the number of parameters. The answer is the mean of the last half of the iterates
//! (Polyak and Juditsky, *Acceleration of Stochastic Approximation by Averaging*, 1992), which averages out most of the
//! noise of single iterates.
//!
//! The two sides of a trial differ in every parameter after rounding and clipping ([`Parameter::sides`]). The estimate of
//! the gradient divides by the distance between the values that played. As Spall (1992, equation 2.2) has it for
//! symmetric sides, it is the difference of the results over that of the points.

use coppice::rng::mix;
use coppice::Rng;

use super::method::{Method, Trial, GAMES_A_TRIAL};
use super::space::{Parameter, Space};

/// The method's constants.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// The distance of a trial's two points from the iterate, in each parameter.
    pub perturbation: f64,
    /// Least perturbation at the edge of the cube.
    pub least_perturbation: f64,
    /// The length of the last step in each parameter for a net result of one game, where the sides are as far apart as
    /// intended.
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
    space: Space,
    /// The number of trials.
    trials: u32,
    /// The number of trials in a round.
    at_once: u32,
    seed: u64,
    /// The iterate after each trial so far; the first is the start.
    iterates: Vec<Vec<f64>>,
}

impl Spsa {
    /// A search of `trials` trials from the start of `space`; the `at_once` trials of a round start from the same
    /// iterate.
    pub fn new(space: Space, trials: u32, at_once: u32, seed: u64, options: Options) -> Spsa {
        let iterates = vec![space.start()];
        Spsa { options, space, trials, at_once: at_once.max(1), seed, iterates }
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

    /// The intended distance of a trial's points from an iterate's coordinate: smaller near the edge, so that the trial
    /// stays symmetric, and at least half the distance between neighbouring values. Asymmetric trials would pull optima
    /// away from the edge.
    fn reach_from(&self, x: f64, parameter: &Parameter) -> f64 {
        let Options { perturbation, least_perturbation, .. } = self.options;
        let reach = x.min(1.0 - x).clamp(least_perturbation.min(perturbation), perturbation);
        reach.max(parameter.least_step() / 2.0)
    }

    /// The intended distances from the iterate.
    fn reaches(&self) -> impl Iterator<Item = f64> + '_ {
        self.iterate().iter().zip(&self.space.0).map(|(&x, parameter)| self.reach_from(x, parameter))
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
            let places = self.iterate().iter().zip(self.reaches());
            let sides = places.zip(&self.space.0).map(|((&x, reach), parameter)| parameter.sides(x, reach));
            let turned = |([low, high], d): ([f64; 2], f64)| if d > 0.0 { (high, low) } else { (low, high) };
            let (first, second) = sides.zip(self.diagonal(trial)).map(turned).unzip();
            Trial { points: [first, second] }
        };
        (first..end).map(trial).collect()
    }

    fn tell(&mut self, scores: &[f64]) {
        let round = self.round();
        assert_eq!(scores.len(), round.len(), "one score a trial");
        let (first, reaches) = (self.finished(), self.reaches().collect::<Vec<_>>());
        for ((number, trial), score) in (first..).zip(round).zip(scores) {
            let net_games = (2.0 * score - 1.0) * f64::from(GAMES_A_TRIAL);
            let length = self.step(number) * net_games;
            let [plus, minus] = &trial.points;
            let apart = plus.iter().zip(minus).map(|(plus, minus)| plus - minus);
            let moved = self.iterate().iter().zip(reaches.iter().zip(apart));
            let next = moved.map(|(x, (reach, apart))| (x + length * (2.0 * reach / apart)).clamp(0.0, 1.0));
            self.iterates.push(next.collect());
        }
    }

    fn answer(&self) -> Vec<f64> {
        let count = ((self.iterates.len() as f64 * self.options.averaged).ceil() as usize).max(1);
        mean(&self.iterates[self.iterates.len() - count..])
    }

    fn reach(&self) -> Vec<f64> {
        self.reaches().collect()
    }
}

/// The mean of at least one point.
pub(super) fn mean(points: &[Vec<f64>]) -> Vec<f64> {
    let sum = |i: usize| points.iter().map(|point| point[i]).sum::<f64>();
    (0..points[0].len()).map(|i| sum(i) / points.len() as f64).collect()
}
