//! The read-only view of the tree.

use super::BestFirst;
use crate::evaluation::Evaluation;
use crate::game::{Game, Player};
use crate::pool::NodeId;
use crate::tree::{Memory, NodeView, Status, Tree};

impl<G: Game, E: Evaluation<G>> BestFirst<G, E> {
    /// The state at a node, and the player who chose it.
    fn state(&self, id: NodeId) -> Option<(G, Player)> {
        let Some(parent) = self.pool.parent(id) else {
            return self.game.clone().map(|game| (game.clone(), game.to_move()));
        };
        let (state, _) = self.state(parent)?;
        Some((state.after(self.pool.get(id).m), state.to_move()))
    }
}

impl<G: Game, E: Evaluation<G>> Tree<G> for BestFirst<G, E> {
    fn root(&self) -> Option<NodeId> {
        self.game.is_some().then(|| self.pool.root())
    }

    fn position(&self) -> Option<&G> {
        self.game.as_ref()
    }

    fn node(&self, id: NodeId) -> NodeView<G::Move> {
        let data = self.pool.get(id);
        let state = self.state(id);
        let children = self.pool.children(id).len();
        NodeView {
            played: self.pool.parent(id).map(|_| data.m),
            player: state.as_ref().map_or(Player::FIRST, |&(_, player)| player),
            score: data.value,
            bounds: Some((data.lower(), data.upper())),
            visits: u64::from(data.visits),
            status: match children {
                _ if state.is_some_and(|(state, _)| state.is_over()) => Status::Ended,
                _ if data.is_closed() => Status::Closed,
                0 => Status::Leaf,
                _ => Status::Open,
            },
            children,
        }
    }

    fn child(&self, id: NodeId, i: usize) -> NodeId {
        self.pool.children(id).get(i)
    }

    fn best(&self, id: NodeId) -> Option<NodeId> {
        self.best_child(id)
    }

    fn memory(&self) -> Memory {
        Memory { live: self.pool.live(), capacity: self.pool.capacity(), node_bytes: Self::NODE_BYTES }
    }
}
