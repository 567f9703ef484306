//! Learning of [`coppice::network`]: sparse inputs, the same sums in both players' views, up to two layers behind them.
//!
//! The game says once, by [`Views`], which inputs are 1; its bot calls the same function.

#[cfg(test)]
mod tests;

use std::marker::PhantomData;
use std::ops::Range;

use anyhow::bail;
use coppice::network::{Network, LATER_ONE, MAX_LATER, MAX_ROW, ONE};
use coppice::range_coder::Decoder;
use coppice::Rng;

use super::adam::Adam;
use super::Model;
use crate::encoder::Encoder;
use crate::loss::Loss;
use crate::parallel;
use crate::sample::Record;
use crate::vectors::{add_to, back_through, fast, products};

/// Parts of a batch whose slopes are added up by themselves: the outcome doesn't depend on the number of threads.
const PARTS: usize = 4;

/// A network's inputs from a game's positions. It learns canonical positions only ([`Record::canonical`]), so a bot whose
/// game has symmetries reads the canonical image of each position, as the model does.
pub trait Views<const WORDS: usize>: Clone + Send + Sync {
    /// The stored position.
    type Position: Record;

    /// The inputs of a canonical position for the player to move, and for the opponent.
    fn views(position: &Self::Position) -> [[u64; WORDS]; 2];
}

/// The network while it learns. An output x is an estimate of x / (1 + |x|).
#[derive(Debug, Clone)]
pub struct Sparse<V, const WORDS: usize, const UNITS: usize, const SECOND: usize, const THIRD: usize> {
    weights: Vec<f32>,
    adam: Adam,
    views: PhantomData<V>,
}

/// The inputs that are 1, by position and view.
#[derive(Debug, Clone, Default)]
pub struct Lists {
    ends: Vec<u32>,
    inputs: Vec<u16>,
}

impl Lists {
    #[inline(always)]
    fn of(&self, position: usize, view: usize) -> &[u16] {
        let at = 2 * position + view;
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.inputs[start as usize..self.ends[at] as usize]
    }
}

/// The sums of every layer for a position, and its output.
struct Forward<const UNITS: usize, const SECOND: usize, const THIRD: usize> {
    first: [[f32; UNITS]; 2],
    second: [f32; SECOND],
    third: [f32; THIRD],
    output: f32,
}

/// A sum cut to 0 to 1 and squared.
#[inline(always)]
fn square(x: f32) -> f32 {
    let x = x.clamp(0.0, 1.0);
    x * x
}

/// The slope of [`square`].
#[inline(always)]
fn square_slope(x: f32) -> f32 {
    if x > 0.0 && x < 1.0 {
        2.0 * x
    } else {
        0.0
    }
}

