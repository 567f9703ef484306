//! The read-only view of a Monte Carlo tree.

use crate::game::{Game, Payoff, Player};
use crate::pool::NodeId;
use crate::score::Score;
use crate::tree::{Memory, NodeView, Status, Tree};

use super::policy::Policy;
use super::uct::Mcts;

impl<G: Game, P: Policy<G>> Mcts<G, P> {
    /// The game at a node, and who chose to go there; at the root who is to move.
    fn trace(&self, id: NodeId) -> Option<(G, Player)> {
        match self.pool.parent(id) {
            None => self.game.clone().map(|game| (game.clone(), game.to_move())),
            Some(parent) => {
                let (mut game, _) = self.trace(parent)?;
                let chooser = game.to_move();
                game.play(self.pool.get(id).m);
                Some((game, chooser))
            }
        }
    }
}

impl<G: Game, P: Policy<G>> Tree<G> for Mcts<G, P> {
    fn root(&self) -> Option<NodeId> {
        self.game.as_ref().map(|_| self.pool.root())
    }

    fn position(&self) -> Option<&G> {
        self.game.as_ref()
    }

    fn node(&self, id: NodeId) -> NodeView<G::Move> {
        let stats = self.pool.get(id);
        let at = self.trace(id);
        let player = at.as_ref().map_or(Player::FIRST, |at| at.1);
        let is_closed = stats.bounds.is_closed::<G>();
        let view = stats.bounds.view::<G>(player);
        let score = |sign| Score::ended(Payoff(i32::from(sign)));
        let bounds = (G::PLAYERS > 1 && view.0 >= -1).then(|| (score(view.0), score(view.1)));
        let children = self.pool.children(id).len();
        NodeView {
            played: self.pool.parent(id).map(|_| stats.m),
            player,
            score: match bounds {
                Some((lower, _)) if is_closed => lower,
                _ => Score::estimate(stats.mean::<G>(player) as i32),
            },
            bounds,
            visits: u64::from(stats.visits),
            status: match at {
                Some((game, _)) if children == 0 && game.is_over() => Status::Ended,
                _ if view.0 < -1 => Status::Pruned,
                _ if is_closed => Status::Closed,
                _ if children == 0 => Status::Leaf,
                _ => Status::Open,
            },
            children,
        }
    }

    fn child(&self, id: NodeId, i: usize) -> NodeId {
        let children = self.pool.children(id);
        assert!(i < children.len(), "child {i} of {}", children.len());
        children.get(i)
    }

    fn best(&self, id: NodeId) -> Option<NodeId> {
        let (game, _) = self.trace(id)?;
        self.best_child(id, game.to_move())
    }

    fn memory(&self) -> Memory {
        Memory { live: self.pool.live(), capacity: self.pool.capacity(), node_bytes: Self::NODE_BYTES }
    }
}
