//! One table's net and its gradients.

use coppice::cpu::{self, Cpu, Task};
use coppice::Rng;

use crate::model::tables::{Inputs, Layout};

/// Adam's decay rates (Kingma and Ba 2015).
const DECAY: [f32; 2] = [0.9, 0.999];
/// The largest weight: what a byte can hold.
pub const WIDEST: f32 = 127.0;

/// Passes over a table's rows that imitate it, their first rate and rows in a step.
const IMITATIONS: usize = 60;
const IMITATION_RATE: f32 = 0.01;
const ROWS_PER_STEP: usize = 256;

/// The parts of a net, in the order in which their weights are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// By digit, disc (the mover's, the opponent's) and unit of the first layer.
    First,
    /// By unit.
    FirstBias,
    /// By unit of the first layer and unit of the second.
    Second,
    /// By unit.
    SecondBias,
    /// By unit of the second layer and knot.
    Out,
}

/// All parts in their order.
pub const PARTS: [Part; 5] = [Part::First, Part::FirstBias, Part::Second, Part::SecondBias, Part::Out];

/// A parameter and Adam's state for it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Learnt {
    pub weight: f32,
    pub mean: f32,
    pub square: f32,
}

/// One table's net, with `H` units in each layer and `K` knots.
#[derive(Debug, Clone)]
pub struct Net<const H: usize, const K: usize> {
    digits: usize,
    /// Units of each layer that learn, at most `H`. The others have weights of 0, outputs of 0, and so no slope.
    width: usize,
    /// The places that read this table.
    pub places: Vec<usize>,
    /// By weight of the table (counted from its first): a row that stands for it.
    pub rows: Vec<u32>,
    /// By row of the table, its weight.
    pub weights: Vec<u32>,
    pub learnt: Vec<Learnt>,
    /// By weight: its values, as far as `stamp` says that they are of this step.
    pub values: Vec<[f32; K]>,
    stamps: Vec<u32>,
    /// The weights that this step's batch reads, and the layers' outputs for each.
    touched: Vec<u32>,
    layers: Vec<[[f32; H]; 2]>,
    slopes: Vec<[f32; K]>,
}

impl<const H: usize, const K: usize> Net<H, K> {
    /// A net with weights drawn at random, for the places that read its table, whose rows have these weights.
    pub fn new(
        digits: usize,
        width: usize,
        places: Vec<usize>,
        weights: Vec<u32>,
        rng: &mut Rng,
    ) -> Net<H, K> {
        assert!(width <= H, "{width} units are more than {H}");
        let first = weights.iter().min().copied().unwrap_or(0);
        let weights: Vec<u32> = weights.into_iter().map(|weight| weight - first).collect();
        let count = weights.iter().max().map_or(0, |&last| last as usize + 1);
        let mut rows = vec![u32::MAX; count];
        for (row, &weight) in weights.iter().enumerate() {
            rows[weight as usize] = rows[weight as usize].min(row as u32);
        }
        let size = 2 * digits * H + 2 * H + H * H + H * K;
        let mut net = Net {
            digits,
            width,
            places,
            rows,
            weights,
            learnt: vec![Learnt::default(); size],
            values: vec![[0.0; K]; count],
            stamps: vec![0; count],
            touched: Vec::new(),
            layers: Vec::new(),
            slopes: Vec::new(),
        };
        let learning = net.learning();
        for (part, width) in
            [(Part::First, 0.8), (Part::FirstBias, 0.3), (Part::Second, 0.3), (Part::Out, 0.05)]
        {
            let range = net.range(part);
            for at in range.filter(|&at| learning[at]) {
                net.learnt[at].weight = width * (rng.below(20_001) as f32 / 10_000.0 - 1.0);
            }
        }
        net
    }

    /// By parameter, whether it is one of the units that learn: the others aren't stored.
    pub fn learning(&self) -> Vec<bool> {
        let width = self.width;
        let of = |part| {
            let columns = if part == Part::Out { K } else { H };
            (0..self.range(part).len()).map(move |at| match part {
                Part::First | Part::FirstBias | Part::SecondBias => at % columns < width,
                Part::Second => at / columns < width && at % columns < width,
                Part::Out => at / columns < width,
            })
        };
        PARTS.into_iter().flat_map(of).collect()
    }

    /// Where a part's parameters are.
    pub fn range(&self, part: Part) -> std::ops::Range<usize> {
        let sizes = [2 * self.digits * H, H, H * H, H, H * K];
        let start = sizes[..part as usize].iter().sum();
        start..start + sizes[part as usize]
    }

