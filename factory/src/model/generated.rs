//! Tables that small nets generate: one net a table, from a row's contents to its value at every knot.
//!
//! A net has two hidden layers. Its inputs are the discs of a row, so that rows that occur seldom are worth what
//! similar ones are, and ten thousand numbers stand for a hundred thousand. The bot generates the tables before its
//! first turn; from then on a position costs what [tables](super::tables) cost.

use anyhow::bail;
use coppice::cpu::{self, Cpu, Task};
use coppice::Rng;

use super::tables::{read, Inputs, Layout, Tabled, Tables};
use super::Model;
use crate::learn::{loss::Loss, shuffle};
use crate::parallel;
use crate::progress::Progress;

/// Adam's decay rates (Kingma and Ba 2015).
const DECAY: [f32; 2] = [0.9, 0.999];
/// The largest weight: what a byte can hold.
const WIDEST: f32 = 127.0;

/// Passes over the positions in which a table of plain weights is learnt first, for the nets to imitate; their rate and
/// size of a step.
const TEACHER: (u32, f32, usize) = (4, 0.05, 1024);
/// Passes over a table's rows that imitate it, their first rate and rows in a step.
const IMITATIONS: usize = 60;
const IMITATION_RATE: f32 = 0.01;
const ROWS_PER_STEP: usize = 256;

/// A game whose tables are generated.
pub trait Generating: Tabled {
    /// The digits of a row of each table, base 3: free, the mover's, the opponent's.
    fn digits() -> Vec<usize>;

    /// What a byte of 1 stands for, by part of a net ([`Part`]) and at last for the numbers.
    const UNITS: [f32; 6];
}

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

/// A parameter and Adam's state for it.
#[derive(Debug, Clone, Copy, Default)]
struct Learnt {
    weight: f32,
    mean: f32,
    square: f32,
}

/// One table's net, with `H` units in each layer and `K` knots.
#[derive(Debug, Clone)]
struct Net<const H: usize, const K: usize> {
    digits: usize,
    /// The places that read this table.
    places: Vec<usize>,
    /// By weight of the table (counted from its first): a row that stands for it.
    rows: Vec<u32>,
    /// By row of the table, its weight.
    weights: Vec<u32>,
    learnt: Vec<Learnt>,
    /// By weight: its values, as far as `stamp` says that they are of this step.
    values: Vec<[f32; K]>,
    stamps: Vec<u32>,
    /// The weights that this step's batch reads, and the layers' outputs for each.
    touched: Vec<u32>,
    layers: Vec<[[f32; H]; 2]>,
    slopes: Vec<[f32; K]>,
}

impl<const H: usize, const K: usize> Net<H, K> {
    fn new(digits: usize, places: Vec<usize>, weights: Vec<u32>, rng: &mut Rng) -> Net<H, K> {
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
        for (part, width) in
            [(Part::First, 0.8), (Part::FirstBias, 0.3), (Part::Second, 0.3), (Part::Out, 0.05)]
        {
            let range = net.range(part);
            for learnt in &mut net.learnt[range] {
                learnt.weight = width * (rng.below(20_001) as f32 / 10_000.0 - 1.0);
            }
        }
        net
    }

    fn range(&self, part: Part) -> std::ops::Range<usize> {
        let sizes = [2 * self.digits * H, H, H * H, H, H * K];
        let start = sizes[..part as usize].iter().sum();
        start..start + sizes[part as usize]
    }

    /// The weights of a part, `N` at a time.
    fn part<const N: usize>(&self, part: Part) -> Vec<[f32; N]> {
        let learnt = self.learnt[self.range(part)].chunks_exact(N);
        learnt.map(|learnt| std::array::from_fn(|i| learnt[i].weight)).collect()
    }

    /// Notes the weights that a batch reads.
    fn touch<T>(&mut self, inputs: &Inputs<T>, batch: &[u32], places: usize, stamp: u32) {
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
    }

