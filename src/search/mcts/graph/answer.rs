//! The answer: the best of a node's edges.

use super::McGraph;
use crate::game::{Game, Player};
use crate::pool::NodeId;
use crate::search::mcts::choice::{answer, Candidate};
use crate::search::mcts::options::WIN;
use crate::search::mcts::policy::Policy;
use crate::search::mcts::result::Answers;
use crate::search::mcts::store::NONE;
use crate::tree::Tree;

impl<G: Game, P: Policy<G>, const V: usize> McGraph<G, P, V> {
    /// The edge that would be the answer in a node.
    pub(super) fn best_edge(&self, at: u32, mover: Player) -> Option<NodeId> {
        if at == NONE {
            return None;
        }
        let edge = |id: NodeId| self.store.edges.get(id);
        let ids = self.at(at).edges().iter().filter(|&id| !edge(id).is_absent);
        if G::PLAYERS == 1 {
            let line = self.solo.line.first().filter(|_| at == self.root);
            let on_line = ids.clone().find(|&id| Some(&edge(id).m) == line);
            return on_line.or_else(|| ids.max_by_key(|&id| edge(id).visits));
        }
        let candidate = |id| Candidate {
            id,
            view: self.bounds_of(edge(id), mover).view::<G>(mover),
            visits: edge(id).visits,
            mean: self.mean(id, mover),
        };
        answer(ids.map(candidate), self.policy.answers_by_mean())
    }

    /// The mean reward behind an edge to who moves along it; for two and more exact where it is proven.
    pub(super) fn mean(&self, id: NodeId, mover: Player) -> f64 {
        let edge = self.store.edges.get(id);
        let Some(node) = self.store.target(id) else {
            return edge.sum() as f64 / f64::from(edge.visits.max(1));
        };
        if G::PLAYERS > 1 && node.bounds.is_closed::<G>() {
            return f64::from(WIN) * f64::from(node.bounds.seen_by::<G>(mover).view::<G>(mover).0);
        }
        Self::sum(node, mover) as f64 / f64::from(node.visits.max(1))
    }
}

impl<G: Game, P: Policy<G>, const V: usize> Answers<G> for McGraph<G, P, V> {
    fn top(&self) -> NodeId {
        self.store.edges.root()
    }

    fn answer(&self, id: NodeId, _: Player) -> Option<NodeId> {
        self.best(id)
    }

    fn width(&self, id: NodeId) -> usize {
        self.store.target(id).map_or(0, |node| node.edges().len())
    }

    fn move_to(&self, id: NodeId) -> G::Move {
        self.store.edges.get(id).m
    }
}
