//! The bot's network of small boards in floating point: outputs, and slopes by back-propagation.
//!
//! The part that each small board's pattern has in the units is computed once for all positions of a batch: most patterns
//! occur often. Then a position costs sums of rows, as in the bot.

use bots::uttt::pattern::code::{ended, image, open, CODES, SYMMETRIES};
use bots::uttt::pattern::network::{
    kind, BOARDS, CHOICES, ENDED, FEATURES, FROM, MARKS, ONE, OUT, PARTS, START, TURN, UNITS, WEIGHTS,
};
use coppice::Rng;

use super::position::Boards;
use crate::loss::Loss;
use crate::model::adam::Adam;
use crate::parallel;
use crate::vectors::{add_to, fast};

/// Weights that lead from a small board's features to the units.
pub(super) const BLOCK: usize = FEATURES * UNITS;
/// Nine boards, and nine more for the one to play in.
pub(super) const TABLES: usize = 18;
/// Positions whose slopes are added up together: the outcome doesn't depend on the number of threads.
pub(super) const CHUNK: usize = 256;
/// The largest part of a pattern in a unit that a table can hold.
const WIDEST: f32 = 127.0 / ONE as f32;

pub(super) type Units = [f32; UNITS];
pub(super) type Lanes = [Units; 8];

/// One table of the patterns' parts in the units.
#[derive(Debug, Clone)]
pub(super) struct Table {
    /// By code, as far as `stamps` says that they are of this step.
    rows: Vec<Units>,
    pub(super) slopes: Vec<Units>,
    stamps: Vec<u32>,
    /// The codes that this step reads.
    pub(super) touched: Vec<u16>,
    /// The weights' slopes.
    pub(super) block: Vec<f32>,
    pub(super) ended: [Units; 3],
}

/// The network while it learns.
#[derive(Debug, Clone)]
pub struct Network {
    pub(super) weights: Vec<f32>,
    pub(super) adam: Adam,
    pub(super) stamp: u32,
    /// By symmetry and code.
    images: Vec<[u16; CODES]>,
    /// By symmetry, the board that becomes each.
    sources: [[u8; 9]; 8],
    /// The codes of open boards with their marks.
    pub(super) open: Vec<(u16, [u16; 2])>,
    features: Vec<[f32; FEATURES]>,
    pub(super) tables: Vec<Table>,
}

/// What a chunk of positions adds to the slopes of the weights behind the units.
#[derive(Debug, Clone)]
pub(super) struct Sums {
    pub(super) cost: f64,
    pub(super) start: [Units; CHOICES],
    pub(super) out: [Units; CHOICES],
    pub(super) turn: [f32; 4],
}

impl Network {
    /// A network with weights drawn from a seed.
    pub fn new(seed: u64) -> Network {
        let mut rng = Rng::new(seed);
        let mut weights = vec![0.0; WEIGHTS];
        let mut draw = |part: std::ops::Range<usize>, middle: f32, width: f32| {
            let weights = weights[part].iter_mut();
            weights.for_each(|w| *w = middle + width * (rng.below(20_001) as f32 / 10_000.0 - 1.0));
        };
        draw(MARKS.range(), 0.0, 0.6);
        draw(FROM.range(), 0.1, 0.3);
        draw(BOARDS.range(), 0.0, 0.08);
        draw(bots::uttt::pattern::network::NEXT.range(), 0.0, 0.08);
        draw(ENDED.range(), 0.0, 0.2);
        draw(START.range(), 0.35, 0.1);
        draw(OUT.range(), 0.0, 0.3);
        let table = Table {
            rows: vec![[0.0; UNITS]; CODES],
            slopes: vec![[0.0; UNITS]; CODES],
            stamps: vec![0; CODES],
            touched: Vec::new(),
            block: vec![0.0; BLOCK],
            ended: [[0.0; UNITS]; 3],
        };
        let mut sources = [[0; 9]; 8];
        for (sources, symmetry) in sources.iter_mut().zip(&SYMMETRIES) {
            symmetry.iter().enumerate().for_each(|(b, &place)| sources[usize::from(place)] = b as u8);
        }
        let images =
            SYMMETRIES.iter().map(|symmetry| std::array::from_fn(|code| image(code as u16, symmetry)));
        let mut network = Network {
            adam: Adam::new(WEIGHTS),
            weights,
            stamp: 0,
            images: images.collect(),
            sources,
            open: (0..CODES as u16).filter_map(|code| Some((code, open(code)?))).collect(),
            features: vec![[0.0; FEATURES]; CODES],
            tables: vec![table; TABLES],
        };
        network.touch_every_code();
        network
    }

    /// Computes the features of all open boards.
    pub(super) fn refresh(&mut self) {
        for &(code, marks) in &self.open {
            let mut features: [f32; FEATURES] = row(&self.weights, FROM.range().start);
            for_marks(marks, |at| add(&mut features, &row(&self.weights, at * FEATURES), 1.0));
            self.features[usize::from(code)] = features.map(|x| x.max(0.0));
        }
    }

