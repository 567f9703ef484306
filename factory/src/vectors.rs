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
}
