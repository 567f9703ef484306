//! A sum of table rows and weighted numbers, all interpolated between the phases of a game.
//!
//! A position reads one row of each table place; places whose contents are images of each other share a table, and
//! rows that are images of each other a weight (`n`-tuples, tied by symmetry). Each weight has a value at every knot.

use std::marker::PhantomData;

use anyhow::bail;
use coppice::range_coder::{Coder, Decoder, EVEN};

use super::Model;
use crate::encoder::Encoder;
use crate::loss::Loss;
use crate::parallel;
use crate::sample::Record;

/// A game's tables.
pub trait Tabled: Clone + Send + Sync + 'static {
    /// The positions that are evaluated.
    type Position: Record;

    /// The shape of the tables.
    fn layout() -> Layout;

    /// The rows at all places, within each place's table.
    fn rows(&self, position: &Self::Position, rows: &mut [u16]);

    /// The numbers.
    fn numbers(&self, position: &Self::Position, numbers: &mut [f32]);

    /// The phase.
    fn phase(&self, position: &Self::Position) -> u8;
}

/// The shape of a game's tables.
#[derive(Debug, Clone)]
pub struct Layout {
    /// The number of each row's weight, table after table: the weights of a table are neighbours.
    pub weights: Vec<u32>,
    /// The first row of each place's table.
    pub places: Vec<usize>,
    /// How many numbers there are besides.
    pub numbers: usize,
    /// By phase: the two knots between which it lies, and the share of the second.
    pub phases: Vec<(usize, f32)>,
    /// How many knots there are.
    pub knots: usize,
}

/// The unit of packed weights in fractions of a point.
const UNITS_PER_POINT: f32 = 8.0;
/// Ridge regression: a weight is pulled towards 0 as by N positions.
const RIDGE: f32 = 60.0;
/// Adam's decay rates (Kingma and Ba 2015).
const DECAY: [f32; 2] = [0.9, 0.999];

/// The state of one weight at one knot.
#[derive(Debug, Clone, Copy, Default)]
struct Learnt {
    weight: f32,
    mean: f32,
    square: f32,
    steps: u32,
}

/// The tables while they learn.
#[derive(Debug, Clone)]
pub struct Tables<T: Tabled> {
    subject: T,
    layout: Layout,
    /// The places of each table, and the range of its weights. The numbers are the last.
    jobs: Vec<(Vec<usize>, std::ops::Range<usize>)>,
    learnt: Vec<Learnt>,
    /// By weight and knot: how often it is read.
    pub(super) visits: Vec<f32>,
    /// By weight and knot: the pull towards 0 at each occurrence.
    pull: Vec<f32>,
}

/// The inputs that tables take from positions.
#[derive(Debug, Clone)]
pub struct Inputs<T> {
    rows: Vec<u16>,
    numbers: Vec<f32>,
    phases: Vec<u8>,
    subject: PhantomData<T>,
}

impl<T> Inputs<T> {
    /// The rows at all places.
    pub(super) fn rows(&self, i: usize, places: usize) -> &[u16] {
        &self.rows[i * places..][..places]
    }

    /// The numbers.
    pub(super) fn numbers(&self, i: usize, numbers: usize) -> &[f32] {
        &self.numbers[i * numbers..][..numbers]
    }

    /// The phase.
    pub(super) fn phase(&self, i: usize) -> usize {
        usize::from(self.phases[i])
    }
}

/// Reads positions.
pub(super) fn read<T: Tabled>(
    subject: &T,
    layout: &Layout,
    positions: &[T::Position],
    threads: usize,
) -> Inputs<T> {
    let (places, numbers) = (layout.places.len(), layout.numbers);
    let mut inputs = Inputs {
        rows: vec![0; positions.len() * places],
        numbers: vec![0.0; positions.len() * numbers],
        phases: positions.iter().map(|position| subject.phase(position)).collect(),
        subject: PhantomData,
    };
    let mut parts: Vec<_> = inputs.rows.chunks_mut(places.max(1)).zip(positions).collect();
    parallel::fill(&mut parts, threads, |_, part| {
        part.iter_mut().for_each(|(rows, position)| subject.rows(position, rows));
    });
    let mut parts: Vec<_> = inputs.numbers.chunks_mut(numbers.max(1)).zip(positions).collect();
    parallel::fill(&mut parts, threads, |_, part| {
        part.iter_mut().for_each(|(numbers, position)| subject.numbers(position, numbers));
    });
    inputs
}

