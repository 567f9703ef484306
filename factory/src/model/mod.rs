//! The interface of a model, and the models.
//!
//! - [`tables`]: a sum of table rows and weighted numbers, interpolated between phases;
//! - [`generated`]: such a sum, with rows that small nets generate;
//! - [`sparse`]: sparse inputs, sums of their weights in both players' views, up to two small layers.
//!
//! A model that another game needs is a file here that implements [`Model`]; the steps of the factory call nothing
//! else.

pub mod adam;
pub mod generated;
pub mod sparse;
pub mod tables;

use crate::loss::Loss;
use crate::sample::Record;

/// A model that learns by gradient descent.
pub trait Model: Clone + Send + Sync {
    /// The positions that it estimates.
    type Position: Record;
    /// The inputs of many positions, computed once before learning.
    type Inputs: Sync;

    /// Reads positions.
    fn inputs(&self, positions: &[Self::Position], threads: usize) -> Self::Inputs;

    /// Is shown what it will learn from, before the first step and after [`Model::restore`].
    fn survey(&mut self, _inputs: &Self::Inputs) {}

    /// Finds a better start than the one it was made with, before the first step.
    fn prepare(&mut self, _inputs: &Self::Inputs, _targets: &[f32], _loss: Loss, _threads: usize) {}

    /// Is told that the steps of a pass are done and estimates follow.
    fn finish(&mut self) {}

    /// The estimate of position `i`, in points for the player to move.
    fn estimate(&self, inputs: &Self::Inputs, i: usize) -> f32;

    /// Makes one step of gradient descent on the positions of a batch, whose targets are those at the same places.
    /// Returns the sum of losses. The outcome doesn't depend on the number of threads.
    fn step(
        &mut self,
        inputs: &Self::Inputs,
        batch: &[u32],
        targets: &[f32],
        loss: Loss,
        rate: f32,
        threads: usize,
    ) -> f64;

    /// All that the next step depends on.
    fn state(&self) -> Vec<u8>;

    /// Goes back to a state.
    ///
    /// # Errors
    /// If the bytes aren't a state of such a model.
    fn restore(&mut self, state: &[u8]) -> anyhow::Result<()>;

    /// The weights in the form that the bot reads, rounded.
    fn pack(&self) -> Vec<u8>;

    /// The model with the weights that the bot reads from these bytes.
    ///
    /// # Errors
    /// If these are no packed weights.
    fn unpacked(&self, bytes: &[u8]) -> anyhow::Result<Self>;
}
