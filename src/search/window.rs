//! The depth and score window of a depth-first search.

use crate::score::Score;

/// Remaining depth, distance from the root, and the alpha-beta window of a node.
#[derive(Clone, Copy)]
pub(super) struct Window {
    /// Plies left below.
    pub(super) depth: u32,
    /// Plies from the root.
    pub(super) ply: u32,
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    /// The window of a child, given whether the player to move stays the same.
    #[inline(always)]
    pub(super) fn below(self, same: bool) -> Window {
        let (alpha, beta) = if same { (self.alpha, self.beta) } else { (-self.beta, -self.alpha) };
        Window { depth: self.depth - 1, ply: self.ply + 1, alpha, beta }
    }
}
