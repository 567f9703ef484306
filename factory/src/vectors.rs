//! Arithmetic on slices of floats, compiled for the instructions of this machine.

use coppice::cpu::{self, Cpu, Task};

/// Runs a closure with the instructions of this machine, if it and all that it calls are inlined.
#[inline(always)]
pub fn fast<T>(work: impl FnOnce() -> T) -> T {
    cpu::dispatch(With(work))
}

struct With<F>(F);

impl<T, F: FnOnce() -> T> Task for With<F> {
    type Output = T;

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) -> T {
        (self.0)()
    }
}

/// Adds terms to sums.
#[inline(always)]
pub fn add_to(sums: &mut [f32], terms: &[f32]) {
    sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
}

/// Adds multiples of terms to sums.
#[inline(always)]
pub fn add_times(sums: &mut [f32], terms: &[f32], factor: f32) {
    sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += factor * term);
}

/// Rows that are multiplied with a vector at a time: what is read of it once counts for all of them.
const TOGETHER: usize = 4;

/// The products of each row with a vector, as [`dot`] adds them up, plus the sums' starts.
#[inline(always)]
pub fn products<const N: usize>(starts: &[f32], rows: &[f32], x: &[f32]) -> [f32; N] {
    let mut sums = [0.0; N];
    let (columns, wide) = (x.len().max(1), x.len() / 16 * 16);
    let mut groups = rows.chunks_exact(TOGETHER * columns).zip(sums.chunks_exact_mut(TOGETHER));
    for (rows, sums) in &mut groups {
        let mut lanes = [[0.0; 16]; TOGETHER];
        for at in (0..wide).step_by(16) {
            let x: &[f32; 16] = x[at..at + 16].try_into().unwrap_or(&[0.0; 16]);
            for (lanes, row) in lanes.iter_mut().zip(rows.chunks_exact(columns)) {
                let row: &[f32; 16] = row[at..at + 16].try_into().unwrap_or(&[0.0; 16]);
                (0..16).for_each(|i| lanes[i] += row[i] * x[i]);
            }
        }
        for ((sum, lanes), row) in sums.iter_mut().zip(&lanes).zip(rows.chunks_exact(columns)) {
            let rest: f32 = row[wide..].iter().zip(&x[wide..]).map(|(x, y)| x * y).sum();
            *sum = lanes.iter().sum::<f32>() + rest;
        }
    }
    let done = N / TOGETHER * TOGETHER;
    for (sum, row) in sums[done..].iter_mut().zip(rows[done * x.len()..].chunks_exact(columns)) {
        *sum = dot(row, x);
    }
    sums.iter_mut().zip(starts).for_each(|(sum, start)| *sum += start);
    sums
}

/// Columns that stay in registers while all rows pass.
const BLOCK: usize = 32;

/// Goes back through the products of rows with a vector `x`: adds up the rows' slopes, and in `below` those of `x`. `above`
/// has the slopes of the products.
#[inline(always)]
pub fn back_through(above: &[f32], rows: &[f32], x: &[f32], slopes: &mut [f32], below: &mut [f32]) {
    let (columns, wide) = (x.len().max(1), x.len() / BLOCK * BLOCK);
    for at in (0..wide).step_by(BLOCK) {
        let x: [f32; BLOCK] = std::array::from_fn(|i| x[at + i]);
        let mut sums: [f32; BLOCK] = std::array::from_fn(|i| below[at + i]);
        let rows = rows.chunks_exact(columns).zip(slopes.chunks_exact_mut(columns));
        for (&above, (row, slopes)) in above.iter().zip(rows) {
            let (row, slopes) = (&row[at..at + BLOCK], &mut slopes[at..at + BLOCK]);
            for i in 0..BLOCK {
                slopes[i] += above * x[i];
                sums[i] += above * row[i];
            }
        }
        below[at..at + BLOCK].copy_from_slice(&sums);
    }
    if wide < x.len() {
        let rows = rows.chunks_exact(columns).zip(slopes.chunks_exact_mut(columns));
        for (&above, (row, slopes)) in above.iter().zip(rows) {
            add_times(&mut slopes[wide..], &x[wide..], above);
            add_times(&mut below[wide..], &row[wide..], above);
        }
    }
}

/// The sum of products, added up in sixteen lanes.
#[inline(always)]
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0; 16];
    let (mut xs, mut ys) = (a.chunks_exact(16), b.chunks_exact(16));
    for (x, y) in (&mut xs).zip(&mut ys) {
        (0..16).for_each(|i| lanes[i] += x[i] * y[i]);
    }
    let rest: f32 = xs.remainder().iter().zip(ys.remainder()).map(|(x, y)| x * y).sum();
    lanes.iter().sum::<f32>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_of_any_length_are_added() {
        for len in [0, 1, 15, 16, 17, 64, 100] {
            let a: Vec<f32> = (0..len).map(|i| i as f32 - 7.0).collect();
            let b: Vec<f32> = (0..len).map(|i| (i % 5) as f32).collect();
            let expected: f32 = (0..len).map(|i| a[i] * b[i]).sum();
            assert_eq!(fast(|| dot(&a, &b)), expected, "{len}");
        }
    }

    /// Whole numbers small enough that sums are exact in any order.
    fn numbers(len: usize, seed: usize) -> Vec<f32> {
        (0..len).map(|i| ((i * 7 + seed) % 11) as f32 - 5.0).collect()
    }

    fn layer<const UNITS: usize, const INPUTS: usize>() {
        let (starts, rows) = (numbers(UNITS, 1), numbers(UNITS * INPUTS, 2));
        let x: [f32; INPUTS] = numbers(INPUTS, 3).try_into().unwrap();
        let expected: Vec<f32> =
            rows.chunks_exact(INPUTS).zip(&starts).map(|(row, start)| start + dot(row, &x)).collect();
        assert_eq!(fast(|| products::<UNITS>(&starts, &rows, &x)).to_vec(), expected);

        let (above, mut slopes) = (numbers(UNITS, 4), numbers(UNITS * INPUTS, 5));
        let mut expected = slopes.clone();
        let mut below = [0.0; INPUTS];
        fast(|| back_through(&above, &rows, &x, &mut slopes, &mut below));
        for (at, slope) in expected.iter_mut().enumerate() {
            *slope += above[at / INPUTS] * x[at % INPUTS];
        }
        assert_eq!(slopes, expected);
        for (input, &slope) in below.iter().enumerate() {
            let expected: f32 = (0..UNITS).map(|unit| above[unit] * rows[unit * INPUTS + input]).sum();
            assert_eq!(slope, expected, "{UNITS} {INPUTS} {input}");
        }
    }

    #[test]
    fn layers_of_any_size_are_passed_in_both_directions() {
        layer::<1, 16>();
        layer::<16, 64>();
        layer::<6, 20>();
        layer::<5, 37>();
        layer::<4, 7>();
        layer::<32, 256>();
    }
}