    fn touch_all(&mut self, stamp: u32) {
        self.touched = (0..self.rows.len() as u32).collect();
        self.stamps.fill(stamp);
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
                if rest % 3 != 0 {
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
    #[inline(always)]
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
                if rest % 3 != 0 {
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

    /// Learns a table's values: those of weight `i` and knot `k` are at `i * K + k`, as is how often each is read.
    fn imitate(&mut self, values: &[f32], visits: &[f32], units: &[f32; 6], seed: u64) {
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

    fn step(&mut self, slopes: &[f32], rate: f32, steps: u32, units: &[f32; 6]) {
        for part in [Part::First, Part::FirstBias, Part::Second, Part::SecondBias, Part::Out] {
            let (range, widest) = (self.range(part), WIDEST * units[part as usize]);
            for at in range {
                self.learnt[at].step(slopes[at], rate, steps, widest);
            }
        }
    }
}

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
    fn step(&mut self, slope: f32, rate: f32, steps: u32, widest: f32) {
        self.mean += (1.0 - DECAY[0]) * (slope - self.mean);
        self.square += (1.0 - DECAY[1]) * (slope * slope - self.square);
        let steps = steps.min(100_000) as i32;
        let mean = self.mean / (1.0 - DECAY[0].powi(steps));
        let square = self.square / (1.0 - DECAY[1].powi(steps));
        self.weight = (self.weight - rate * mean / (square.sqrt() + 1e-8)).clamp(-widest, widest);
    }
}

/// The nets while they learn, with `H` units in each layer and `K` knots.
#[derive(Debug, Clone)]
pub struct Generated<T: Generating, const H: usize, const K: usize> {
    subject: T,
    layout: Layout,
    nets: Vec<Net<H, K>>,
    /// By number and knot.
    numbers: Vec<Learnt>,
    steps: u32,
}

impl<T: Generating, const H: usize, const K: usize> Generated<T, H, K> {
    /// Nets with weights drawn from a seed.
    pub fn new(subject: T, seed: u64) -> Self {
        const { assert!(H % 8 == 0 && K > 1) };
        let layout = T::layout();
        assert_eq!(layout.knots, K, "a net has one output a knot");
        let mut rng = Rng::new(seed);
        let mut start = 0;
        let mut nets = Vec::new();
        for digits in T::digits() {
            let end = start + 3usize.pow(digits as u32);
            let places = (0..layout.places.len()).filter(|&place| layout.places[place] == start).collect();
            nets.push(Net::new(digits, places, layout.weights[start..end].to_vec(), &mut rng));
            start = end;
        }
        let numbers = vec![Learnt::default(); layout.numbers * K];
        let mut model = Generated { subject, layout, nets, numbers, steps: 0 };
        model.generate();
        model
    }

    /// The values of all weights, at every knot, in their order.
    pub fn values(&self) -> impl Iterator<Item = [f32; K]> + '_ {
        self.nets.iter().flat_map(|net| net.values.iter().copied())
    }

    /// The weights of the numbers, at every knot.
    pub fn numbers(&self) -> Vec<[f32; K]> {
        self.numbers.chunks_exact(K).map(|all| std::array::from_fn(|knot| all[knot].weight)).collect()
    }

    /// Generates all tables.
    fn generate(&mut self) {
        for net in &mut self.nets {
            net.touch_all(u32::MAX);
            cpu::dispatch(Forward(net));
        }
    }

    fn learnt(&self) -> impl Iterator<Item = &Learnt> {
        self.nets.iter().flat_map(|net| &net.learnt).chain(&self.numbers)
    }

    fn learnt_mut(&mut self) -> impl Iterator<Item = &mut Learnt> {
        self.nets.iter_mut().flat_map(|net| &mut net.learnt).chain(&mut self.numbers)
    }

    /// What a byte of 1 stands for, for each of [`Generated::learnt`].
    fn units(&self) -> Vec<f32> {
        let parts = [Part::First, Part::FirstBias, Part::Second, Part::SecondBias, Part::Out];
        let of_net =
            |net: &Net<H, K>| parts.map(|part| vec![T::UNITS[part as usize]; net.range(part).len()]).concat();
        let mut units: Vec<f32> = self.nets.iter().flat_map(of_net).collect();
        units.resize(units.len() + self.numbers.len(), T::UNITS[5]);
        units
    }

    #[inline(always)]
    fn sum(&self, inputs: &Inputs<T>, i: usize) -> f32 {
        let rows = inputs.rows(i, self.layout.places.len());
        let (knot, share) = self.layout.phases[inputs.phase(i)];
        let mut sum = 0.0;
        for net in &self.nets {
            for &place in &net.places {
                let value = &net.values[net.weights[usize::from(rows[place])] as usize];
                sum += value[knot] + share * (value[knot + 1] - value[knot]);
            }
        }
        for (number, weights) in
            inputs.numbers(i, self.layout.numbers).iter().zip(self.numbers.chunks_exact(K))
        {
            let (a, b) = (weights[knot].weight, weights[knot + 1].weight);
            sum += number * (a + share * (b - a));
        }
        sum
    }
}

struct Forward<'a, const H: usize, const K: usize>(&'a mut Net<H, K>);

impl<const H: usize, const K: usize> Task for Forward<'_, H, K> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) {
        self.0.forward();
    }
}