impl<V, const WORDS: usize, const UNITS: usize, const SECOND: usize, const THIRD: usize>
    Sparse<V, WORDS, UNITS, SECOND, THIRD>
{
    const INPUTS: usize = 64 * WORDS;
    /// Weights of the first layer and of its starts, then, for each later layer, its weights by unit and its starts.
    const START: usize = Self::INPUTS * UNITS;
    const COUNT: usize = Network::<WORDS, UNITS, SECOND, THIRD>::NUMBERS;
    const LAYERS: [(usize, usize); 3] = Network::<WORDS, UNITS, SECOND, THIRD>::LAYERS;

    /// A network with weights drawn from a seed.
    pub fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let mut weights = vec![0.0; Self::COUNT];
        let mut draw = |part: Range<usize>, middle: f32, width: f32| {
            let weights = weights[part].iter_mut();
            weights.for_each(|w| *w = middle + width * (rng.below(20_001) as f32 / 10_000.0 - 1.0));
        };
        draw(0..Self::START, 0.0, 0.1);
        draw(Self::START..Self::START + UNITS, 0.3, 0.1);
        for (layer, (inputs, units)) in Self::LAYERS.into_iter().enumerate() {
            let (rows, starts) = Self::layer(layer);
            draw(rows, 0.0, (3.0 / inputs.max(1) as f32).sqrt());
            let middle = if units > 1 { 0.3 } else { 0.0 };
            draw(starts, middle, middle / 3.0);
        }
        Sparse { weights, adam: Adam::new(Self::COUNT), views: PhantomData }
    }

    /// The weights of a later layer, and the starts of its sums.
    #[inline(always)]
    fn layer(layer: usize) -> (Range<usize>, Range<usize>) {
        let before: usize = Self::LAYERS[..layer].iter().map(|(inputs, units)| (inputs + 1) * units).sum();
        let (inputs, units) = Self::LAYERS[layer];
        let start = Self::START + UNITS + before;
        let end = start + inputs * units;
        (start..end, end..end + units)
    }

    /// The ranges of the weights, for each the number that stands for 1 and the largest one.
    fn scales() -> [(Range<usize>, i32, i32); 3] {
        [
            (0..Self::START, ONE, MAX_ROW),
            (Self::START..Self::START + UNITS, ONE, MAX_ROW),
            (Self::START + UNITS..Self::COUNT, LATER_ONE, MAX_LATER),
        ]
    }

    #[inline(always)]
    fn sums(&self, inputs: &[u16]) -> [f32; UNITS] {
        let mut sums: [f32; UNITS] = std::array::from_fn(|unit| self.weights[Self::START + unit]);
        let (rows, _) = self.weights[..Self::START].as_chunks::<UNITS>();
        for &input in inputs {
            let row = &rows[usize::from(input)];
            (0..UNITS).for_each(|unit| sums[unit] += row[unit]);
        }
        sums
    }

    /// A later layer's sums, of squares of the layer before.
    #[inline(always)]
    fn later<const N: usize>(&self, layer: usize, squares: &[f32]) -> [f32; N] {
        let (rows, starts) = Self::layer(layer);
        products(&self.weights[starts], &self.weights[rows], squares)
    }

    #[inline(always)]
    fn forward(&self, lists: &Lists, position: usize) -> Forward<UNITS, SECOND, THIRD> {
        let first = [0, 1].map(|view| self.sums(lists.of(position, view)));
        let squares = first.map(|sums| sums.map(square));
        let squares = squares.as_flattened();
        let (mut second, mut third) = ([0.0; SECOND], [0.0; THIRD]);
        let [output] = if SECOND == 0 {
            self.later(0, squares)
        } else {
            second = self.later(0, squares);
            if THIRD == 0 {
                self.later(1, &second.map(square))
            } else {
                third = self.later(1, &second.map(square));
                self.later(2, &third.map(square))
            }
        };
        Forward { first, second, third, output }
    }

    /// Goes back through a later layer: adds up the slopes of its weights, and returns those of the sums before it.
    #[inline(always)]
    fn back<const N: usize>(
        &self,
        layer: usize,
        above: &[f32],
        sums: &[f32; N],
        slopes: &mut [f32],
    ) -> [f32; N] {
        let (rows, starts) = Self::layer(layer);
        add_to(&mut slopes[starts], above);
        let (mut below, weights) = ([0.0; N], &self.weights[rows.clone()]);
        back_through(above, weights, &sums.map(square), &mut slopes[rows], &mut below);
        (0..N).for_each(|i| below[i] *= square_slope(sums[i]));
        below
    }

    /// Adds up the slopes of some positions. Returns the sum of costs.
    #[inline(always)]
    fn chunk(&self, lists: &Lists, batch: &[u32], targets: &[f32], loss: Loss, slopes: &mut [f32]) -> f64 {
        let mut cost = 0.0;
        for (&i, &target) in batch.iter().zip(targets) {
            let Forward { first, second, third, output } = self.forward(lists, i as usize);
            let estimate = squash(output);
            cost += f64::from(loss.cost(estimate, target));
            let above = [loss.slope(estimate, target) / (1.0 + output.abs()).powi(2)];
            let halves = if SECOND == 0 {
                self.both(&above, &first, slopes)
            } else if THIRD == 0 {
                self.both(&self.back(1, &above, &second, slopes), &first, slopes)
            } else {
                let above = self.back(2, &above, &third, slopes);
                self.both(&self.back(1, &above, &second, slopes), &first, slopes)
            };
            for (view, half) in halves.iter().enumerate() {
                let (rows, rest) = slopes.split_at_mut(Self::START);
                add_to(&mut rest[..UNITS], half);
                let (rows, _) = rows.as_chunks_mut::<UNITS>();
                for &input in lists.of(i as usize, view) {
                    let row = &mut rows[usize::from(input)];
                    (0..UNITS).for_each(|unit| row[unit] += half[unit]);
                }
            }
        }
        cost
    }

    /// Goes back through the layer that reads both views.
    #[inline(always)]
    fn both(&self, above: &[f32], sums: &[[f32; UNITS]; 2], slopes: &mut [f32]) -> [[f32; UNITS]; 2] {
        let (rows, starts) = Self::layer(0);
        let squares = sums.map(|sums| sums.map(square));
        add_to(&mut slopes[starts], above);
        let (mut below, weights) = ([[0.0; UNITS]; 2], &self.weights[rows.clone()]);
        let (squares, slopes) = (squares.as_flattened(), &mut slopes[rows]);
        back_through(above, weights, squares, slopes, below.as_flattened_mut());
        let both = below.as_flattened_mut().iter_mut().zip(sums.as_flattened());
        both.for_each(|(slope, &sum)| *slope *= square_slope(sum));
        below
    }

    /// The weights as the bot reads them.
    fn numbers(&self) -> Vec<i32> {
        let mut numbers = vec![0; Self::COUNT];
        for (part, one, most) in Self::scales() {
            for (number, weight) in numbers[part.clone()].iter_mut().zip(&self.weights[part]) {
                *number = ((weight * one as f32).round() as i32).clamp(-most, most);
            }
        }
        numbers
    }

    fn encode(numbers: &mut [i32]) -> Vec<u8> {
        let mut encoder = Encoder::default();
        Network::<WORDS, UNITS, SECOND, THIRD>::code(&mut encoder, numbers);
        encoder.finish()
    }
}

