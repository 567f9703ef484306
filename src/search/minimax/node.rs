//! What a node of the tree remembers.

use crate::evaluation::Evaluation;
use crate::game::{Game, Player};
use crate::score::Score;

/// [`Node::due`] of a node below which nothing may be explored now, as far as is known.
pub(super) const IDLE: u8 = 254;
/// [`Node::due`] of a node whose value is certain.
pub(super) const CLOSED: u8 = 255;
/// No leaf is deeper than this below the root: distances fit into a byte.
pub(super) const DEEPEST: u32 = 250;

/// A node: its values, and how far below it there is something to do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Node<M, const N: usize> {
    /// What it is worth to each player, with distances from the node itself. Where one value is
    /// kept it is the first player's, and a second player's is the opposite.
    pub values: [Score; N],
    /// The move that led here.
    pub m: M,
    /// Who is to move.
    pub mover: Player,
    /// Plies to the nearest end of the game that there can be below.
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
    /// A leaf that stands for `game`.
    #[inline(always)]
    pub fn leaf<G: Game<Move = M>, E: Evaluation<G>>(game: &G, evaluation: &E, m: M) -> Node<M, N> {
        let is_over = game.is_over();
        let value = |i| match Player::new(i as u8) {
            player if is_over => evaluation.ended_for(game, player),
            player => evaluation.evaluate_for(game, player),
        };
        let (near, due) = if is_over { (0, CLOSED) } else { (1, 0) };
        Node { values: std::array::from_fn(value), m, mover: game.to_move(), near, due }
    }

    /// What it is worth to a player.
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
