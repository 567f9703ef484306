//! Tuning methods on a simulated game: no bots, no processes, thousands of runs in a moment.
//!
//! A bot's strength is a quadratic of its parameters: its axes are rotated at random, and its curvatures spread
//! over a decade. Start and optimum lie anywhere in the middle eight tenths of the ranges, 100 Elo apart. A game's
//! winner follows the logistic law, and a tenth of the games are draws. The measure is the Elo that the answer
//! still lacks: the median of 41 runs.

use super::evolution::{self, Evolution};
use super::fit::{Fit, Seen};
use super::method::{Method, GAMES_A_TRIAL};
use super::space::{Kind, Parameter, Space};
use super::spsa::{Options, Spsa};
use coppice::Rng;

/// Elo between the start and the optimum.
const BELOW: f64 = 100.0;

/// The share of draws.
const DRAWS: f64 = 0.1;

struct Simulated {
    axes: Vec<Vec<f64>>,
    /// Elo lost per unit of distance squared, along each axis.
    losses: Vec<f64>,
    optimum: Vec<f64>,
    start: Vec<f64>,
}

impl Simulated {
    fn new(dimension: usize, seed: u64) -> Simulated {
        let mut rng = Rng::new(seed);
        let axes = turned(dimension, &mut rng);
        let mut place = || (0..dimension).map(|_| 0.1 + 0.8 * unit(&mut rng)).collect::<Vec<_>>();
        let (optimum, start) = (place(), place());
        let spread = |i: usize| 10f64.powf(i as f64 / (dimension - 1) as f64);
        let mut game = Simulated { axes, losses: (0..dimension).map(spread).collect(), optimum, start };
        let scale = BELOW / game.missing(&game.start);
        game.losses.iter_mut().for_each(|loss| *loss *= scale);
        game
    }

    /// The space that is searched: the unit cube.
    fn space(&self) -> Space {
        let parameter =
            |&start: &f64| Parameter { name: "x".to_owned(), kind: Kind::Float, start, min: 0.0, max: 1.0 };
        Space(self.start.iter().map(parameter).collect())
    }

    /// The Elo that a point lacks.
    fn missing(&self, point: &[f64]) -> f64 {
        let along = |axis: &Vec<f64>| -> f64 {
            axis.iter().zip(point.iter().zip(&self.optimum)).map(|(a, (x, best))| a * (x - best)).sum()
        };
        self.axes.iter().zip(&self.losses).map(|(axis, loss)| loss * along(axis).powi(2)).sum()
    }

    /// The first point's score in a game.
    fn game(&self, points: &[Vec<f64>; 2], rng: &mut Rng) -> f64 {
        let better = self.missing(&points[1]) - self.missing(&points[0]);
        let expected = 1.0 / (1.0 + 10f64.powf(-better / 400.0));
        let wins = (expected - DRAWS / 2.0).clamp(0.0, 1.0 - DRAWS);
        match unit(rng) {
            drawn if drawn < wins => 1.0,
            drawn if drawn < wins + DRAWS => 0.5,
            _ => 0.0,
        }
    }

    /// Plays a run to its end; returns the Elo that it lacks, and all results.
    fn tune(&self, method: &mut dyn Method, seed: u64) -> (f64, Vec<Seen>) {
        let (mut rng, mut all) = (Rng::new(seed), Vec::new());
        loop {
            let round = method.round();
            if round.is_empty() {
                return (self.missing(&method.answer()), all);
            }
            let mut scores = Vec::new();
            for trial in round {
                let games = (0..GAMES_A_TRIAL).map(|_| self.game(&trial.points, &mut rng));
                let score = games.sum::<f64>() / f64::from(GAMES_A_TRIAL);
                scores.push(score);
                all.push(Seen { points: trial.points, score, games: GAMES_A_TRIAL });
            }
            method.tell(&scores);
        }
    }
}

/// Orthonormal vectors, by Gram and Schmidt.
fn turned(dimension: usize, rng: &mut Rng) -> Vec<Vec<f64>> {
    let mut axes: Vec<Vec<f64>> = Vec::new();
    while axes.len() < dimension {
        let mut axis: Vec<f64> = (0..dimension).map(|_| normal(rng)).collect();
        for other in &axes {
            let along: f64 = axis.iter().zip(other).map(|(a, b)| a * b).sum();
            axis.iter_mut().zip(other).for_each(|(a, b)| *a -= along * b);
        }
        let length = axis.iter().map(|a| a * a).sum::<f64>().sqrt();
        axes.push(axis.iter().map(|a| a / length).collect());
    }
    axes
}

