//! A search's tree, seen from outside: what a debug console walks through.

use crate::game::{Game, Player};
use crate::list::List;
use crate::pool::NodeId;
use crate::score::Score;
use crate::search::LINE;

/// Why a search goes on below a node, or doesn't.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// It has no children yet.
    Leaf,
    /// It has children, and the search may go on below it.
    Open,
    /// The game is over there.
    Ended,
    /// Closed: what it is worth is certain, or all below it has been seen.
    Closed,
    /// Pruned: its value is too far from its best sibling's. It may come back when values change.
    Pruned,
}

/// What a search remembers of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodeView<M> {
    /// The move that led there; `None` at the root.
    pub played: Option<M>,
    /// Who made it; at the root, who is to move there. `score` and `bounds` are theirs.
    pub player: Player,
    /// What the node is worth: a backed-up value, or a mean reward in thousandths.
    pub score: Score,
    /// What it can still turn out to be worth, if the search keeps account of that: at least, at
    /// most.
    pub bounds: Option<(Score, Score)>,
    /// How often the search has come by, if it counts that.
    pub visits: u64,
    /// Whether it goes on there.
    pub status: Status,
    /// How many children it has.
    pub children: usize,
}

/// What a tree takes of its pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Memory {
    /// Nodes in use, those of former turns that haven't been given back yet included.
    pub live: usize,
    /// Nodes that there can be.
    pub capacity: usize,
    /// Bytes of one.
    pub node_bytes: usize,
}

/// A tree that stands in a pool after a search. Ids are good until the next search.
pub trait Tree<G: Game> {
    /// The root; `None` before the first search.
    fn root(&self) -> Option<NodeId>;

    /// What is known of a node.
    fn node(&self, id: NodeId) -> NodeView<G::Move>;

    /// A node's `i`-th child, in the order in which the search keeps them.
    ///
    /// # Panics
    /// If it has no more than `i`.
    fn child(&self, id: NodeId, i: usize) -> NodeId;

    /// The child that the search would choose as an answer; `None` if there are no children.
    fn best(&self, id: NodeId) -> Option<NodeId>;

    /// What a node is worth to any player. By default the opposite for those who didn't choose it,
    /// which is right for two.
    fn score_for(&self, id: NodeId, player: Player) -> Score {
        let node = self.node(id);
        node.score.for_parent(player == node.player)
    }

    /// What the tree takes of its pool.
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