    /// The image of a small board's code where a symmetry puts it.
    #[inline(always)]
    fn part(&self, i: usize, code: u16) -> usize {
        usize::from(self.images[i][usize::from(code)])
    }

    /// The units before they are cut to 0 to 1, and the output.
    #[inline(always)]
    pub(super) fn forward(&self, boards: &Boards) -> (Lanes, f32) {
        let next = usize::from(boards.next);
        let mut lanes = [[0.0; UNITS]; 8];
        let mut sum = self.weights[TURN.range().start + kind(next)];
        for (i, symmetry) in SYMMETRIES.iter().enumerate() {
            let choice = symmetry.get(next).map_or(CHOICES - 1, |&place| usize::from(place));
            let mut units: Units = row(&self.weights, START.range().start + choice * UNITS);
            for (&code, &place) in boards.codes.iter().zip(symmetry) {
                add(&mut units, &self.tables[usize::from(place)].rows[self.part(i, code)], 1.0);
            }
            if next < 9 {
                add(&mut units, &self.tables[9 + choice].rows[self.part(i, boards.codes[next])], 1.0);
            }
            let out: Units = row(&self.weights, OUT.range().start + choice * UNITS);
            let mut sums = [0.0; UNITS];
            for u in 0..UNITS {
                let x = units[u].clamp(0.0, 1.0);
                sums[u] = x * x * out[u];
            }
            sum += sums.iter().sum::<f32>();
            lanes[i] = units;
        }
        (lanes, sum)
    }

    /// The output for one position.
    pub fn output(&self, boards: &Boards) -> f32 {
        fast(|| self.forward(boards).1)
    }

    /// Estimates some positions, and leaves the slopes of their units in `slopes`.
    #[inline(always)]
    pub(super) fn chunk(
        &self,
        inputs: &[Boards],
        batch: &[u32],
        targets: &[f32],
        loss: Loss,
        slopes: &mut [Lanes],
    ) -> Sums {
        let none = [[0.0; UNITS]; CHOICES];
        let mut sums = Sums { cost: 0.0, start: none, out: none, turn: [0.0; 4] };
        for ((&i, &target), slopes) in batch.iter().zip(targets).zip(slopes) {
            let boards = &inputs[i as usize];
            let (lanes, x) = self.forward(boards);
            let estimate = squash(x);
            sums.cost += f64::from(loss.cost(estimate, target));
            let slope = loss.slope(estimate, target) / (1.0 + x.abs()).powi(2);
            let next = usize::from(boards.next);
            sums.turn[kind(next)] += slope;
            for (i, symmetry) in SYMMETRIES.iter().enumerate() {
                let choice = symmetry.get(next).map_or(CHOICES - 1, |&place| usize::from(place));
                let out: Units = row(&self.weights, OUT.range().start + choice * UNITS);
                for u in 0..UNITS {
                    let x = lanes[i][u].clamp(0.0, 1.0);
                    sums.out[choice][u] += slope * x * x;
                    let inside = x > 0.0 && x < 1.0;
                    slopes[i][u] = if inside { 2.0 * slope * x * out[u] } else { 0.0 };
                }
                add(&mut sums.start[choice], &slopes[i], 1.0);
            }
        }
        sums
    }

