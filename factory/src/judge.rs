//! The evaluations of a game whose model is a network: by hand, by packed weights, as learnt.

use anyhow::Result;
use coppice::network::SCALE;
use coppice::{Estimate, Evaluation, Game, Joint, Player, Score};

use crate::model::Model;
use crate::subject::Weights;

/// Points of three quarters of a win.
pub const THREE_QUARTERS: f32 = SCALE as f32;

/// An evaluation by hand, and by how much its points are multiplied.
#[derive(Debug, Clone, Copy)]
pub struct Scaled<H>(H, f32);

impl<H> Scaled<H> {
    /// The evaluation in points of which [`THREE_QUARTERS`] are three quarters of a win; now it is so many.
    pub fn new(hand: H, three_quarters: f32) -> Scaled<H> {
        Scaled(hand, THREE_QUARTERS / three_quarters)
    }
}

impl<G: Game, H: Evaluation<G>> Evaluation<G> for Scaled<H> {
    #[inline(always)]
    fn evaluate(&self, game: &G) -> Score {
        let Scaled(hand, factor) = self;
        Score::estimate((hand.evaluate(game).value() as f32 * factor) as i32)
    }
}

/// An evaluation of a game in turns, in points of which [`THREE_QUARTERS`] are three quarters of a win; or an estimate of a game
/// with joint moves, in its points.
#[derive(Debug, Clone)]
pub enum Judge<G, H, N, M> {
    /// The evaluation by hand, which is the bot's without learnt weights.
    Hand(H),
    /// Packed weights.
    Net(Box<N>),
    /// Weights as learnt, in floating point, and the model's output for a position, in the view of the player to move, or of
    /// the first player where both choose at once. An output x is a value of x / (1 + |x|), from -1 to 1.
    Learnt(Box<M>, fn(&M, &G) -> f32),
}

impl<G, H, N, M: Model> Judge<G, H, N, M> {
    /// The evaluation with these weights; with no packed ones it is `hand`. `net` is the bot's evaluation with packed weights,
    /// which `model` must be able to read, and `output` the model's.
    ///
    /// # Errors
    /// If these are no packed weights.
    pub fn new(
        weights: Weights<'_, M>,
        model: &M,
        hand: H,
        net: fn(&[u8]) -> N,
        output: fn(&M, &G) -> f32,
    ) -> Result<Self> {
        Ok(match weights {
            Weights::Packed([]) => Judge::Hand(hand),
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
            Judge::Hand(hand) => hand.evaluate(game),
            Judge::Net(net) => net.evaluate(game),
            Judge::Learnt(model, output) => Score::estimate((THREE_QUARTERS * output(model, game)) as i32),
        }
    }
}

impl<G: Joint, H: Estimate<G>, N: Estimate<G>, M> Estimate<G> for Judge<G, H, N, M> {
    #[inline(always)]
    fn estimate(&self, game: &G, player: Player) -> f64 {
        match self {
            Judge::Hand(hand) => hand.estimate(game, player),
            Judge::Net(net) => net.estimate(game, player),
            Judge::Learnt(model, output) => {
                let x = f64::from(output(model, game));
                let own = if player == Player::FIRST { x } else { -x };
                f64::from(G::MAX_POINTS) * own / (1.0 + own.abs())
            }
        }
    }
}