fn unit(rng: &mut Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// A normal number, by Box and Muller.
fn normal(rng: &mut Rng) -> f64 {
    (-2.0 * (1.0 - unit(rng)).ln()).sqrt() * (std::f64::consts::TAU * unit(rng)).cos()
}

/// The median Elo that 41 runs lack.
fn median(dimension: usize, tune: impl Fn(&Simulated, u64) -> f64) -> f64 {
    let mut missing: Vec<f64> = (1..=41).map(|seed| tune(&Simulated::new(dimension, seed), seed)).collect();
    missing.sort_by(f64::total_cmp);
    missing[20]
}

fn spsa(dimension: usize, games: u32) -> f64 {
    let missing = median(dimension, |game, seed| {
        let trials = games / GAMES_A_TRIAL;
        let mut spsa = Spsa::new(game.space(), trials, 1, seed, Options::default());
        game.tune(&mut spsa, 1000 + seed).0
    });
    println!("SPSA, {dimension} parameters, {games} games: {missing:.2} Elo missing");
    missing
}

#[test]
fn four_parameters() {
    assert!(spsa(4, 1000) <= 4.0);
    assert!(spsa(4, 2000) <= 2.5);
}

#[test]
fn eight_parameters() {
    assert!(spsa(8, 2000) <= 6.5);
    assert!(spsa(8, 8000) <= 2.5);
}

/// The last iterate is worse than the mean of many.
#[test]
fn averaging_helps() {
    let last = median(4, |game, seed| {
        let options = Options { averaged: 0.0, ..Options::default() };
        game.tune(&mut Spsa::new(game.space(), 500, 1, seed, options), 1000 + seed).0
    });
    let mean = spsa(4, 2000);
    assert!(mean < 0.8 * last, "the mean lacks {mean}, the last iterate {last}");
}

/// Several trials from one iterate, for machines with many processors, cost little.
#[test]
fn trials_at_once() {
    let eight = median(4, |game, seed| {
        game.tune(&mut Spsa::new(game.space(), 500, 8, seed, Options::default()), 1000 + seed).0
    });
    assert!(eight <= 4.0, "{eight}");
}

/// It is weaker than SPSA here, but it improves.
#[test]
fn evolution_improves() {
    let missing = median(4, |game, seed| {
        let options = evolution::Options::new(4);
        game.tune(&mut Evolution::new(game.space(), 500, seed, options), 1000 + seed).0
    });
    println!("differential evolution, 4 parameters, 2000 games: {missing:.2} Elo missing");
    assert!(missing <= 20.0, "{missing}");
}

/// The fit's 95 % intervals hold the truth about as often as they claim, and its estimates are close to it.
#[test]
fn the_fit_is_honest() {
    let (mut inside, mut count, mut told) = (0, 0, 0);
    for seed in 1..=20 {
        let game = Simulated::new(3, seed);
        let mut spsa = Spsa::new(game.space(), 500, 1, seed, Options::default());
        let (_, seen) = game.tune(&mut spsa, 1000 + seed);
        let answer = spsa.answer();
        let fit = Fit::new(&answer, &seen);
        for i in 0..3 {
            for step in [-0.25, 0.25] {
                let mut other = answer.clone();
                other[i] += step;
                let truth = game.missing(&answer) - game.missing(&other);
                let difference = fit.difference(&answer, &other);
                inside += u32::from((difference.elo - truth).abs() <= difference.error());
                told += u32::from(difference.is_told());
                count += 1;
            }
        }
    }
    println!("{inside} of {count} intervals hold the truth; {told} differences are told");
    // 114 would be expected if the trials didn't depend on the results.
    assert!((100..120).contains(&inside), "{inside} of {count}");
    assert!(told >= 60, "{told} of {count}");
}

/// The error of a parameter that no trial has moved stays the prior's, and all errors do without games.
#[test]
fn the_fit_says_what_it_cannot_tell() {
    let fit = Fit::new(&[0.5, 0.5], &[]);
    let nothing = fit.difference(&[0.5, 0.5], &[0.75, 0.5]);
    assert!(nothing.elo == 0.0 && !nothing.is_told() && nothing.error() > 100.0, "{nothing:?}");
    let mut rng = Rng::new(3);
    let seen = |x: f64, rng: &mut Rng| {
        let wins = f64::from(unit(rng) < if x > 0.5 { 0.7 } else { 0.4 });
        Seen { points: [vec![x, 0.5], vec![0.5, 0.5]], score: wins, games: 1 }
    };
    let all: Vec<Seen> = (0..800).map(|i| seen(if i % 2 == 0 { 0.75 } else { 0.25 }, &mut rng)).collect();
    let fit = Fit::new(&[0.5, 0.5], &all);
    let [first, second] = [[0.75, 0.5], [0.5, 0.75]].map(|to| fit.difference(&[0.5, 0.5], &to));
    // 70 % are 147 Elo.
    assert!(first.is_told() && (first.elo - 147.0).abs() < first.error(), "{first:?}");
    assert!(!second.is_told() && second.elo.abs() < 1e-6, "{second:?}");
    assert!(fit.together(0, 1, 0.25).is_some_and(|pair| !pair.is_told()));
}