impl<T: Tabled> Tables<T> {
    /// Tables of zeros.
    pub fn new(subject: T) -> Tables<T> {
        let layout = T::layout();
        let mut tables: Vec<usize> = layout.places.clone();
        tables.sort_unstable();
        tables.dedup();
        let mut jobs = Vec::new();
        let count = layout.weights.iter().max().map_or(0, |&last| last as usize + 1);
        for (i, &start) in tables.iter().enumerate() {
            let end = tables.get(i + 1).copied().unwrap_or(layout.weights.len());
            let of_table = &layout.weights[start..end];
            let first = of_table.iter().min().map_or(0, |&first| first as usize);
            let last = of_table.iter().max().map_or(0, |&last| last as usize + 1);
            let places = (0..layout.places.len()).filter(|&place| layout.places[place] == start).collect();
            jobs.push((places, first * layout.knots..last * layout.knots));
        }
        let all = (count + layout.numbers) * layout.knots;
        jobs.push((Vec::new(), count * layout.knots..all));
        Tables {
            subject,
            layout,
            jobs,
            learnt: vec![Learnt::default(); all],
            pull: vec![0.0; all],
            visits: vec![0.0; all],
        }
    }

    /// Passes all weights, in units, through a coder: an encoder leaves them as they are, a decoder sets them. A bot
    /// unpacks its weights by the same walk.
    ///
    /// The last knot comes first. A weight is mostly like that of the next two knots and like its neighbour in the
    /// table.
    fn walk<C: Coder>(&self, units: &mut [i32], coder: &mut C) {
        let knots = self.layout.knots;
        for (_, range) in &self.jobs {
            let mut odds = vec![[EVEN; 27]; knots];
            for first in range.clone().step_by(knots) {
                for knot in (0..knots).rev() {
                    let later =
                        |by: usize| if knot + by < knots { units[first + knot + by].signum() } else { 0 };
                    let beside = if first > range.start { units[first - knots + knot].signum() } else { 0 };
                    let context = 9 * (later(1) + 1) + 3 * (later(2) + 1) + beside + 1;
                    units[first + knot] =
                        coder.number(&mut odds[knot][context as usize], units[first + knot]);
                }
            }
        }
    }

    /// The weights in points, by weight and knot.
    pub fn weights(&self) -> Vec<f32> {
        self.learnt.iter().map(|learnt| learnt.weight).collect()
    }

    fn input<'a>(&self, inputs: &'a Inputs<T>, i: usize) -> (&'a [u16], &'a [f32], usize, f32) {
        let (places, numbers) = (self.layout.places.len(), self.layout.numbers);
        let (knot, share) = self.layout.phases[usize::from(inputs.phases[i])];
        (&inputs.rows[i * places..][..places], &inputs.numbers[i * numbers..][..numbers], knot, share)
    }

    /// Calls `read` with each weight (that of a row or a number) and its factor, at the first of the two knots.
    #[inline(always)]
    fn read(&self, job: usize, rows: &[u16], numbers: &[f32], knot: usize, mut read: impl FnMut(usize, f32)) {
        let (places, range) = &self.jobs[job];
        let knots = self.layout.knots;
        for &place in places {
            let weight = self.layout.weights[self.layout.places[place] + usize::from(rows[place])];
            read(weight as usize * knots + knot, 1.0);
        }
        if job + 1 == self.jobs.len() {
            numbers.iter().enumerate().for_each(|(i, &number)| read(range.start + i * knots + knot, number));
        }
    }

    /// Counts how often each weight is read: rare ones are pulled more towards 0.
    pub(super) fn count(&mut self, inputs: &Inputs<T>) {
        let mut visits = vec![0.0f32; self.learnt.len()];
        for i in 0..inputs.phases.len() {
            let (rows, numbers, knot, share) = self.input(inputs, i);
            for job in 0..self.jobs.len() - 1 {
                self.read(job, rows, numbers, knot, |at, _| {
                    visits[at] += 1.0 - share;
                    visits[at + 1] += share;
                });
            }
        }
        self.pull = visits.iter().map(|&visits| if visits > 0.0 { RIDGE / visits } else { 0.0 }).collect();
        self.visits = visits;
    }

    /// The estimate of a position.
    pub(super) fn sum(&self, inputs: &Inputs<T>, i: usize) -> f32 {
        let (rows, numbers, knot, share) = self.input(inputs, i);
        let mut sum = 0.0;
        for job in 0..self.jobs.len() {
            self.read(job, rows, numbers, knot, |at, factor| {
                let (a, b) = (self.learnt[at].weight, self.learnt[at + 1].weight);
                sum += factor * (a + share * (b - a));
            });
        }
        sum
    }

    /// One step of gradient descent.
    pub(super) fn descend(
        &mut self,
        inputs: &Inputs<T>,
        batch: &[u32],
        targets: &[f32],
        loss: Loss,
        rate: f32,
        threads: usize,
    ) -> f64 {
        let mut errors = vec![(0.0f32, 0.0f32); batch.len()];
        parallel::fill(&mut errors, threads, |first, errors| {
            for (error, (&i, &target)) in errors.iter_mut().zip(batch[first..].iter().zip(&targets[first..]))
            {
                let estimate = self.sum(inputs, i as usize);
                *error = (loss.cost(estimate, target), loss.slope(estimate, target));
            }
        });
        // Each table's weights are one thread's, which adds up the slopes in the order of the batch.
        let mut learnt = std::mem::take(&mut self.learnt);
        let mut parts = Vec::new();
        let mut rest = &mut learnt[..];
        for (job, (_, range)) in self.jobs.iter().enumerate() {
            let (part, after) = rest.split_at_mut(range.len());
            parts.push((job, part));
            rest = after;
        }
        let (size, curvature) = (batch.len() as f32, loss.curvature());
        parallel::each(parts, threads, |(job, part)| {
            let start = self.jobs[job].1.start;
            let mut slopes = vec![0.0f32; part.len()];
            let mut touched = Vec::new();
            for (&i, &(_, slope)) in batch.iter().zip(&errors) {
                let (rows, numbers, knot, share) = self.input(inputs, i as usize);
                self.read(job, rows, numbers, knot, |at, factor| {
                    for (at, share) in [(at, 1.0 - share), (at + 1, share)] {
                        let sum = &mut slopes[at - start];
                        if *sum == 0.0 {
                            touched.push(at - start);
                        }
                        // Never exactly 0, so that each weight is touched once.
                        *sum += slope * factor * share
                            + curvature * self.pull[at] * share * part[at - start].weight
                            + f32::MIN_POSITIVE;
                    }
                });
            }
            for at in touched {
                if slopes[at] != 0.0 {
                    part[at].step(slopes[at] / size, rate);
                    slopes[at] = 0.0;
                }
            }
        });
        self.learnt = learnt;
        errors.iter().map(|&(cost, _)| f64::from(cost)).sum()
    }
}

