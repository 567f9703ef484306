//! Trains the network in floating point, by back-propagation and Adam.

use std::ops::Range;

use bots::uttt::pattern::code::{self, open, turned, CODES, SYMMETRIES};
use bots::uttt::pattern::network::{
    ANY, BOARDS, ENDED, FEATURES, FROM, MARKS, NEXT, OUT, PARTS, START, TURN, UNITS, WEIGHTS,
};
use coppice::cpu::{self, Cpu, Task};
use coppice::Rng;

use crate::games::Sample;

const BLOCK: usize = FEATURES * UNITS;

/// The weights, and Adam's state for each.
pub struct Trainer {
    pub weights: Vec<f32>,
    slope: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
    /// By symmetry and code.
    images: Vec<[u16; CODES]>,
    /// The codes of open boards.
    open: Vec<(u16, [u16; 2])>,
    features: Vec<[f32; FEATURES]>,
    features_slope: Vec<[f32; FEATURES]>,
    /// BOARDS and NEXT by unit and feature.
    across: Vec<[f32; BLOCK]>,
    /// The share of a game's result in the target.
    share: f32,
}

impl Trainer {
    pub fn new(share: f32, rng: &mut Rng) -> Trainer {
        let mut weights = vec![0.0; WEIGHTS];
        let mut draw = |part: Range<usize>, width: f32| {
            weights[part].iter_mut().for_each(|w| *w = width * (rng.below(2001) as f32 / 1000.0 - 1.0));
        };
        draw(MARKS.range(), 0.6);
        draw(FROM.range(), 0.3);
        draw(BOARDS.range(), 0.15);
        draw(NEXT.range(), 0.1);
        draw(ENDED.range(), 0.3);
        draw(START.range(), 0.3);
        let out = OUT.range();
        for (i, weight) in weights[out].iter_mut().enumerate() {
            *weight = if i % 2 == 0 { 0.2 } else { -0.2 };
        }
        let open: Vec<_> = (0..CODES as u16).filter_map(|code| Some((code, open(code)?))).collect();
        let mut images = vec![[0; CODES]; 8];
        for (images, symmetry) in images.iter_mut().zip(&SYMMETRIES) {
            for &(code, [own, other]) in &open {
                images[usize::from(code)] = code::code(turned(own, symmetry), turned(other, symmetry));
            }
        }
        Trainer {
            slope: vec![0.0; WEIGHTS],
            mean: vec![0.0; WEIGHTS],
            square: vec![0.0; WEIGHTS],
            weights,
            steps: 0,
            images,
            open,
            features: vec![[0.0; FEATURES]; CODES],
            features_slope: vec![[0.0; FEATURES]; CODES],
            across: vec![[0.0; BLOCK]; 18],
            share,
        }
    }

    /// The training target of a position.
    pub fn target(&self, sample: &Sample) -> f32 {
        sample.result.map_or(sample.value, |result| sample.value + self.share * (result - sample.value))
    }

    /// Recomputes what is derived from the weights.
    pub fn refresh(&mut self) {
        for &(code, marks) in &self.open {
            let features = &mut self.features[usize::from(code)];
            features.copy_from_slice(&self.weights[FROM.range()]);
            for place in 0..9 {
                for (mark, marks) in marks.into_iter().enumerate() {
                    if marks >> place & 1 == 1 {
                        let weights = &self.weights[(2 * place + mark) * FEATURES..][..FEATURES];
                        features.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
                    }
                }
            }
            features.iter_mut().for_each(|sum| *sum = sum.max(0.0));
        }
        for (table, across) in self.across.iter_mut().enumerate() {
            let weights = &self.weights[BOARDS.range().start + table * BLOCK..][..BLOCK];
            for i in 0..BLOCK {
                across[i % UNITS * FEATURES + i / UNITS] = weights[i];
            }
        }
    }

    /// The network's output before squashing, and the hidden layer.
    #[inline(always)]
    fn forward(&self, sample: &Sample) -> (f32, [[f32; UNITS]; 8]) {
        let w = &self.weights;
        let mut hidden = [[0.0; UNITS]; 8];
        let mut sum = w[TURN.range().start];
        for (i, symmetry) in SYMMETRIES.iter().enumerate() {
            let mut units: [f32; UNITS] = w[START.range()].try_into().unwrap();
            if sample.next == 9 {
                add(&mut units, &w[ANY.range()], 1.0);
            }
            for (b, (&code, &image)) in sample.codes.iter().zip(symmetry).enumerate() {
                let image = usize::from(image);
                if let Some(end) = ended(code) {
                    add(&mut units, &w[ENDED.range().start + (3 * image + end) * UNITS..][..UNITS], 1.0);
                    continue;
                }
                let features = &self.features[usize::from(self.images[i][usize::from(code)])];
                product(&mut units, features, &w[BOARDS.range()][image * BLOCK..][..BLOCK]);
                if usize::from(sample.next) == b {
                    product(&mut units, features, &w[NEXT.range()][image * BLOCK..][..BLOCK]);
                }
            }
            for (u, unit) in units.iter().enumerate() {
                sum += unit.max(0.0) * w[OUT.range().start + u];
            }
            hidden[i] = units;
        }
        (sum, hidden)
    }