    /// The weights of a part, `N` at a time.
    fn part<const N: usize>(&self, part: Part) -> Vec<[f32; N]> {
        let learnt = self.learnt[self.range(part)].chunks_exact(N);
        learnt.map(|learnt| std::array::from_fn(|i| learnt[i].weight)).collect()
    }

    /// Generates the values that a batch reads.
    pub fn read<T>(&mut self, inputs: &Inputs<T>, batch: &[u32], places: usize, stamp: u32) {
        self.touched.clear();
        for &i in batch {
            let rows = inputs.rows(i as usize, places);
            for &place in &self.places {
                let weight = self.weights[usize::from(rows[place])];
                let seen = &mut self.stamps[weight as usize];
                if *seen != stamp {
                    *seen = stamp;
                    self.touched.push(weight);
                }
            }
        }
        cpu::dispatch(Forward(self));
    }

    /// Generates all values.
    pub fn read_all(&mut self) {
        self.touched = (0..self.rows.len() as u32).collect();
        self.stamps.fill(0);
        cpu::dispatch(Forward(self));
    }

    /// The values of the weights that were noted.
    #[inline(always)]
    fn forward(&mut self) {
        let first: Vec<[f32; H]> = self.part(Part::First);
        let second: Vec<[f32; H]> = self.part(Part::Second);
        let [first_bias, second_bias] =
            [Part::FirstBias, Part::SecondBias].map(|part| self.part::<H>(part)[0]);
        let out: Vec<[f32; K]> = self.part(Part::Out);
        self.layers.clear();
        for &weight in &self.touched {
            let mut a = first_bias;
            let mut rest = self.rows[weight as usize] as usize;
            for digit in 0..self.digits {
                if !rest.is_multiple_of(3) {
                    add(&mut a, &first[2 * digit + rest % 3 - 1], 1.0);
                }
                rest /= 3;
            }
            let a = a.map(|x| x.max(0.0));
            let mut b = second_bias;
            for (&x, weights) in a.iter().zip(&second) {
                add(&mut b, weights, x);
            }
            let b = b.map(|x| x.max(0.0));
            let mut value = [0.0; K];
            for (&x, weights) in b.iter().zip(&out) {
                add(&mut value, weights, x);
            }
            self.values[weight as usize] = value;
            self.layers.push([a, b]);
        }
    }

    /// Adds up the slopes of the noted weights' values.
    fn collect<T>(&mut self, inputs: &Inputs<T>, batch: &[u32], slopes: &[f32], layout: &Layout) {
        self.slopes.resize(self.rows.len(), [0.0; K]);
        for (&i, &slope) in batch.iter().zip(slopes) {
            let rows = inputs.rows(i as usize, layout.places.len());
            let (knot, share) = layout.phases[inputs.phase(i as usize)];
            for &place in &self.places {
                let sums = &mut self.slopes[self.weights[usize::from(rows[place])] as usize];
                sums[knot] += slope * (1.0 - share);
                sums[knot + 1] += slope * share;
            }
        }
    }

    /// The slopes of all parameters; clears those of the values.
    #[inline(always)]
    fn backward(&mut self) -> Vec<f32> {
        let second: Vec<[f32; H]> = self.part(Part::Second);
        let out: Vec<[f32; K]> = self.part(Part::Out);
        let mut first_slope = vec![[0.0; H]; 2 * self.digits];
        let mut second_slope = vec![[0.0; H]; H];
        let (mut a_bias, mut b_bias) = ([0.0; H], [0.0; H]);
        let mut out_slope = vec![[0.0; K]; H];
        for (&weight, [a, b]) in self.touched.iter().zip(&self.layers) {
            let slope = std::mem::replace(&mut self.slopes[weight as usize], [0.0; K]);
            let mut b_slope = [0.0; H];
            for unit in 0..H {
                if b[unit] > 0.0 {
                    add(&mut out_slope[unit], &slope, b[unit]);
                    b_slope[unit] = out[unit].iter().zip(&slope).map(|(x, y)| x * y).sum();
                }
            }
            add(&mut b_bias, &b_slope, 1.0);
            let mut a_slope = [0.0; H];
            for unit in 0..H {
                if a[unit] > 0.0 {
                    add(&mut second_slope[unit], &b_slope, a[unit]);
                    a_slope[unit] = dot(&second[unit], &b_slope);
                }
            }
            add(&mut a_bias, &a_slope, 1.0);
            let mut rest = self.rows[weight as usize] as usize;
            for digit in 0..self.digits {
                if !rest.is_multiple_of(3) {
                    add(&mut first_slope[2 * digit + rest % 3 - 1], &a_slope, 1.0);
                }
                rest /= 3;
            }
        }
        let parts = [
            first_slope.concat(),
            a_bias.to_vec(),
            second_slope.concat(),
            b_bias.to_vec(),
            out_slope.concat(),
        ];
        parts.concat()
    }

