//! A node of the minimax tree.

use crate::clock::{Meter, Rare};
use crate::evaluation::Evaluation;
use crate::game::{Game, Player};
use crate::score::Score;

/// [`Node::due`] of a node below which nothing can be explored at the current threshold.
pub(super) const IDLE: u8 = 254;
/// [`Node::due`] of a node whose value is certain.
pub(super) const CLOSED: u8 = 255;
/// Maximum depth of a leaf below the root, so that distances fit into a byte.
pub(super) const DEEPEST: u32 = 250;

/// A node: its values, and the distance to the nearest leaf that can be explored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Node<M, const N: usize> {
    /// The value for each player, with distances from the node itself. A single value is the first player's; the second
    /// player's is its negation.
    pub values: [Score; N],
    /// The move that led here.
    pub m: M,
    /// The player to move.
    pub mover: Player,
    /// A lower bound on the plies to the nearest end of the game below.
    pub near: u8,
    /// Plies to the nearest leaf that may be explored, or [`IDLE`], or [`CLOSED`].
    pub due: u8,
}

impl<M: Default, const N: usize> Default for Node<M, N> {
    fn default() -> Node<M, N> {
        Node { values: [Score::DRAW; N], m: M::default(), mover: Player::FIRST, near: 1, due: 0 }
    }
}

impl<M, const N: usize> Node<M, N> {
    /// A leaf that stands for `game`; without values if the deadline passed.
    #[inline(always)]
    pub fn leaf<G: Game<Move = M>, E: Evaluation<G>, const CAREFUL: bool>(
        game: &G,
        evaluation: &E,
        m: M,
        meter: &mut Meter<128>,
    ) -> Node<M, N> {
        let leaf = |values, near, due| Node { values, m, mover: game.to_move(), near, due };
        if meter.step_if::<CAREFUL>() && game.is_over() {
            let value = |i| match meter.meets(Rare::END) {
                true => evaluation.ended_for(game, Player::new(i as u8)),
                false => Score::DRAW,
            };
            return leaf(std::array::from_fn(value), 0, CLOSED);
        }
        let value = |i| match meter.step_if::<CAREFUL>() {
            true => evaluation.evaluate_for(game, Player::new(i as u8)),
            false => Score::DRAW,
        };
        leaf(std::array::from_fn(value), 1, 0)
    }

    /// The value for a player.
    #[inline(always)]
    pub fn value(&self, player: Player) -> Score {
        match N {
            1 => self.values[0].for_parent(player == Player::FIRST),
            _ => self.values[player.index()],
        }
    }

    #[inline(always)]
    pub fn is_closed(&self) -> bool {
        self.due == CLOSED
    }
}
