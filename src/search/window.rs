//! What a depth-first search is allowed to look at.

use crate::score::Score;

/// How far above and below a node there is something to search, and between which scores.
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
    /// That of a child, whose player to move is the same or another.
    #[inline(always)]
    pub(super) fn below(self, same: bool) -> Window {
        let (alpha, beta) = if same { (self.alpha, self.beta) } else { (-self.beta, -self.alpha) };
        Window { depth: self.depth - 1, ply: self.ply + 1, alpha, beta }
    }
}