    /// Computes the rows of one table that a batch reads.
    #[inline(always)]
    pub(super) fn touch(&self, t: usize, table: &mut Table, inputs: &[Boards], batch: &[u32]) {
        table.touched.clear();
        for &i in batch {
            self.each(t, &inputs[i as usize], |_, code| {
                if table.stamps[code] != self.stamp {
                    table.stamps[code] = self.stamp;
                    table.touched.push(code as u16);
                }
            });
        }
        let block = &self.weights[BOARDS.range().start + t * BLOCK..][..BLOCK];
        for &code in &table.touched {
            table.rows[usize::from(code)] = match ended(code) {
                Some(end) if t < 9 => row(&self.weights, ENDED.range().start + (3 * t + end) * UNITS),
                _ => {
                    let mut units = [0.0; UNITS];
                    let features = &self.features[usize::from(code)];
                    for (&x, weights) in features.iter().zip(block.chunks_exact(UNITS)) {
                        units.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += x * weight);
                    }
                    units.map(|x| x.clamp(-WIDEST, WIDEST))
                }
            };
        }
    }

    /// Calls `read` with each symmetry in which a position reads a table, and the code that it reads.
    #[inline(always)]
    fn each(&self, t: usize, boards: &Boards, mut read: impl FnMut(usize, usize)) {
        for i in 0..8 {
            let b = self.sources[i][t % 9];
            if t < 9 || b == boards.next {
                read(i, self.part(i, boards.codes[usize::from(b)]));
            }
        }
    }

    /// Adds up the slopes of a table's rows, and from them those of its weights.
    #[inline(always)]
    pub(super) fn collect(
        &self,
        t: usize,
        table: &mut Table,
        inputs: &[Boards],
        batch: &[u32],
        slopes: &[Lanes],
    ) {
        for (&i, lanes) in batch.iter().zip(slopes) {
            let sums = &mut table.slopes;
            self.each(t, &inputs[i as usize], |i, code| add(&mut sums[code], &lanes[i], 1.0));
        }
        table.block.fill(0.0);
        table.ended = [[0.0; UNITS]; 3];
        for &code in &table.touched {
            let code = usize::from(code);
            if let Some(end) = ended(code as u16) {
                table.ended[end] = std::mem::take(&mut table.slopes[code]);
                continue;
            }
            let slopes = &mut table.slopes[code];
            for (slope, row) in slopes.iter_mut().zip(&table.rows[code]) {
                *slope = if row.abs() < WIDEST { *slope } else { 0.0 };
            }
            for (&x, sums) in self.features[code].iter().zip(table.block.chunks_exact_mut(UNITS)) {
                sums.iter_mut().zip(slopes.iter()).for_each(|(sum, slope)| *sum += x * slope);
            }
        }
    }

    /// The slopes of the weights of the features, for some of the open boards.
    #[inline(always)]
    pub(super) fn below(&self, open: &[(u16, [u16; 2])], across: &[f32]) -> Vec<f32> {
        let mut sums = vec![0.0; FROM.range().end];
        for &(code, marks) in open {
            let code = usize::from(code);
            let mut slopes = [0.0; FEATURES];
            let mut any = false;
            for (table, across) in self.tables.iter().zip(across.chunks_exact(BLOCK)) {
                if table.stamps[code] == self.stamp {
                    any = true;
                    for (&slope, weights) in table.slopes[code].iter().zip(across.chunks_exact(FEATURES)) {
                        slopes.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += slope * weight);
                    }
                }
            }
            if !any {
                continue;
            }
            for (slope, &x) in slopes.iter_mut().zip(&self.features[code]) {
                *slope = if x > 0.0 { *slope } else { 0.0 };
            }
            add_to(&mut sums[FROM.range()], &slopes);
            for_marks(marks, |at| add_to(&mut sums[at * FEATURES..][..FEATURES], &slopes));
        }
        sums
    }

    /// A step of gradient descent.
    pub(super) fn descend(&mut self, slopes: &[f32], rate: f32) {
        let parts = PARTS.map(|part| (part.range(), 127.0 / part.one as f32));
        fast(|| self.adam.step(&mut self.weights, slopes, rate, parts));
    }

    /// Fills the rows of the tables that positions of this batch read.
    pub(super) fn touch_all(&mut self, inputs: &[Boards], batch: &[u32], threads: usize) {
        self.stamp += 1;
        let mut tables = std::mem::take(&mut self.tables);
        parallel::each(tables.iter_mut().enumerate().collect(), threads, |(t, table)| {
            fast(|| self.touch(t, table, inputs, batch));
        });
        self.tables = tables;
    }

    /// Computes features and rows of all codes.
    pub(super) fn touch_every_code(&mut self) {
        self.refresh();
        self.stamp += 1;
        let codes: Vec<u16> = (0..CODES as u16).collect();
        let mut tables = std::mem::take(&mut self.tables);
        for (t, table) in tables.iter_mut().enumerate() {
            // A position whose boards all have one code reads it in every table.
            let of = |&code: &u16| Boards { codes: [code; 9], next: (t % 9) as u8 };
            let all: Vec<Boards> = codes.iter().map(of).collect();
            let batch: Vec<u32> = (0..all.len() as u32).collect();
            fast(|| self.touch(t, table, &all, &batch));
        }
        self.tables = tables;
    }
}

/// Maps an output to -1 to 1, as the search squashes estimates.
pub(super) fn squash(x: f32) -> f32 {
    x / (1.0 + x.abs())
}

#[inline(always)]
fn row<const N: usize>(weights: &[f32], at: usize) -> [f32; N] {
    std::array::from_fn(|i| weights[at + i])
}

#[inline(always)]
fn add<const N: usize>(sums: &mut [f32; N], terms: &[f32; N], factor: f32) {
    for i in 0..N {
        sums[i] += factor * terms[i];
    }
}

/// Calls `read` with each of the eighteen inputs of a small board's features that is on.
#[inline(always)]
fn for_marks(marks: [u16; 2], mut read: impl FnMut(usize)) {
    for place in 0..9 {
        for (mark, marks) in marks.into_iter().enumerate() {
            if marks >> place & 1 == 1 {
                read(2 * place + mark);
            }
        }
    }
}
