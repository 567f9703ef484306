//! Tables that small nets generate: one net a table, from a row's contents to its value at every knot.
//!
//! A net has two hidden layers. Its inputs are the discs of a row, so that rows that occur seldom are worth what
//! similar ones are, and ten thousand numbers stand for a hundred thousand. The bot generates the tables before its
//! first turn; from then on a position costs what [tables](super::tables) cost.

mod net;

use anyhow::bail;
use coppice::Rng;

use super::tables::{read, Inputs, Layout, Tabled, Tables};
use super::Model;
use crate::parallel;
use crate::progress::Progress;
use crate::{loss::Loss, recipe::shuffle};
use net::{Learnt, Net};
pub use net::{Part, PARTS, WIDEST};

/// Passes over the positions in which a table of plain weights is learnt first, for the nets to imitate; their rate and
/// size of a step.
const TEACHER: (u32, f32, usize) = (4, 0.05, 1024);

/// A game whose tables are generated.
pub trait Generating: Tabled {
    /// The digits of a row of each table, base 3: free, the mover's, the opponent's.
    fn digits() -> Vec<usize>;

    /// Units in each layer of each table's net, at most the model's `H`.
    fn widths() -> Vec<usize>;

    /// Value of a byte of 1, by part of a net ([`Part`]) and at last for the numbers.
    const UNITS: [f32; 6];
}

/// The nets while they learn, with up to `H` units in each layer and `K` knots.
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
        const { assert!(H.is_multiple_of(8) && K > 1) };
        let layout = T::layout();
        assert_eq!(layout.knots, K, "a net has one output a knot");
        let mut rng = Rng::new(seed);
        let mut start = 0;
        let mut nets = Vec::new();
        for (digits, width) in T::digits().into_iter().zip(T::widths()) {
            let end = start + 3usize.pow(digits as u32);
            let places = (0..layout.places.len()).filter(|&place| layout.places[place] == start).collect();
            nets.push(Net::new(digits, width, places, layout.weights[start..end].to_vec(), &mut rng));
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
            net.read_all();
        }
    }

    fn learnt(&self) -> impl Iterator<Item = &Learnt> {
        self.nets.iter().flat_map(|net| &net.learnt).chain(&self.numbers)
    }

    fn learnt_mut(&mut self) -> impl Iterator<Item = &mut Learnt> {
        self.nets.iter_mut().flat_map(|net| &mut net.learnt).chain(&mut self.numbers)
    }

    /// Value of a byte of 1, for each of [`Generated::learnt`].
    fn units(&self) -> Vec<f32> {
        let parts = PARTS;
        let of_net =
            |net: &Net<H, K>| parts.map(|part| vec![T::UNITS[part as usize]; net.range(part).len()]).concat();
        let mut units: Vec<f32> = self.nets.iter().flat_map(of_net).collect();
        units.resize(units.len() + self.numbers.len(), T::UNITS[5]);
        units
    }

    /// Whether a byte is stored for each of [`Generated::learnt`].
    fn stored(&self) -> Vec<bool> {
        let mut stored: Vec<bool> = self.nets.iter().flat_map(|net| net.learning()).collect();
        stored.resize(stored.len() + self.numbers.len(), true);
        stored
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
        // Adam's averages of the imitation don't apply to the games.
        self.learnt_mut().for_each(|learnt| (learnt.mean, learnt.square) = (0.0, 0.0));
        self.generate();
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
            net.read(inputs, batch, layout.places.len(), stamp);
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
            let slopes = net.slopes(inputs, batch, &slopes, layout);
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
        let all = self.learnt().zip(self.units()).zip(self.stored());
        all.filter(|(_, stored)| *stored).map(|(weight, _)| whole(weight)).collect()
    }

    fn unpacked(&self, bytes: &[u8]) -> anyhow::Result<Self> {
        let mut model = self.clone();
        let stored = self.stored();
        let count = stored.iter().filter(|stored| **stored).count();
        if bytes.len() != count {
            bail!("expected {count} bytes, one a weight, found {}", bytes.len());
        }
        let weights = model.learnt_mut().zip(self.units()).zip(stored).filter(|(_, stored)| *stored);
        for (((learnt, unit), _), &byte) in weights.zip(bytes) {
            *learnt = Learnt { weight: f32::from(byte as i8) * unit, ..Learnt::default() };
        }
        model.generate();
        Ok(model)
    }
}
