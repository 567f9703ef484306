//! The read-only view of the minimax tree.

use super::node::Node;
use super::Minimax;
use crate::evaluation::Evaluation;
use crate::game::{Game, Player};
use crate::pool::{NodeId, Pool};
use crate::score::Score;
use crate::tree::{Memory, NodeView, Status, Tree};

/// Scores have distances from the node itself: a parent is worth its best child one ply later. Bounds are
/// reported where they coincide. Visits aren't counted.
impl<G: Game, E: Evaluation<G>, const N: usize> Tree<G> for Minimax<G, E, N> {
    fn root(&self) -> Option<NodeId> {
        self.game.as_ref().map(|_| self.pool.root())
    }

    fn position(&self) -> Option<&G> {
        self.game.as_ref()
    }

    fn node(&self, id: NodeId) -> NodeView<G::Move> {
        let node = self.pool.get(id);
        let parent = self.pool.parent(id);
        let player = self.pool.get(parent.unwrap_or(id)).mover;
        let score = node.value(player);
        let children = self.pool.children(id).len();
        let is_pruned = parent.is_some_and(|parent| {
            score < self.limit(parent, self.pool.get(parent).value(player).subtract_mate_distance(1))
        });
        let status = match node {
            Node { near: 0, .. } => Status::Ended,
            node if node.is_closed() => Status::Closed,
            _ if is_pruned => Status::Pruned,
            _ if children == 0 => Status::Leaf,
            _ => Status::Open,
        };
        NodeView {
            played: parent.map(|_| node.m),
            player,
            score,
            bounds: node.is_closed().then_some((score, score)),
            visits: 0,
            status,
            children,
        }
    }

    fn child(&self, id: NodeId, i: usize) -> NodeId {
        let children = self.pool.children(id);
        assert!(i < children.len(), "{id:?} has {} children", children.len());
        children.get(i)
    }

    fn best(&self, id: NodeId) -> Option<NodeId> {
        self.best_child(id).map(|(_, child)| child)
    }

    fn score_for(&self, id: NodeId, player: Player) -> Score {
        self.pool.get(id).value(player)
    }

    fn memory(&self) -> Memory {
        let node_bytes = Pool::<Node<G::Move, N>>::NODE_BYTES;
        Memory { live: self.pool.live(), capacity: self.pool.capacity(), node_bytes }
    }
}