    /// Returns the squared error of a position and accumulates its gradient.
    #[inline(always)]
    fn learn(&mut self, sample: &Sample) -> f32 {
        let (x, hidden) = self.forward(sample);
        let error = squash(x) - self.target(sample);
        let slope = 2.0 * error / (1.0 + x.abs()).powi(2);
        self.slope[TURN.range().start] += slope;
        for (i, symmetry) in SYMMETRIES.iter().enumerate() {
            let mut units = [0.0; UNITS];
            for u in 0..UNITS {
                if hidden[i][u] > 0.0 {
                    self.slope[OUT.range().start + u] += slope * hidden[i][u];
                    units[u] = slope * self.weights[OUT.range().start + u];
                }
            }
            add(&mut self.slope[START.range()], &units, 1.0);
            if sample.next == 9 {
                add(&mut self.slope[ANY.range()], &units, 1.0);
            }
            for (b, (&code, &image)) in sample.codes.iter().zip(symmetry).enumerate() {
                let image = usize::from(image);
                if let Some(end) = ended(code) {
                    let at = ENDED.range().start + (3 * image + end) * UNITS;
                    add(&mut self.slope[at..at + UNITS], &units, 1.0);
                    continue;
                }
                let code = usize::from(self.images[i][usize::from(code)]);
                let features = &self.features[code];
                let back = &mut self.features_slope[code];
                let tables = 1 + usize::from(usize::from(sample.next) == b);
                for table in [image, 9 + image].into_iter().take(tables) {
                    outer(&mut self.slope[BOARDS.range().start + table * BLOCK..][..BLOCK], features, &units);
                    transposed(back, &self.across[table], &units);
                }
            }
        }
        error * error
    }

    /// Makes one step of Adam (Kingma and Ba 2015) on a batch; returns the sum of squared errors.
    pub fn step(&mut self, batch: &[Sample], rate: f32) -> f32 {
        self.slope.fill(0.0);
        self.features_slope.fill([0.0; FEATURES]);
        self.refresh();
        let error = cpu::dispatch(Learn { trainer: self, batch });
        for &(code, marks) in &self.open {
            let mut slope = self.features_slope[usize::from(code)];
            for (slope, &feature) in slope.iter_mut().zip(&self.features[usize::from(code)]) {
                *slope = if feature > 0.0 { *slope } else { 0.0 };
            }
            add(&mut self.slope[FROM.range()], &slope, 1.0);
            for place in 0..9 {
                for (mark, marks) in marks.into_iter().enumerate() {
                    if marks >> place & 1 == 1 {
                        let at = (2 * place + mark) * FEATURES;
                        add(&mut self.slope[at..at + FEATURES], &slope, 1.0);
                    }
                }
            }
        }
        self.steps += 1;
        let (b1, b2) = (0.9f32, 0.999f32);
        let rate = rate * (1.0 - b2.powi(self.steps)).sqrt() / (1.0 - b1.powi(self.steps));
        for part in PARTS {
            let widest = 127.0 / part.one as f32;
            for i in part.range() {
                let slope = self.slope[i] / batch.len() as f32;
                self.mean[i] += (1.0 - b1) * (slope - self.mean[i]);
                self.square[i] += (1.0 - b2) * (slope * slope - self.square[i]);
                let w = self.weights[i] - rate * self.mean[i] / (self.square[i].sqrt() + 1e-8);
                self.weights[i] = w.clamp(-widest, widest);
            }
        }
        error
    }

    /// The mean squared error.
    pub fn error(&mut self, samples: &[Sample]) -> f32 {
        self.refresh();
        let error = |sample: &Sample| squash(self.forward(sample).0) - self.target(sample);
        samples.iter().map(|sample| error(sample).powi(2)).sum::<f32>() / samples.len() as f32
    }

    /// The weights as bytes.
    pub fn bytes(&self) -> Vec<u8> {
        let ones = PARTS.iter().flat_map(|part| part.range().map(|_| part.one as f32));
        self.weights.iter().zip(ones).map(|(weight, one)| (weight * one).round() as i8 as u8).collect()
    }

    /// Restores the weights from bytes.
    pub fn set(&mut self, bytes: &[u8]) {
        for part in PARTS {
            part.range().for_each(|i| self.weights[i] = f32::from(bytes[i] as i8) / part.one as f32);
        }
    }
}

struct Learn<'a> {
    trainer: &'a mut Trainer,
    batch: &'a [Sample],
}

impl Task for Learn<'_> {
    type Output = f32;

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) -> f32 {
        self.batch.iter().map(|sample| self.trainer.learn(sample)).sum()
    }
}

/// Adds features times weights to the units.
#[inline(always)]
fn product(units: &mut [f32; UNITS], features: &[f32; FEATURES], block: &[f32]) {
    for (&feature, weights) in features.iter().zip(block.chunks_exact(UNITS)) {
        for u in 0..UNITS {
            units[u] += feature * weights[u];
        }
    }
}

/// Adds features times units to a block.
#[inline(always)]
fn outer(block: &mut [f32], features: &[f32; FEATURES], units: &[f32; UNITS]) {
    for (&feature, sums) in features.iter().zip(block.chunks_exact_mut(UNITS)) {
        for u in 0..UNITS {
            sums[u] += feature * units[u];
        }
    }
}

/// Adds units times weights to the features.
#[inline(always)]
fn transposed(features: &mut [f32; FEATURES], across: &[f32; BLOCK], units: &[f32; UNITS]) {
    for (&unit, weights) in units.iter().zip(across.chunks_exact(FEATURES)) {
        for f in 0..FEATURES {
            features[f] += unit * weights[f];
        }
    }
}

#[inline(always)]
fn add(sums: &mut [f32], terms: &[f32], factor: f32) {
    sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += factor * term);
}

/// Maps an output to -1 to 1, as the search squashes estimates.
pub fn squash(x: f32) -> f32 {
    x / (1.0 + x.abs())
}

/// The index of a finished board's result: 0 won, 1 lost, 2 drawn.
fn ended(code: u16) -> Option<usize> {
    [code::WON, code::LOST, code::DRAWN].iter().position(|&end| end == code)
}