impl<V: Views<WORDS>, const WORDS: usize, const UNITS: usize, const SECOND: usize, const THIRD: usize>
    Sparse<V, WORDS, UNITS, SECOND, THIRD>
{
    /// The output for one position.
    pub fn output(&self, position: &V::Position) -> f32 {
        let lists = self.inputs(&[*position], 1);
        fast(|| self.forward(&lists, 0).output)
    }
}

/// Maps an output to -1 to 1.
#[inline(always)]
fn squash(x: f32) -> f32 {
    x / (1.0 + x.abs())
}

impl<V: Views<WORDS>, const WORDS: usize, const UNITS: usize, const SECOND: usize, const THIRD: usize> Model
    for Sparse<V, WORDS, UNITS, SECOND, THIRD>
{
    type Position = V::Position;
    type Inputs = Lists;

    fn inputs(&self, positions: &[V::Position], _threads: usize) -> Lists {
        let mut lists = Lists::default();
        for view in positions.iter().flat_map(|position| V::views(&position.canonical())) {
            for (word, mut bits) in view.into_iter().enumerate() {
                while bits != 0 {
                    lists.inputs.push((64 * word) as u16 + bits.trailing_zeros() as u16);
                    bits &= bits - 1;
                }
            }
            lists.ends.push(lists.inputs.len() as u32);
        }
        lists
    }

    /// Inputs that never occur weigh nothing, so that they cost nothing when packed.
    fn survey(&mut self, inputs: &Lists) {
        let mut seen = vec![false; Self::INPUTS];
        inputs.inputs.iter().for_each(|&input| seen[usize::from(input)] = true);
        for (row, seen) in self.weights[..Self::START].chunks_exact_mut(UNITS).zip(seen) {
            if !seen {
                row.fill(0.0);
            }
        }
    }

    fn estimate(&self, inputs: &Lists, i: usize) -> f32 {
        fast(|| squash(self.forward(inputs, i).output))
    }

    fn step(
        &mut self,
        inputs: &Lists,
        batch: &[u32],
        targets: &[f32],
        loss: Loss,
        rate: f32,
        threads: usize,
    ) -> f64 {
        let size = batch.len().div_ceil(PARTS).max(1);
        let mut parts = vec![(vec![0.0; Self::COUNT], 0.0); batch.len().div_ceil(size)];
        let jobs = batch.chunks(size).zip(targets.chunks(size)).zip(&mut parts).collect();
        parallel::each(jobs, threads, |((batch, targets), (slopes, cost))| {
            *cost = fast(|| self.chunk(inputs, batch, targets, loss, slopes));
        });
        let Some(((mut slopes, mut cost), rest)) = parts.split_first().map(|(x, rest)| (x.clone(), rest))
        else {
            return 0.0;
        };
        for (part, more) in rest {
            fast(|| add_to(&mut slopes, part));
            cost += more;
        }
        slopes.iter_mut().for_each(|slope| *slope /= batch.len() as f32);
        let parts = Self::scales().map(|(part, one, most)| (part, most as f32 / one as f32));
        fast(|| self.adam.step(&mut self.weights, &slopes, rate, parts));
        cost
    }

    fn state(&self) -> Vec<u8> {
        self.adam.write(&self.weights)
    }

    fn restore(&mut self, state: &[u8]) -> anyhow::Result<()> {
        self.adam.read(&mut self.weights, state)
    }

    fn pack(&self) -> Vec<u8> {
        Self::encode(&mut self.numbers())
    }

    fn unpacked(&self, bytes: &[u8]) -> anyhow::Result<Self> {
        let mut numbers = vec![0; Self::COUNT];
        Network::<WORDS, UNITS, SECOND, THIRD>::code(&mut Decoder::new(bytes), &mut numbers);
        if Self::encode(&mut numbers) != bytes {
            bail!("expected {} packed weights, found {} bytes of another form", Self::COUNT, bytes.len());
        }
        let mut model = self.clone();
        for (part, one, _) in Self::scales() {
            part.for_each(|i| model.weights[i] = numbers[i] as f32 / one as f32);
        }
        Ok(model)
    }
}