struct Backward<'a, const H: usize, const K: usize>(&'a mut Net<H, K>);

impl<const H: usize, const K: usize> Task for Backward<'_, H, K> {
    type Output = Vec<f32>;

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) -> Vec<f32> {
        self.0.backward()
    }
}

impl<T: Generating, const H: usize, const K: usize> Model for Generated<T, H, K> {
    type Position = T::Position;
    type Inputs = Inputs<T>;

    fn inputs(&self, positions: &[T::Position], threads: usize) -> Inputs<T> {
        read(&self.subject, &self.layout, positions, threads)
    }

    fn prepare(&mut self, inputs: &Inputs<T>, targets: &[f32], loss: Loss, threads: usize) {
        let mut teacher = Tables::new(self.subject.clone());
        teacher.count(inputs);
        let (epochs, rate, batch) = TEACHER;
        let mut order: Vec<u32> = (0..targets.len() as u32).collect();
        let progress = Progress::new("positions for the teacher", epochs as u64 * targets.len() as u64, 0);
        let mut done = 0;
        for epoch in 0..epochs {
            shuffle(&mut order, &mut Rng::new(epoch.into()));
            for batch in order.chunks(batch) {
                let rate = rate * (1.01 - done as f32 / (epochs as usize * targets.len()) as f32);
                let targets: Vec<f32> = batch.iter().map(|&at| targets[at as usize]).collect();
                teacher.descend(inputs, batch, &targets, loss, rate, threads);
                done += batch.len();
                progress.advance(batch.len() as u64);
            }
        }
        progress.end();
        let (values, visits) = (teacher.weights(), &teacher.visits);
        let mut start = 0;
        let mut jobs = Vec::new();
        for net in &mut self.nets {
            let range = start..start + net.rows.len() * K;
            start = range.end;
            jobs.push((net, &values[range.clone()], &visits[range]));
        }
        parallel::each(jobs, threads, |(net, values, visits)| net.imitate(values, visits, &T::UNITS, 1));
        for (learnt, &weight) in self.numbers.iter_mut().zip(&values[start..]) {
            learnt.weight = weight;
        }
        // Adam's memory of the imitation is none of the games.
        self.learnt_mut().for_each(|learnt| (learnt.mean, learnt.square) = (0.0, 0.0));
        self.generate();
        let sum: f64 = targets
            .iter()
            .enumerate()
            .take(50_000)
            .map(|(i, &target)| f64::from(loss.cost(self.sum(inputs, i), target)))
            .sum();
        let theirs: f64 = targets
            .iter()
            .enumerate()
            .take(50_000)
            .map(|(i, &target)| f64::from(loss.cost(teacher.sum(inputs, i), target)))
            .sum();
        eprintln!("teacher {:.4}, imitated {:.4}", theirs / 50_000.0, sum / 50_000.0);
    }

