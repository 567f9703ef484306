//! Read-only view of a search's tree, for debugging tools.

use crate::game::{Game, Player};
use crate::list::List;
use crate::pool::NodeId;
use crate::score::Score;

/// The maximum number of moves of a best line.
pub const LINE: usize = 16;

/// Whether a search continues below a node, and why not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// It has no children yet.
    Leaf,
    /// It has children, and the search may go on below it.
    Open,
    /// The game is over there.
    Ended,
    /// Closed: its value is certain, or everything below it has been searched.
    Closed,
    /// Pruned: its value is too far from its best sibling's. It may come back when values change.
    Pruned,
}

/// A search's data of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodeView<M> {
    /// The move that led there; `None` at the root.
    pub played: Option<M>,
    /// The player who made that move; at the root, the player to move. `score` and `bounds` are theirs.
    pub player: Player,
    /// The node's value: a backed-up value, or a mean reward in thousandths.
    pub score: Score,
    /// Lower and upper bound of its value, if the search keeps them.
    pub bounds: Option<(Score, Score)>,
    /// The number of visits, if the search counts them.
    pub visits: u64,
    /// Whether the search continues there.
    pub status: Status,
    /// How many children it has.
    pub children: usize,
}

/// A tree's use of its pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Memory {
    /// Nodes in use, including those of earlier turns that have not been freed yet.
    pub live: usize,
    /// The maximum number of nodes.
    pub capacity: usize,
    /// Bytes per node.
    pub node_bytes: usize,
}

/// The tree that a search leaves in its pool. Ids are valid until the next search.
pub trait Tree<G: Game> {
    /// The root; `None` before the first search.
    fn root(&self) -> Option<NodeId>;

    /// The root's position: of the last search, or of an earlier one where the last didn't come to its tree, as when its
    /// deadline had passed. `None` before the first.
    fn position(&self) -> Option<&G>;

    /// The contents of a node.
    fn node(&self, id: NodeId) -> NodeView<G::Move>;

    /// A node's `i`-th child, in the order in which the search keeps them.
    ///
    /// # Panics
    /// If it has no more than `i`.
    fn child(&self, id: NodeId, i: usize) -> NodeId;

    /// The child that the search would choose as an answer; `None` if there are no children.
    fn best(&self, id: NodeId) -> Option<NodeId>;

    /// The value of a node to any player. By default the negated score for players who didn't choose it,
    /// which is right for two players.
    fn score_for(&self, id: NodeId, player: Player) -> Score {
        let node = self.node(id);
        node.score.for_parent(player == node.player)
    }

    /// The tree's use of its pool.
    fn memory(&self) -> Memory;

    /// The best line from a node on, as far as the tree goes.
    fn best_line(&self, id: NodeId) -> List<G::Move, LINE> {
        let mut line = List::default();
        let mut at = self.best(id);
        while let Some(child) = at.filter(|_| line.len() < LINE) {
            self.node(child).played.into_iter().for_each(|m| line.push(m));
            at = self.best(child);
        }
        line
    }
}
