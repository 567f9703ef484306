//! The small nets that the tables are generated from: one a pattern, from a row's discs to its value at every knot.

use coppice::cpu::{self, Cpu, Task};

use super::numbers::NUMBERS;
use super::shapes::{weights, PATTERNS, ROWS, WEIGHTS};
use super::KNOTS;

/// Units in each of the two hidden layers of a pattern's net: the more, the more rows it has.
pub const WIDTHS: [usize; PATTERNS.len()] = [48, 48, 48, 32, 32, 32, 32, 24, 16, 16, 8];
/// Units of the widest net, to which the others are filled up with zeros.
pub const UNITS: usize = 48;
/// Value of a byte of 1, by part: inputs and biases of the first layer, weights and biases of the second, those of the
/// outputs, and the weights of numbers. The last two are in discs.
pub const SCALES: [f32; 6] = [1.0 / 32.0, 1.0 / 32.0, 1.0 / 64.0, 1.0 / 32.0, 1.0 / 32.0, 1.0 / 32.0];

/// The values of rows and numbers at every knot, in discs.
#[derive(Debug, Clone, PartialEq)]
pub struct Values {
    /// By weight of a row, see [`weights`].
    pub rows: Vec<[f32; KNOTS]>,
    /// By number.
    pub numbers: [[f32; KNOTS]; NUMBERS],
}

impl Values {
    /// Generates the values. Bytes that are missing count as 0.
    pub fn generate(bytes: &[u8]) -> Values {
        let mut bytes = Bytes(bytes.iter());
        let mut rows = Vec::with_capacity(WEIGHTS);
        let weights = weights();
        let mut start = 0;
        for (cells, width) in PATTERNS.iter().zip(WIDTHS) {
            let net = Net::read(&mut bytes, cells.len(), width);
            let end = start + 3usize.pow(cells.len() as u32);
            cpu::dispatch(Generate { net: &net, weights: &weights[start..end], rows: &mut rows });
            start = end;
        }
        debug_assert_eq!(start, ROWS);
        Values { rows, numbers: std::array::from_fn(|_| bytes.take(KNOTS, SCALES[5])) }
    }
}

/// Weights, a byte each.
struct Bytes<'a>(std::slice::Iter<'a, u8>);

impl Bytes<'_> {
    /// As many numbers as `width`, then zeros.
    fn take<const N: usize>(&mut self, width: usize, scale: f32) -> [f32; N] {
        let mut numbers = [0.0; N];
        for (number, &byte) in numbers.iter_mut().zip(self.0.by_ref().take(width)) {
            *number = f32::from(byte as i8) * scale;
        }
        numbers
    }

    fn rows<const N: usize>(&mut self, count: usize, width: usize, scale: f32) -> Vec<[f32; N]> {
        (0..count).map(|_| self.take(width, scale)).collect()
    }
}

/// One pattern's net.
struct Net {
    /// By cell and disc: the mover's, the opponent's.
    first: Vec<[f32; UNITS]>,
    first_bias: [f32; UNITS],
    second: Vec<[f32; UNITS]>,
    second_bias: [f32; UNITS],
    out: Vec<[f32; KNOTS]>,
}

impl Net {
    fn read(bytes: &mut Bytes<'_>, cells: usize, width: usize) -> Net {
        Net {
            first: bytes.rows(2 * cells, width, SCALES[0]),
            first_bias: bytes.take(width, SCALES[1]),
            second: bytes.rows(width, width, SCALES[2]),
            second_bias: bytes.take(width, SCALES[3]),
            out: bytes.rows(width, KNOTS, SCALES[4]),
        }
    }

    /// The values of a row.
    #[inline(always)]
    fn value(&self, row: usize) -> [f32; KNOTS] {
        let mut a = self.first_bias;
        let mut rest = row;
        for discs in self.first.chunks_exact(2) {
            if rest % 3 != 0 {
                add(&mut a, &discs[rest % 3 - 1], 1.0);
            }
            rest /= 3;
        }
        let mut b = self.second_bias;
        for (x, weights) in a.iter().zip(&self.second) {
            add(&mut b, weights, x.max(0.0));
        }
        let mut values = [0.0; KNOTS];
        for (x, weights) in b.iter().zip(&self.out) {
            add(&mut values, weights, x.max(0.0));
        }
        values
    }
}

#[inline(always)]
fn add<const N: usize>(sum: &mut [f32; N], other: &[f32; N], factor: f32) {
    for i in 0..N {
        sum[i] += factor * other[i];
    }
}

/// Appends the values of a pattern's rows, the first of those that share a weight.
struct Generate<'a> {
    net: &'a Net,
    weights: &'a [u32],
    rows: &'a mut Vec<[f32; KNOTS]>,
}

impl Task for Generate<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) {
        for (row, &weight) in self.weights.iter().enumerate() {
            if weight as usize == self.rows.len() {
                self.rows.push(self.net.value(row));
            }
        }
    }
}