impl<T: Tabled> Model for Tables<T> {
    type Position = T::Position;
    type Inputs = Inputs<T>;

    fn inputs(&self, positions: &[T::Position], threads: usize) -> Inputs<T> {
        read(&self.subject, &self.layout, positions, threads)
    }

    fn survey(&mut self, inputs: &Inputs<T>) {
        self.count(inputs);
    }

    fn estimate(&self, inputs: &Inputs<T>, i: usize) -> f32 {
        self.sum(inputs, i)
    }

    fn step(
        &mut self,
        inputs: &Inputs<T>,
        batch: &[u32],
        targets: &[f32],
        loss: Loss,
        rate: f32,
        threads: usize,
    ) -> f64 {
        self.descend(inputs, batch, targets, loss, rate, threads)
    }

    fn state(&self) -> Vec<u8> {
        let bytes = |learnt: &Learnt| {
            let Learnt { weight, mean, square, steps } = *learnt;
            [weight.to_bits(), mean.to_bits(), square.to_bits(), steps].map(u32::to_le_bytes).concat()
        };
        self.learnt.iter().flat_map(bytes).collect()
    }

    fn restore(&mut self, state: &[u8]) -> anyhow::Result<()> {
        if state.len() != self.learnt.len() * 16 {
            bail!(
                "expected the state of {} weights, 16 bytes each, found {} bytes",
                self.learnt.len(),
                state.len()
            );
        }
        for (learnt, bytes) in self.learnt.iter_mut().zip(state.chunks_exact(16)) {
            let word = |i: usize| u32::from_le_bytes(std::array::from_fn(|j| bytes[4 * i + j]));
            let float = |i: usize| f32::from_bits(word(i));
            *learnt = Learnt { weight: float(0), mean: float(1), square: float(2), steps: word(3) };
        }
        Ok(())
    }

    fn pack(&self) -> Vec<u8> {
        let units = |learnt: &Learnt| (learnt.weight * UNITS_PER_POINT).round() as i32;
        let mut units: Vec<i32> = self.learnt.iter().map(units).collect();
        let mut encoder = Encoder::default();
        self.walk(&mut units, &mut encoder);
        encoder.finish()
    }

    fn unpacked(&self, bytes: &[u8]) -> anyhow::Result<Self> {
        let mut model = self.clone();
        let mut units = vec![0; self.learnt.len()];
        self.walk(&mut units, &mut Decoder::new(bytes));
        for (learnt, units) in model.learnt.iter_mut().zip(units) {
            *learnt = Learnt { weight: units as f32 / UNITS_PER_POINT, ..Learnt::default() };
        }
        Ok(model)
    }
}

impl Learnt {
    /// A step of Adam, counted for each weight by itself: rows that are rare aren't moved in between.
    fn step(&mut self, slope: f32, rate: f32) {
        self.steps += 1;
        self.mean += (1.0 - DECAY[0]) * (slope - self.mean);
        self.square += (1.0 - DECAY[1]) * (slope * slope - self.square);
        let steps = self.steps.min(100_000) as i32;
        let [mean, square] =
            [(self.mean, DECAY[0]), (self.square, DECAY[1])].map(|(x, decay)| x / (1.0 - decay.powi(steps)));
        self.weight -= rate * mean / (square.sqrt() + 1e-8);
    }
}