    /// The slopes of all parameters, from those of the estimates of a batch that was read before.
    pub fn slopes<T>(
        &mut self,
        inputs: &Inputs<T>,
        batch: &[u32],
        slopes: &[f32],
        layout: &Layout,
    ) -> Vec<f32> {
        self.collect(inputs, batch, slopes, layout);
        cpu::dispatch(Backward(self))
    }

    /// Learns a table's values: those of weight `i` and knot `k` are at `i * K + k`, as is how often each is read.
    pub fn imitate(&mut self, values: &[f32], visits: &[f32], units: &[f32; 6], seed: u64) {
        let count = |weight: u32| visits[weight as usize * K..][..K].iter().sum::<f32>();
        let mut order: Vec<u32> = (0..self.rows.len() as u32).filter(|&weight| count(weight) > 0.0).collect();
        let mean = order.iter().map(|&weight| count(weight)).sum::<f32>() / order.len().max(1) as f32;
        let mut rng = Rng::new(seed);
        self.slopes.resize(self.rows.len(), [0.0; K]);
        let (mut steps, planned) = (0, IMITATIONS * order.len().div_ceil(ROWS_PER_STEP));
        for _ in 0..IMITATIONS {
            for i in (1..order.len()).rev() {
                order.swap(i, rng.below(i as u32 + 1) as usize);
            }
            for rows in order.chunks(ROWS_PER_STEP) {
                self.touched = rows.to_vec();
                cpu::dispatch(Forward(self));
                for &row in rows {
                    let at = row as usize * K;
                    for knot in 0..K {
                        // Rows that are read all the time would leave nothing for the others.
                        let weight = (visits[at + knot] / mean).sqrt().min(8.0) / rows.len() as f32;
                        self.slopes[row as usize][knot] =
                            weight * (self.values[row as usize][knot] - values[at + knot]);
                    }
                }
                let slopes = cpu::dispatch(Backward(self));
                steps += 1;
                let rate = IMITATION_RATE * (1.01 - steps as f32 / planned as f32);
                self.step(&slopes, rate, steps as u32, units);
            }
        }
    }

    /// Moves all parameters against their slopes.
    pub fn step(&mut self, slopes: &[f32], rate: f32, steps: u32, units: &[f32; 6]) {
        for part in PARTS {
            let (range, widest) = (self.range(part), WIDEST * units[part as usize]);
            for at in range {
                self.learnt[at].step(slopes[at], rate, steps, widest);
            }
        }
    }
}

/// Adds a multiple.
#[inline(always)]
fn add<const N: usize>(sum: &mut [f32; N], other: &[f32; N], factor: f32) {
    for i in 0..N {
        sum[i] += factor * other[i];
    }
}

/// A sum of products, eight sums at a time.
#[inline(always)]
fn dot<const N: usize>(a: &[f32; N], b: &[f32; N]) -> f32 {
    let mut sums = [0.0; 8];
    for (a, b) in a.chunks_exact(8).zip(b.chunks_exact(8)) {
        for i in 0..8 {
            sums[i] += a[i] * b[i];
        }
    }
    sums.iter().sum()
}

impl Learnt {
    /// A step of Adam, no further than `widest`.
    pub fn step(&mut self, slope: f32, rate: f32, steps: u32, widest: f32) {
        self.mean += (1.0 - DECAY[0]) * (slope - self.mean);
        self.square += (1.0 - DECAY[1]) * (slope * slope - self.square);
        let steps = steps.min(100_000) as i32;
        let mean = self.mean / (1.0 - DECAY[0].powi(steps));
        let square = self.square / (1.0 - DECAY[1].powi(steps));
        self.weight = (self.weight - rate * mean / (square.sqrt() + 1e-8)).clamp(-widest, widest);
    }
}

/// Generates the values of the weights that were noted.
struct Forward<'a, const H: usize, const K: usize>(&'a mut Net<H, K>);

impl<const H: usize, const K: usize> Task for Forward<'_, H, K> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) {
        self.0.forward();
    }
}

/// Finds the parameters' slopes.
struct Backward<'a, const H: usize, const K: usize>(&'a mut Net<H, K>);

impl<const H: usize, const K: usize> Task for Backward<'_, H, K> {
    type Output = Vec<f32>;

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) -> Vec<f32> {
        self.0.backward()
    }
}
