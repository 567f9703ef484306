//! The evaluations of a game whose model is a network: by hand, by packed weights, as learnt.

use anyhow::Result;
use coppice::network::SCALE;
use coppice::{Evaluation, Game, Score};

use crate::model::Model;
use crate::subject::Weights;

/// Points of three quarters of a win.
pub const THREE_QUARTERS: f32 = SCALE as f32;

/// An evaluation, in points of which [`THREE_QUARTERS`] are three quarters of a win.
#[derive(Debug, Clone)]
pub enum Judge<G, H, N, M> {
    /// The evaluation by hand, which is the bot's without learnt weights, and by how much its points are multiplied.
    Hand(H, f32),
    /// Packed weights.
    Net(Box<N>),
    /// Weights as learnt, in floating point, and the model's output for a position.
    Learnt(Box<M>, fn(&M, &G) -> f32),
}

impl<G, H, N, M: Model> Judge<G, H, N, M> {
    /// The evaluation with these weights; with no packed ones it is by hand. `hand` is that one and what counts as three
    /// quarters of a win in its points, `net` the bot's evaluation with packed weights, which `model` must be able to
    /// read, and `output` the model's.
    ///
    /// # Errors
    /// If these are no packed weights.
    pub fn new(
        weights: Weights<'_, M>,
        model: &M,
        hand: (H, f32),
        net: fn(&[u8]) -> N,
        output: fn(&M, &G) -> f32,
    ) -> Result<Self> {
        Ok(match weights {
            Weights::Packed([]) => Judge::Hand(hand.0, THREE_QUARTERS / hand.1),
            Weights::Packed(bytes) => {
                model.unpacked(bytes)?;
                Judge::Net(Box::new(net(bytes)))
            }
            Weights::Learnt(model) => Judge::Learnt(Box::new(model.clone()), output),
        })
    }
}

impl<G: Game, H: Evaluation<G>, N: Evaluation<G>, M> Evaluation<G> for Judge<G, H, N, M> {
    #[inline(always)]
    fn evaluate(&self, game: &G) -> Score {
        match self {
            Judge::Hand(hand, factor) => {
                Score::estimate((hand.evaluate(game).value() as f32 * factor) as i32)
            }
            Judge::Net(net) => net.evaluate(game),
            Judge::Learnt(model, output) => Score::estimate((THREE_QUARTERS * output(model, game)) as i32),
        }
    }
}
