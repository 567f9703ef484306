//! Adam (Kingma and Ba, *Adam: A Method for Stochastic Optimization*, 2015) for weights in one slice, each kept within
//! a limit.

use std::ops::Range;

use anyhow::bail;

/// The decay rates of both means.
pub const DECAY: [f32; 2] = [0.9, 0.999];

/// The means of slopes and of their squares.
#[derive(Debug, Clone)]
pub struct Adam {
    /// The means of the slopes.
    pub mean: Vec<f32>,
    square: Vec<f32>,
    steps: u32,
}

impl Adam {
    /// The state before the first step for `weights` weights.
    pub fn new(weights: usize) -> Adam {
        Adam { mean: vec![0.0; weights], square: vec![0.0; weights], steps: 0 }
    }

    /// Makes a step. `parts` are the ranges of the weights with the largest weight of each.
    pub fn step(
        &mut self,
        weights: &mut [f32],
        slopes: &[f32],
        rate: f32,
        parts: impl IntoIterator<Item = (Range<usize>, f32)>,
    ) {
        self.steps += 1;
        let steps = self.steps.min(100_000) as i32;
        let rate = rate * (1.0 - DECAY[1].powi(steps)).sqrt() / (1.0 - DECAY[0].powi(steps));
        for (part, widest) in parts {
            let state = self.mean[part.clone()].iter_mut().zip(&mut self.square[part.clone()]);
            for ((weight, &slope), (mean, square)) in
                weights[part.clone()].iter_mut().zip(&slopes[part]).zip(state)
            {
                *mean += (1.0 - DECAY[0]) * (slope - *mean);
                *square += (1.0 - DECAY[1]) * (slope * slope - *square);
                *weight = (*weight - rate * *mean / (square.sqrt() + 1e-8)).clamp(-widest, widest);
            }
        }
    }

    /// Weights and state as bytes.
    pub fn write(&self, weights: &[f32]) -> Vec<u8> {
        let floats = [weights, &self.mean, &self.square].into_iter().flatten();
        self.steps.to_le_bytes().into_iter().chain(floats.flat_map(|x| x.to_le_bytes())).collect()
    }

    /// Reads what [`Adam::write`] wrote.
    ///
    /// # Errors
    /// If the bytes are too few or too many.
    pub fn read(&mut self, weights: &mut [f32], bytes: &[u8]) -> anyhow::Result<()> {
        let count = weights.len();
        let Some((steps, floats)) = bytes.split_first_chunk().filter(|(_, rest)| rest.len() == 12 * count)
        else {
            bail!("expected the state of {count} weights, {} bytes, found {}", 4 + 12 * count, bytes.len());
        };
        self.steps = u32::from_le_bytes(*steps);
        let mut floats = floats.chunks_exact(4).map(|x| f32::from_le_bytes([x[0], x[1], x[2], x[3]]));
        for part in [weights, &mut self.mean, &mut self.square] {
            part.iter_mut().zip(&mut floats).for_each(|(x, y)| *x = y);
        }
        Ok(())
    }
}