    fn finish(&mut self) {
        self.generate();
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
        self.steps += 1;
        let (stamp, layout) = (self.steps, &self.layout);
        parallel::each(self.nets.iter_mut().collect(), threads, |net| {
            net.touch(inputs, batch, layout.places.len(), stamp);
            cpu::dispatch(Forward(net));
        });
        let mut costs = vec![0.0f32; batch.len()];
        let mut slopes = vec![0.0f32; batch.len()];
        let mut both: Vec<_> = costs.iter_mut().zip(&mut slopes).collect();
        let size = batch.len() as f32;
        parallel::fill(&mut both, threads, |first, part| {
            for ((cost, slope), (&i, &target)) in
                part.iter_mut().zip(batch[first..].iter().zip(&targets[first..]))
            {
                let estimate = self.sum(inputs, i as usize);
                (**cost, **slope) = (loss.cost(estimate, target), loss.slope(estimate, target) / size);
            }
        });
        let (layout, steps) = (&self.layout, self.steps);
        parallel::each(self.nets.iter_mut().collect(), threads, |net| {
            net.collect(inputs, batch, &slopes, layout);
            let slopes = cpu::dispatch(Backward(net));
            net.step(&slopes, rate, steps, &T::UNITS);
        });
        let mut of_numbers = vec![0.0f32; self.numbers.len()];
        for (&i, slope) in batch.iter().zip(&slopes) {
            let (knot, share) = self.layout.phases[inputs.phase(i as usize)];
            for (n, number) in inputs.numbers(i as usize, self.layout.numbers).iter().enumerate() {
                of_numbers[n * K + knot] += slope * number * (1.0 - share);
                of_numbers[n * K + knot + 1] += slope * number * share;
            }
        }
        for (learnt, slope) in self.numbers.iter_mut().zip(of_numbers) {
            learnt.step(slope, 4.0 * rate, steps, WIDEST * T::UNITS[5]);
        }
        costs.iter().map(|&cost| f64::from(cost)).sum()
    }

    fn state(&self) -> Vec<u8> {
        let bytes =
            |learnt: &Learnt| [learnt.weight, learnt.mean, learnt.square].map(f32::to_le_bytes).concat();
        self.steps.to_le_bytes().into_iter().chain(self.learnt().flat_map(bytes)).collect()
    }

    fn restore(&mut self, state: &[u8]) -> anyhow::Result<()> {
        let count = self.learnt().count();
        if state.len() != 4 + 12 * count {
            bail!("expected the state of {count} weights, 12 bytes each, found {} bytes", state.len());
        }
        let word = |at: usize| u32::from_le_bytes(std::array::from_fn(|j| state[at + j]));
        let float = |at: usize| f32::from_bits(word(at));
        self.steps = word(0);
        for (i, learnt) in self.learnt_mut().enumerate() {
            let at = 4 + 12 * i;
            *learnt = Learnt { weight: float(at), mean: float(at + 4), square: float(at + 8) };
        }
        self.generate();
        Ok(())
    }

    fn pack(&self) -> Vec<u8> {
        let whole = |(learnt, unit): (&Learnt, f32)| (learnt.weight / unit).round() as i8 as u8;
        self.learnt().zip(self.units()).map(whole).collect()
    }

    fn unpacked(&self, bytes: &[u8]) -> anyhow::Result<Self> {
        let mut model = self.clone();
        let units = self.units();
        if bytes.len() != units.len() {
            bail!("expected {} bytes, one a weight, found {}", units.len(), bytes.len());
        }
        for (learnt, (&byte, unit)) in model.learnt_mut().zip(bytes.iter().zip(units)) {
            *learnt = Learnt { weight: f32::from(byte as i8) * unit, ..Learnt::default() };
        }
        model.generate();
        Ok(model)
    }
}
