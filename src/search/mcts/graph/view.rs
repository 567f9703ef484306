//! The tree of a graph, seen from outside: its nodes are the graph's edges.

use super::McGraph;
use crate::game::{Game, Payoff};
use crate::pool::NodeId;
use crate::score::Score;
use crate::search::mcts::policy::Policy;
use crate::tree::{Memory, NodeView, Status, Tree};

impl<G: Game, P: Policy<G>, const V: usize> Tree<G> for McGraph<G, P, V> {
    /// The edge that leads to no node stands for the root.
    fn root(&self) -> Option<NodeId> {
        self.game.as_ref().map(|_| self.store.edges.root())
    }

    fn position(&self) -> Option<&G> {
        self.game.as_ref()
    }

    fn node(&self, id: NodeId) -> NodeView<G::Move> {
        let edge = self.store.edges.get(id);
        let node = self.store.target(id);
        let is_root = id == self.store.edges.root();
        let bounds = self.bounds_of(edge, edge.by);
        let view = bounds.view::<G>(edge.by);
        let is_closed = bounds.is_closed::<G>();
        let score = |sign| Score::ended(Payoff(i32::from(sign)));
        let children = node.map_or(0, |node| node.edges().len());
        NodeView {
            played: (!is_root).then_some(edge.m),
            player: edge.by,
            score: match is_closed && G::PLAYERS > 1 && !edge.is_absent {
                true => score(view.0),
                false => Score::estimate(self.mean(id, edge.by) as i32),
            },
            bounds: (G::PLAYERS > 1 && !edge.is_absent).then(|| (score(view.0), score(view.1))),
            visits: u64::from(node.filter(|_| is_root).map_or(edge.visits, |node| node.visits)),
            status: match node {
                Some(node) if node.is_over => Status::Ended,
                _ if edge.is_absent => Status::Pruned,
                _ if is_closed => Status::Closed,
                _ if children == 0 => Status::Leaf,
                _ => Status::Open,
            },
            children,
        }
    }

    fn child(&self, id: NodeId, i: usize) -> NodeId {
        let edges = self.store.target(id).map(|node| node.edges());
        let edges = edges.filter(|edges| i < edges.len());
        edges.unwrap_or_else(|| panic!("there is no child {i}")).get(i)
    }

    fn best(&self, id: NodeId) -> Option<NodeId> {
        let first = self.store.target(id)?.edges().iter().next()?;
        self.best_edge(self.store.edges.get(id).target, self.store.edges.get(first).by)
    }

    fn memory(&self) -> Memory {
        Memory { live: self.store.live(), capacity: self.store.capacity(), node_bytes: Self::UNIT_BYTES }
    }
}
